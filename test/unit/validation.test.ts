import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { validationError } from '../../server/platform/validation.ts';

const schema = z.object({
  text: z.string().min(1).max(3).optional(),
  many: z.array(z.string()).min(1).max(2).optional(),
  count: z.number().int().min(1).max(100).optional(),
});

describe('what is wrong with a value', () => {
  it.each([
    [{ text: '' }, 'Must have at least 1 character.'],
    [{ text: 'four' }, 'Must have at most 3 characters.'],
    [{ many: [] }, 'Must have at least 1 item.'],
    [{ many: ['a', 'b', 'c'] }, 'Must have at most 2 items.'],
    [{ count: 0 }, 'Must be at least 1.'],
    [{ count: 101 }, 'Must be at most 100.'],
    [{ count: 1.5 }, 'Must be an integer.'],
    [{ count: '1' }, 'Must be a number.'],
    [{ many: 'a' }, 'Must be an array.'],
  ])('%j: %s', (input, message) => {
    const { error } = schema.safeParse(input);
    expect(validationError(error!, input).message).toBe(message);
  });
});
