import { wordText } from '../language/api-words.ts';
import { numberFormat } from '../language/formats.ts';

/** A word of the API as a person writes it: `no_show` is “No show”. */
export function inWords(word: string): string {
  const known = wordText(word);
  if (known !== undefined) return known;
  if (word === 'api' || word === 'ai' || word === 'sms') return word.toUpperCase();
  const text = word.replaceAll(/[_-]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Options of a choice, from words of the API. */
export function optionsOf<T extends string>(words: readonly T[]): { value: T; label: string }[] {
  return words.map((value) => ({ value, label: inWords(value) }));
}

export const number = numberFormat();

/** A share of a whole in per cent; a dash of nothing. */
export function share(part: number, whole: number): string {
  return whole === 0 ? '–' : percent.format(part / whole);
}

const percent = numberFormat({ style: 'percent', maximumFractionDigits: 1 });
