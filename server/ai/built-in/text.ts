import { fold } from '../words.ts';

/** Folded, with plain quotes and single spaces: what the rules are written for. */
export function plain(text: string): string {
  return fold(text)
    .replaceAll(/[’‘´`]/g, "'")
    .replaceAll(/[“”«»]/g, '"')
    .replaceAll(/[ \t\r\f\v\u00a0]+/g, ' ')
    .trim();
}
