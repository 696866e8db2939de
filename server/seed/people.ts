import type { Random } from './random.ts';

export type Language = 'en' | 'es' | 'pt' | 'de';

interface Region {
  country: string;
  language: Language;
  /** A number of this country that its numbering plan never assigns, so that nobody real is called. */
  phone(digits: string): string;
}

/** Eight digits are free in each. National numbers of these forms have a possible length and an unused beginning. */
const regions: readonly Region[] = [
  { country: 'ES', language: 'es', phone: (digits) => `+345${digits}` },
  { country: 'PT', language: 'pt', phone: (digits) => `+3515${digits}` },
  { country: 'BR', language: 'pt', phone: (digits) => `+55209${digits}` },
  { country: 'GB', language: 'en', phone: (digits) => `+4440${digits}` },
  // An exchange that begins with 1: North America has none.
  { country: 'US', language: 'en', phone: (digits) => `+12${digits.slice(0, 2)}1${digits.slice(2)}` },
  { country: 'DE', language: 'de', phone: (digits) => `+4910${digits}` },
];

const firstNames: Record<Language, readonly string[]> = {
  en: [
    'Ada',
    'Ben',
    'Clara',
    'Dylan',
    'Edith',
    'Finn',
    'Grace',
    'Hugh',
    'Iris',
    'Jonah',
    'Maeve',
    'Owen',
    'Ruby',
    'Theo',
  ],
  es: [
    'Alba',
    'Bruno',
    'Carmen',
    'Diego',
    'Elena',
    'Íñigo',
    'Lucía',
    'Mateo',
    'Nerea',
    'Óscar',
    'Paula',
    'Sofía',
    'Tomás',
  ],
  pt: [
    'Beatriz',
    'Caio',
    'Diogo',
    'Inês',
    'João',
    'Lívia',
    'Matilde',
    'Nuno',
    'Rita',
    'Salomé',
    'Tiago',
    'Vitória',
  ],
  de: [
    'Anneliese',
    'Bastian',
    'Frieda',
    'Günther',
    'Hannah',
    'Jörg',
    'Käthe',
    'Lukas',
    'Mia',
    'Sören',
    'Ute',
    'Wilma',
  ],
};

/** Invented family names: put together they name nobody in particular. */
const nameStarts = [
  'Alder',
  'Bram',
  'Corv',
  'Dunn',
  'Eld',
  'Farn',
  'Grim',
  'Hol',
  'Ister',
  'Jarn',
  'Kest',
  'Lund',
  'Merr',
];
const nameEnds = [
  'avar',
  'berg',
  'castel',
  'dale',
  'eira',
  'feld',
  'gate',
  'holm',
  'ines',
  'mora',
  'quist',
  'rosa',
  'well',
];

export interface Person {
  name: string;
  firstName: string;
  language: Language;
  country: string;
  phone: string;
  email: string | null;
}

/**
 * Contact number `index` of a seed. Phones and e-mails are unique within the seed.
 * @param start where the seed's phone numbers begin, 0 … 10^8
 * @param mark keeps the e-mails of two seeds apart
 */
export function person(random: Random, index: number, start: number, mark: string): Person {
  const { country, language, phone } = random.pick(regions);
  const firstName = random.pick(firstNames[language]);
  const lastName = random.pick(nameStarts) + random.pick(nameEnds);
  // 7919 has no divisor in common with 10^8, so a hundred million indexes give as many numbers.
  const digits = String((start + index * 7919) % 100_000_000).padStart(8, '0');
  const local = `${ascii(firstName)}.${ascii(lastName)}.${mark}${index.toString(36)}`;
  return {
    name: `${firstName} ${lastName}`,
    firstName,
    language,
    country,
    phone: phone(digits),
    email: random.chance(60) ? `${local}@example.${random.pick(['com', 'org', 'net'])}` : null,
  };
}

function ascii(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();
}
