import { beforeAll, describe, expect, it } from 'vitest';
import { kindOf } from '../fuzz/references.ts';
import type { Answer, Client } from '../support/client.ts';
import { callRest, type RestProcedure, written } from '../support/procedures.ts';
import { samples } from '../support/samples.ts';
import { type Place, type Slot, slotsOf, withValue } from '../support/schema-walk.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
let live: Client;
let sandbox: Client;

beforeAll(async () => {
  const company = await server().company();
  live = await company.client();
  sandbox = await company.client({ mode: 'test' });
});

/** Operations with the places of their bodies that are of a type. */
function withSlots(type: string) {
  return written.flatMap((facts) => {
    const slots = slotsOf(facts).filter(
      ({ schema }) => schema.type === type && !schema.enum && schema.const === undefined,
    );
    return slots.length > 0 ? [[facts.name, facts, slots] as const] : [];
  });
}

const clientFor = ({ operation }: RestProcedure) => (operation.liveOnly ? live : sandbox);

/** Sends the sample of an operation with another value at one place; a test key starts from the same state each time. */
async function sending(facts: RestProcedure): Promise<(place: Place, value: unknown) => Promise<Answer>> {
  const api = clientFor(facts);
  const input = await samples[facts.name]!(api);
  return (place, value) => callRest(api, facts, withValue(input, place, value) as Record<string, unknown>);
}

/** The codes of what a 422 says about a place. */
function codesAt({ body }: Answer, place: Place): string[] {
  const details = (body?.error?.details ?? []) as { param: string | null; code: string }[];
  return details.filter(({ param }) => param === place.join('.')).map(({ code }) => code);
}

describe.each(withSlots('string'))('texts of %s', (_name, facts, slots) => {
  it('hold no U+0000 and no half of a surrogate pair [F2]', async () => {
    const send = await sending(facts);
    for (const { place } of slots)
      for (const bad of ['\0', 'a\0b', '\ud800', 'x\udfff'])
        expect([place, (await send(place, bad)).status]).toEqual([place, 422]);
  });

  it('are measured in code points [F3]', async () => {
    const send = await sending(facts);
    for (const { place, schema } of slots.filter(isMeasured)) {
      const longest = '😀'.repeat(Number(schema.maxLength));
      expect([place, codesAt(await send(place, longest), place)]).not.toEqual([place, ['max']]);
      expect([place, codesAt(await send(place, `${longest}😀`), place)]).toEqual([
        place,
        expect.arrayContaining(['max']),
      ]);
    }
  });
});

/** What stands for something else, such as a code of two letters, is refused for that, whatever its length. */
function isMeasured({ place, schema }: Slot): boolean {
  const field = String(place.findLast((step) => typeof step === 'string'));
  const isCode = schema.maxLength === schema.minLength;
  return (
    !isCode && schema.maxLength !== undefined && schema.format === undefined && kindOf(field) === undefined
  );
}

describe.each(withSlots('integer'))('numbers of %s', (_name, facts, slots) => {
  it('are numbers of JSON within their range, and nothing else [F4]', async () => {
    const send = await sending(facts);
    for (const { place } of slots) {
      for (const bad of ['1', [1], true, '', 1.5, 2 ** 53, {}])
        expect([place, bad, (await send(place, bad)).status]).toEqual([place, bad, 422]);
      for (const odd of [-0, 2 ** 31, null]) expect((await send(place, odd)).status).toBeLessThan(500);
    }
  });

  it('are no infinity [F4]', async () => {
    const api = clientFor(facts);
    const input = await samples[facts.name]!(api);
    const { rest } = facts;
    const path = rest.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(input[name]));
    for (const { place } of slots) {
      const raw = JSON.stringify(withValue(input, place, 'infinite')).replace('"infinite"', '1e309');
      const headers = { 'Content-Type': 'application/json' };
      expect([place, (await api.request(rest.method, path, { raw, headers })).status]).toEqual([place, 422]);
    }
  });
});
