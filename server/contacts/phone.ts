import { isSupportedCountry, parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js';

/** A phone number as it is stored and as it is compared. */
export interface Phone {
  /** E.164. */
  number: string;
  /** Equal for the spellings of one number that a country allows. */
  key: string;
}

/**
 * Reads a phone number, national ones with the country as a hint. Null when it can't be one.
 * Brazil's ninth digit, Mexico's former 1 and Argentina's 9 and 15 are left out of the key,
 * because messaging providers and people leave them out too.
 */
export function parsePhone(text: string, country?: string | null): Phone | null {
  const hint = country?.toUpperCase();
  const region = hint !== undefined && isSupportedCountry(hint) ? hint : undefined;
  const parsed = parsePhoneNumberFromString(
    plain(text),
    region ? { defaultCountry: region, extract: false } : { extract: false },
  );
  if (!parsed || !(parsed.isPossible() || isFormerMexican(parsed))) return null;
  return { number: parsed.number, key: keyOf(parsed.countryCallingCode, parsed.nationalNumber) };
}

/** As people paste numbers: with `tel:`, blanks around, full-width signs, and marks of writing direction. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .trim()
    .replace(/^tel:/i, '');
}

/** Mexican mobiles had a 1 after +52 until 2019; WhatsApp still reports them so. */
function isFormerMexican({ countryCallingCode, nationalNumber }: PhoneNumber): boolean {
  return countryCallingCode === '52' && /^1\d{10}$/.test(nationalNumber);
}

function keyOf(code: string, national: string): string {
  switch (code) {
    case '55':
      return `+55${national.replace(/^(\d{2})9(\d{8})$/, '$1$2')}`;
    case '52':
      return `+52${national.replace(/^1(\d{10})$/, '$1')}`;
    case '54':
      return `+54${national.replace(/^9(\d{10})$/, '$1')}`;
    default:
      return `+${code}${national}`;
  }
}
