import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ApiDocument, brokenPromises, type Promises, promisesOf } from '../support/api-promises.ts';

const read = <T>(name: string) =>
  JSON.parse(readFileSync(new URL(`../../schema/${name}`, import.meta.url), 'utf8')) as T;

const document = read<ApiDocument>('openapi.json');
const released = read<Promises>('released.json');

/* `schema/released.json` is written with each release, by `npm run released`; between releases it only stands. */
describe('what the last release promised', () => {
  it('still holds: no operation or field is gone, none takes less or answers with more kinds', () => {
    expect(Object.keys(released).length).toBeGreaterThan(50);
    expect(brokenPromises(released, promisesOf(document))).toEqual([]);
  });

  const field = (more: object, required: string[] = []) => ({
    type: 'object',
    required,
    properties: { a: { type: 'string', ...more } },
  });
  const api = (taken: object, answered: object): ApiDocument => {
    const operation = {
      requestBody: { content: { json: { schema: taken } } },
      responses: { '200': { content: { json: { schema: answered } } } },
    };
    return { paths: { '/things': { post: operation } } };
  };
  const before = promisesOf(api(field({ enum: ['x', 'y'] }), field({ enum: ['x'] }, ['a'])));
  const broken = (taken: object, answered: object) =>
    brokenPromises(before, promisesOf(api(taken, answered)));

  it.each([
    ['a value that is no longer taken', field({ enum: ['x'] }), field({ enum: ['x'] }, ['a']), /takes "y"/],
    ['a field that is required now', field({ enum: ['x', 'y'] }, ['a']), field({}, ['a']), /required now/],
    ['an answer that may be absent', field({ enum: ['x', 'y'] }), field({}), /absent now/],
    [
      'an answer that may be null',
      field({ enum: ['x', 'y'] }),
      field({ type: ['string', 'null'] }, ['a']),
      /null now/,
    ],
    ['a field that is gone', field({ enum: ['x', 'y'] }), { type: 'object' }, /200\.a is gone/],
    ['an input that is gone', { type: 'object' }, field({}, ['a']), /< body\.a is gone/],
  ])('%s is found', (_what, taken, answered, words) => {
    expect(broken(taken, answered)).toEqual([expect.stringMatching(words)]);
  });

  it('new values, new optional inputs and new fields are no break', () => {
    const taken = field({ enum: ['x', 'y', 'z'] });
    Object.assign(taken.properties, { b: { type: 'string' } });
    const answered = field({ enum: ['x', 'new'] }, ['a']);
    Object.assign(answered.properties, { b: { type: 'string' } });
    expect(broken(taken, answered)).toEqual([]);
    expect(brokenPromises(before, {})).toEqual(['POST /things is gone']);
  });
});
