interface Kind {
  name: string;
  pattern: RegExp;
  is(found: string): boolean;
}

/** What is taken out of a text, and how it is known. The order counts: a card number would pass for a phone. */
const kinds: readonly Kind[] = [
  { name: 'email', pattern: /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, is: () => true },
  {
    name: 'iban',
    pattern: /(?<![\p{L}\p{N}])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,40}(?![\p{L}\p{N}])/gu,
    is: isIban,
  },
  { name: 'card', pattern: /(?<![\p{L}\p{N}])\d(?:[ .\u00A0-]?\d){11,30}(?![\p{L}\p{N}])/gu, is: isCard },
  {
    name: 'phone',
    pattern: /(?<![\p{L}\p{N}])(?:\+|\(\+?)?\d(?:[\s()./\u00A0\u2011\u2013-]{0,3}\d){6,40}(?![\p{L}\p{N}])/gu,
    is: isPhone,
  },
];

/** Texts of one call without what names a person; what was taken out can be put back into the answer. */
export class Redactor {
  readonly #names = new Map<string, string>();
  readonly #values = new Map<string, string>();

  /** Phones, e-mails, card numbers (Luhn) and IBANs (mod 97) become `[phone-1]`, the same ones the same word. */
  readonly redact = (text: string): string => {
    let left = text.normalize('NFKC').replaceAll(/[\u200B-\u200D\u2060\uFEFF]/g, '');
    for (const { name, pattern, is } of kinds)
      left = left.replaceAll(pattern, (found) => {
        const length = lengthOf(found, is);
        return length === 0 ? found : this.#nameOf(name, found.slice(0, length)) + found.slice(length);
      });
    return left;
  };

  /** The same value that was taken out; a word that stands for none stays. */
  readonly restore = (text: string): string =>
    text.replaceAll(/\[(?:email|iban|card|phone)-\d+\]/g, (name) => this.#values.get(name) ?? name);

  #nameOf(kind: string, value: string): string {
    const key = `${kind} ${value.replaceAll(/[^\p{L}\p{N}@.]/gu, '').toLowerCase()}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = `[${kind}-${this.#names.size + 1}]`;
    this.#names.set(key, name);
    this.#values.set(name, value);
    return name;
  }
}

/** A match may have run on into the next word: the longest beginning that holds, in whole words; 0 for none. */
function lengthOf(found: string, is: Kind['is']): number {
  const ends = [...found.matchAll(/(?<=[\p{L}\p{N}])(?=[^\p{L}\p{N}]|$)/gu)].map(({ index }) => index);
  return ends.findLast((end) => is(found.slice(0, end))) ?? 0;
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/** Luhn's check digit, as all payment cards have it. */
function isCard(found: string): boolean {
  const digits = digitsOf(found);
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const counted = place % 2 === 0 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return digits.length >= 12 && digits.length <= 19 && sum % 10 === 0;
}

/** ISO 13616: the remainder by 97 is 1. */
function isIban(found: string): boolean {
  const text = found.replaceAll(/[ -]/g, '').toUpperCase();
  if (text.length < 15 || text.length > 34) return false;
  let remainder = 0;
  for (const character of text.slice(4) + text.slice(0, 4)) {
    const value = parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** Seven digits or more; dates and amounts are none. */
function isPhone(found: string): boolean {
  if (digitsOf(found).length < 7) return false;
  if (/^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}$|^\d{1,2}[-/.]\d{1,2}[-/.]\d{4}$/.test(found)) return false;
  return (
    !/^\d{1,3}(?:[.\u00A0 ]\d{3})+$/.test(found) ||
    found.startsWith('+') ||
    /^\d{3}[ .]\d{3}[ .]\d{3}$/.test(found)
  );
}
