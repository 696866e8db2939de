import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../server/http/json.ts';
import { AppError } from '../../server/platform/errors.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('reading JSON', () => {
  it('gives what JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        expect(parseJson(bytes(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('answers any bytes with a value or bad_request', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (given) => {
        try {
          parseJson(given);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"x":{"k":1,"k":1}}',
    `${'['.repeat(33)}${']'.repeat(33)}`,
  ])('refuses %s', (text) => {
    expect(() => parseJson(bytes(text))).toThrow(AppError);
  });

  it.each(['{"a":{"a":1},"b":[{"a":1},{"a":1}]}', '{"a":"{\\"a\\":1,\\"a\\":2}"}', '["a","a"]', '{"a":"a"}'])(
    'accepts %s',
    (text) => {
      expect(parseJson(bytes(text))).toEqual(JSON.parse(text));
    },
  );

  it('is UTF-8 only', () => {
    expect(() => parseJson(Uint8Array.from([0x22, 0xff, 0x22]))).toThrow(AppError);
    expect(() => parseJson(Uint8Array.from([0xff, 0xfe, 0x7b, 0, 0x7d, 0]))).toThrow(AppError);
  });
});
