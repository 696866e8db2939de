// Everything of C0 and C1 but tab and line feed, and U+FEFF.
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff]/g;

/** A text as it may be stored and shown: line feeds for line ends, no other controls, at most so many characters. */
export function cleanText(text: string, maximum: number): string {
  const even = text
    .slice(0, 4 * maximum)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(controls, '')
    .toWellFormed();
  const characters = even.length <= maximum ? even : [...even].slice(0, maximum).join('');
  return characters.trim();
}

/** The same in one line. */
export function cleanLine(text: string, maximum: number): string {
  return cleanText(text.slice(0, 8 * maximum).replaceAll(/\s+/g, ' '), maximum);
}
