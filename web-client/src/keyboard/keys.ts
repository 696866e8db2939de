/** What of a keyboard event is looked at. */
export interface KeyPress {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** Milliseconds that a second key has to follow the first. */
const patience = 1_000;

/**
 * A key as commands name it: `J`, `Shift+E`, `Mod+K`, `?`, `Enter`. Mod is Command on a Mac and Ctrl elsewhere. With
 * another script than Latin the place of the key counts. Null for what no command may use.
 */
export function keyName(press: KeyPress, mac: boolean): string | null {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = press;
  if (['Control', 'Meta', 'Shift', 'Alt', 'AltGraph', 'Dead', 'Unidentified'].includes(key)) return null;
  const mod = mac ? metaKey : ctrlKey;
  if ((mac ? ctrlKey : metaKey) || altKey) return null;
  const placed = /^Key([A-Z])$/.exec(code)?.[1];
  const letter = /^[a-z]$/i.test(key) ? key.toUpperCase() : /^\p{L}$/u.test(key) ? placed : undefined;
  // Where a sign stands differs by layout, so that Shift belongs to it.
  const shift = shiftKey && (letter !== undefined || key.length > 1);
  return `${mod ? 'Mod+' : ''}${shift ? 'Shift+' : ''}${letter ?? key}`;
}

/** Puts keys together: alone, or the second of two such as `G I`. */
export class KeySequence {
  #first: { key: string; at: number } | null = null;

  /** @returns what matches of `known`, the longer first. @param now milliseconds */
  press(
    key: string,
    now: number,
    known: (keys: string) => boolean,
    starts: (key: string) => boolean,
  ): string | null {
    const first = this.#first;
    this.#first = null;
    const both = first && now - first.at < patience ? `${first.key} ${key}` : null;
    if (both !== null && known(both)) return both;
    if (known(key)) return key;
    if (starts(key)) this.#first = { key, at: now };
    return null;
  }
}
