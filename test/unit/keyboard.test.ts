import { describe, expect, it } from 'vitest';
import { keyName, type KeyPress, KeySequence } from '../../web-client/src/keyboard/keys.ts';

function press(key: string, more: Partial<KeyPress> = {}): KeyPress {
  return { key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more };
}

describe('names of keys', () => {
  it.each([
    [press('j'), 'J'],
    [press('E', { shiftKey: true }), 'Shift+E'],
    [press('?', { shiftKey: true }), '?'],
    [press('k', { ctrlKey: true }), 'Mod+K'],
    [press('Enter', { shiftKey: true }), 'Shift+Enter'],
    [press('о', { code: 'KeyJ' }), 'J'],
    [press('j', { altKey: true }), null],
    [press('k', { metaKey: true }), null],
    [press('Shift', { shiftKey: true }), null],
  ])('%o is %s', (given, name) => {
    expect(keyName(given, false)).toBe(name);
  });

  it('have Command in place of Ctrl on a Mac', () => {
    expect(keyName(press('k', { metaKey: true }), true)).toBe('Mod+K');
    expect(keyName(press('k', { ctrlKey: true }), true)).toBe(null);
  });
});

describe('keys one after the other', () => {
  const known = (keys: string) => ['G I', 'I', 'E'].includes(keys);
  const starts = (key: string) => key === 'G';

  it('belong together within a second', () => {
    const sequence = new KeySequence();
    expect(sequence.press('G', 0, known, starts)).toBe(null);
    expect(sequence.press('I', 900, known, starts)).toBe('G I');
    expect(sequence.press('I', 950, known, starts)).toBe('I');
    expect(sequence.press('G', 2_000, known, starts)).toBe(null);
    expect(sequence.press('I', 3_500, known, starts)).toBe('I');
    expect(sequence.press('G', 4_000, known, starts)).toBe(null);
    expect(sequence.press('E', 4_100, known, starts)).toBe('E');
  });
});
