import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../server/platform/ids.ts';
import { kindOf } from '../fuzz/references.ts';
import type { Answer, Client } from '../support/client.ts';
import { callRest, pathParameters, type RestProcedure, restProcedures } from '../support/procedures.ts';
import { readSamples, samples } from '../support/samples.ts';
import { settledText, slotsOf, withValue } from '../support/schema-walk.ts';
import { type TestCompany, useServer } from '../support/server.ts';

const server = useServer();
let company: TestCompany;
let live: Client;
let sandbox: Client;
/** Of another company, one of every kind. */
const foreign: Record<string, string> = {};

beforeAll(async () => {
  company = await server().company();
  live = await company.client();
  sandbox = await company.client({ mode: 'test' });
  const others = await server().company();
  const theirs = await others.client({ mode: 'test' });
  for (const [kind, path] of Object.entries({
    contact: '/contacts',
    conversation: '/conversations',
    message: '/messages',
    tag: '/tags',
    product: '/products',
    order: '/orders',
    campaign: '/campaigns',
    quick_reply: '/quick-replies',
  })) {
    const { data } = (await theirs.get(path)).body;
    foreign[kind] = data.find(({ system }: { system?: boolean }) => !system)?.id ?? '';
  }
  const suggested = await samples['ai.approveSuggestion']!(theirs);
  foreign['suggestion'] = String(suggested['suggestion']);
  foreign['feedback'] = String((await samples['ai.rateFeedback']!(theirs))['feedback']);
  const real = await others.client();
  foreign['booking'] = String((await readSamples['bookings.show']!(real))['booking']);
  const file = { file: new File(['theirs'], 'theirs.txt', { type: 'text/plain' }) };
  foreign['media_url'] = (await real.form('/media', file)).body.data.url;
  foreign['email'] = others.owner.email;
  foreign['cursor'] = (await theirs.get('/contacts', { limit: 1 })).body.meta.next_cursor;
});

const named = <T extends { name: string }>(facts: readonly T[]) =>
  facts.map((one) => [one.name, one] as const);

/** The same kind of value that nobody has. */
function unknownOf(kind: string): string {
  if (kind === 'email') return 'nobody-at-all@example.com';
  if (kind === 'media_url')
    return String(foreign['media_url']).replace(/[^/]+$/, (name) => [...name].reverse().join(''));
  return kind === 'cursor' ? `${foreign['cursor']?.slice(0, -4)}AAAA` : newId();
}

function fingerprint({ status, text, headers }: Answer, ...names: string[]): object {
  const kept = [...headers].filter(
    ([name]) => !/^(x-request-id|date|x-ratelimit-remaining|content-length)$/.test(name),
  );
  return { status, text: settledText(text, ...names), headers: Object.fromEntries(kept) };
}

describe.each(named(restProcedures.filter(({ rest }) => pathParameters(rest).length > 0)))(
  '%s',
  (name, facts) => {
    it('answers a foreign id in its path as an unknown one: body and headers [T2]', async () => {
      const parameters = pathParameters(facts.rest);
      for (const parameter of parameters) {
        // Of two ids, the other one is our own.
        const input = (await samples[name]?.(live).catch(() => ({}))) ?? {};
        const answers = await Promise.all(
          [foreign[parameter] ?? '', newId()].map(async (id) =>
            fingerprint(await callRest(live, facts, { ...input, [parameter]: id }), id),
          ),
        );
        expect(answers[0]).toEqual(answers[1]);
        expect(answers[0]).toMatchObject({ status: 404 });
      }
    });
  },
);

const kinds = new Set([
  'contact',
  'conversation',
  'message',
  'tag',
  'product',
  'order',
  'quick_reply',
  'media_url',
  'email',
  'cursor',
]);

/** Fields of queries and bodies that take an id, with its kind. */
const fields = restProcedures.flatMap((facts) =>
  slotsOf(facts).flatMap(({ place }) => {
    const field = String(place.findLast((step) => typeof step === 'string'));
    const kind = kindOf(field);
    return kind && kinds.has(kind) ? [[`${facts.name} ${place.join('.')}`, facts, place, kind] as const] : [];
  }),
);

describe('a foreign id inside a body or filter [T3]', () => {
  it('is looked for in every field that takes one', () => {
    expect(fields.length).toBeGreaterThan(40);
  });

  it.each(fields)('matches nothing: %s', async (_where, facts, place, kind) => {
    const api = facts.operation.liveOnly ? live : sandbox;
    const input = await inputFor(api, facts);
    const value = foreign[kind];
    expect(value, kind).toBeTruthy();
    const [given, unknown] = [String(value), unknownOf(kind)];
    const first = await callRest(api, facts, withValue(input, place, given) as Record<string, unknown>);
    const second = await callRest(api, facts, withValue(input, place, unknown) as Record<string, unknown>);
    expect(fingerprint(first, given)).toEqual(fingerprint(second, unknown));
    if (kind !== 'cursor' && first.status === 200 && Array.isArray(first.body.data))
      expect(first.body.data).toEqual([]);
  });
});

async function inputFor(api: Client, { name, rest }: RestProcedure): Promise<Record<string, unknown>> {
  const sample = samples[name] ?? readSamples[name];
  if (sample) return sample(api);
  const input: Record<string, unknown> = {};
  for (const parameter of pathParameters(rest))
    input[parameter] = (await api.get(`/${parameter}s`)).body.data[0]?.id;
  return input;
}
