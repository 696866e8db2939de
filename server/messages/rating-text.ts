/** What a customer's answer to a rating request says. */
export interface GivenRating {
  /** 1–5. */
  rating: number;
  comment: string | null;
}

/** Longest comment that is kept, in characters. */
const commentMaximum = 2_000;

const digit = String.raw`(?<digit>[1-5])(?:\uFE0F?\u20E3)?(?:\s*/\s*5|\s+(?:out of|of|de)\s+5)?`;
const stars = String.raw`(?<stars>(?:(?:\u2B50|\u2605|\u{1F31F})\uFE0F?\s*){1,5})`;
const word = String.raw`(?:\s+(?:stars?|estrelas?|estrellas?))?`;
/** A comment is set apart: by a dash, a mark and a space, or a line. `4.5`, `5:30` and `3-4 of them` rate nothing. */
const apart = String.raw`(?:\s*[–—]\s*|\s+-\s*|-\s+|\s*[:,.;!]+\s+|\s*\n\s*)`;

const withDigit = new RegExp(String.raw`^${digit}${word}[.!]*(?:${apart}(?<comment>\S[^]*))?$`, 'iu');
const withStars = new RegExp(
  String.raw`^${stars}(?:${apart}|(?<=\s))?(?<comment>[^\s\u2B50\u2605\u{1F31F}][^]*)?$`,
  'u',
);
const star = /\u2B50|\u2605|\u{1F31F}/gu;

/** Reads a message that is exactly a rating, with or without a comment; null for any other. */
export function readRating(text: string): GivenRating | null {
  const trimmed = text.trim();
  const groups = withDigit.exec(trimmed)?.groups ?? withStars.exec(trimmed)?.groups;
  if (!groups) return null;
  const rating =
    groups['digit'] === undefined ? (groups['stars'] ?? '').match(star)?.length : Number(groups['digit']);
  if (rating === undefined) return null;
  return { rating, comment: commentOf(groups['comment'] ?? '') };
}

/** A text as a comment; null when there is nothing in it. */
export function commentOf(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' ? null : [...trimmed].slice(0, commentMaximum).join('');
}
