const maximum = 191;
// Controls, and marks that change the direction of what follows: `exe.gpj` shown as `jpg.exe`.
// oxlint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * A name that is safe to show and to put into a header: no folders, no control characters, no direction marks, at
 * most 191 characters with the extension kept. It is never used as a path.
 */
export function cleanFilename(given: string | undefined, extension: string): string {
  const last = (given ?? '').toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const cleaned = last.normalize('NFC').replaceAll(unprintable, '').trim();
  if (cleaned.replaceAll('.', '') === '') return `file.${extension}`;
  const characters = [...cleaned];
  if (characters.length <= maximum) return cleaned;
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(cleaned)?.[0] ?? '';
  return characters.slice(0, maximum - ending.length).join('') + ending;
}
