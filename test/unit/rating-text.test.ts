import { describe, expect, it } from 'vitest';
import { readRating } from '../../server/messages/rating-text.ts';

describe('a rating', () => {
  it.each([
    ['5', 5, null],
    [' 1 ', 1, null],
    ['3.', 3, null],
    ['5!!', 5, null],
    ['4/5', 4, null],
    ['4 / 5', 4, null],
    ['4 out of 5', 4, null],
    ['5 stars', 5, null],
    ['4 estrelas', 4, null],
    ['5️⃣', 5, null],
    ['⭐', 1, null],
    ['⭐️⭐️⭐️', 3, null],
    ['⭐ ⭐ ⭐ ⭐ ⭐', 5, null],
    ['★★', 2, null],
    ['5 - great service', 5, 'great service'],
    ['5 – great service', 5, 'great service'],
    ['2: slow', 2, 'slow'],
    ['1, nobody answered', 1, 'nobody answered'],
    ['4\nQuick, but not cheap.', 4, 'Quick, but not cheap.'],
    ['⭐⭐⭐⭐ very friendly', 4, 'very friendly'],
    ['⭐️⭐️⭐️⭐️⭐️ - obrigada!', 5, 'obrigada!'],
  ])('%j is %s, comment %j', (text, rating, comment) => {
    expect(readRating(text)).toEqual({ rating, comment });
  });

  it.each([
    '',
    '0',
    '6',
    '10',
    '55',
    '4.5',
    '5:30 works for me',
    '3-4 pieces',
    '5 pieces please',
    '5th street',
    '5€',
    '4/10',
    '⭐⭐⭐⭐⭐⭐',
    'great',
    'I give you 5',
    '2 x 5',
    '1,5',
  ])('%j is none', (text) => {
    expect(readRating(text)).toBeNull();
  });
});
