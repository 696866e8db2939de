import { expect, test } from 'vitest';
import { inkOn } from '../../web-client/src/tags/contrast.ts';

test.each([
  ['#000000', '#ffffff', 21],
  ['#FFFFFF', '#000000', 21],
  ['#C2410C', '#ffffff', 5.18],
  ['#FACC15', '#000000', 13.71],
])('the name of a tag on %s is %s', (color, ink, contrast) => {
  const found = inkOn(color);
  expect(found.ink).toBe(ink);
  expect(found.contrast).toBeCloseTo(contrast, 1);
});

test('any colour has an ink that can be read', () => {
  for (let grey = 0; grey < 256; grey++) {
    const part = grey.toString(16).padStart(2, '0');
    expect(inkOn(`#${part}${part}${part}`).contrast).toBeGreaterThanOrEqual(4.5);
  }
});
