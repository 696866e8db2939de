import { describe, expect, it, vi } from 'vitest';
import { updateAiSettings } from '../server/ai/settings.ts';
import { newId } from '../server/platform/ids.ts';
import { execute } from '../server/platform/operation.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { assist, assistance, hangs, ok, refusal } from './support/ai.ts';
import { keyed } from './support/client.ts';
import { insertConversations, insertMessages } from './support/rows.ts';
import { useSuggestions } from './support/suggestions.ts';

vi.mock(import('../server/ai/select.ts'), async (original) =>
  (await import('./support/ai.ts')).selection(await original()),
);
vi.mock(import('../server/ai/limits.ts'), async (original) => ({ ...(await original()), callLimitMs: 700 }));

const { server, state, create, at, generate, pending, history, proposes, reply, count, rows, suggested } =
  useSuggestions();

describe('generating', () => {
  it('answers with the number of suggestions that were kept, and lists them with their fields only', async () => {
    const id = await create();
    proposes(
      reply('Hello Ana'),
      { kind: 'tag', tag: state.vip },
      { kind: 'tip', text: 'Order 3 is unpaid.' },
    );
    const answer = await generate(id);
    expect([answer.status, answer.body]).toEqual([200, { data: { available: true, created: 3 } }]);
    const ulid = expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(await pending(id)).toEqual([
      { id: ulid, kind: 'reply', text: 'Hello Ana' },
      { id: ulid, kind: 'tag', text: 'VIP', color: '#B45309' },
      { id: ulid, kind: 'tip', text: 'Order 3 is unpaid.' },
    ]);
    expect(await count(id)).toBe(3);
  });

  it('replaces what was pending; none at all is a valid outcome', async () => {
    const { id } = await suggested(reply('one'), reply('two'));
    proposes(reply('three'));
    expect((await generate(id)).body.data).toEqual({ available: true, created: 1 });
    expect((await pending(id)).map(({ text }: { text: string }) => text)).toEqual(['three']);
    proposes();
    expect((await generate(id)).body.data).toEqual({ available: true, created: 0 });
    expect(await pending(id)).toEqual([]);
    expect(await count(id)).toBe(0);
    expect((await history(id)).map(({ status }: { status: string }) => status)).toEqual(
      Array.from({ length: 3 }, () => 'EXPIRED'),
    );
  });

  it.each([
    ['there is no provider', () => (assistance.provider = null)],
    ['it takes too long', () => assist({ suggest: hangs })],
    ['its output is bad', () => assist({ suggest: async () => refusal('malformed') })],
    ['it refuses', () => assist({ suggest: async () => refusal('refused') })],
    ['the budget is spent', () => assist({ suggest: async () => refusal('budget') })],
    ['it fails', () => assist({ suggest: () => Promise.reject(new Error('broken')) })],
  ])('is not available when %s; then the existing set is kept', async (_why, happens) => {
    const { id, suggestions } = await suggested(reply('kept'), { kind: 'tag', tag: state.vip });
    happens();
    const answer = await generate(id);
    expect([answer.status, answer.body]).toEqual([200, { data: { available: false, created: 0 } }]);
    expect(await pending(id)).toEqual(suggestions);
  });

  it('keeps five at most, each kind and text once, and no tag that is unknown or attached', async () => {
    const id = await create();
    await state.api.post(`/conversations/${id}/tags`, { tag: state.vip });
    proposes(
      { kind: 'tag', tag: state.vip },
      { kind: 'tag', tag: newId() },
      reply('a'),
      reply('a'),
      { kind: 'tip', text: 'a' },
      ...['b', 'c', 'd', 'e'].map(reply),
    );
    expect((await generate(id)).body.data.created).toBe(5);
    expect((await pending(id)).map(({ kind, text }: { kind: string; text: string }) => [kind, text])).toEqual(
      [
        ['reply', 'a'],
        ['tip', 'a'],
        ['reply', 'b'],
        ['reply', 'c'],
        ['reply', 'd'],
      ],
    );
  });

  it('asks once more when somebody wrote meanwhile, and keeps the old set when the thread does not rest', async () => {
    const { id, suggestions } = await suggested(reply('old'));
    const write = () => insertMessages(server().app, state.company.id, id, [{ text: 'one more thing' }]);
    const suggest = vi
      .fn()
      .mockImplementationOnce(async () => {
        await write();
        return ok([reply('stale')]);
      })
      .mockImplementation(async () => ok([reply('fresh')]));
    assist({ suggest });
    expect((await generate(id)).body.data).toEqual({ available: true, created: 1 });
    expect(suggest).toHaveBeenCalledTimes(2);
    expect((await pending(id))[0].text).toBe('fresh');
    expect(suggestions[0].text).toBe('old');
    assist({
      suggest: async () => {
        await write();
        return ok([reply('stale')]);
      },
    });
    expect((await generate(id)).body.data).toEqual({ available: false, created: 0 });
    expect((await pending(id))[0].text).toBe('fresh');
  });

  it('holds no row of the conversation while the provider thinks', async () => {
    const id = await create();
    let free: unknown;
    assist({
      suggest: async () => {
        free = await rows('SELECT 1 FROM conversations WHERE id = $1 FOR UPDATE NOWAIT', id);
        return ok([]);
      },
    });
    await generate(id);
    expect(free).toHaveLength(1);
  });

  it('happens ten times a minute in one conversation, then is 429 with Retry-After', async () => {
    const id = await create();
    proposes();
    for (let n = 0; n < 10; n++) expect((await generate(id)).status).toBe(200);
    const answer = await generate(id);
    expect([answer.status, answer.body.error.code]).toEqual([429, 'rate_limited']);
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect((await generate(await create())).status).toBe(200);
    server().clock.advance(60_000);
    expect((await generate(id)).status).toBe(200);
  });

  it('is answered from the store for the same Idempotency-Key, without asking again', async () => {
    const id = await create();
    const suggest = vi.fn(async () => ok([reply('once')]));
    assist({ suggest });
    const headers = keyed();
    const first = await state.api.post(at(id, '/generate'), undefined, headers);
    const again = await state.api.post(at(id, '/generate'), undefined, headers);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(suggest).toHaveBeenCalledTimes(1);
    const { request } = {
      request: await state.api.post(at(await create(), '/generate'), undefined, headers),
    };
    expect(request.body.error.code).toBe('idempotency_conflict');
    expect(suggest).toHaveBeenCalledTimes(1);
  });

  it('has nothing to say about a closed conversation, and does not ask', async () => {
    const id = await create({ status: 'closed' });
    const { suggest } = assist({ suggest: vi.fn() });
    expect((await generate(id)).body.data).toEqual({ available: true, created: 0 });
    expect(suggest).not.toHaveBeenCalled();
  });

  it('writes the call down, with a hash in place of the prompt', async () => {
    const { id } = await suggested(reply('x'));
    const [entry] = await rows('SELECT * FROM ai_ledger WHERE conversation_id = $1', id);
    expect(entry).toMatchObject({
      purpose: 'suggestions',
      provider: 'stand-in',
      model: 'tests',
      input_tokens: 100,
      output_tokens: 20,
      cost: '1500',
      outcome: 'ok',
      approved_by_id: null,
    });
    expect(entry.input_hash).toHaveLength(32);
    assist({ suggest: hangs });
    await generate(id);
    const outcomes = await rows(
      'SELECT outcome FROM ai_ledger WHERE conversation_id = $1 ORDER BY created_at, id',
      id,
    );
    expect(outcomes).toEqual([{ outcome: 'ok' }, { outcome: 'timeout' }]);
  });

  it('asks nobody when the money or the tokens of the month are spent', async () => {
    const other = await server().company();
    const client = await other.client();
    const [id] = await insertConversations(server().app, other.id, 1);
    const ctx = await systemContext(server().app, other.id);
    const { suggest } = assist({ suggest: vi.fn(async () => ok([reply('x')])) });
    await execute(updateAiSettings, ctx, { monthly_tokens: 240 });
    expect((await generate(id!, client)).body.data.available).toBe(true);
    expect((await generate(id!, client)).body.data.available).toBe(true);
    expect((await generate(id!, client)).body.data).toEqual({ available: false, created: 0 });
    await execute(updateAiSettings, ctx, { monthly_tokens: null, monthly_budget: 3_000 });
    expect((await generate(id!, client)).body.data).toEqual({ available: false, created: 0 });
    expect(suggest).toHaveBeenCalledTimes(2);
    expect(await rows('SELECT outcome FROM ai_ledger WHERE company_id = $1 ORDER BY id', other.id)).toEqual(
      ['ok', 'ok', 'budget', 'budget'].map((outcome) => ({ outcome })),
    );
    server().clock.advance(32 * 24 * 3_600_000);
    expect((await generate(id!, client)).body.data.available).toBe(true);
  });
});

it('GraphQL and tRPC do the same', async () => {
  const id = await create();
  proposes(reply('hello'), { kind: 'tag', tag: state.vip }, { kind: 'tip', text: 'tip' });
  const made = await state.api.graphql(
    'mutation ($id: ID!) { generateSuggestions(conversation: $id) { available created } }',
    { id },
  );
  expect(made.body.data.generateSuggestions).toEqual({ available: true, created: 3 });
  const { body } = await state.api.graphql(
    'query ($id: ID!) { aiSuggestions(conversation: $id) { id kind text color } }',
    { id },
  );
  const [first, second, third] = await pending(id);
  expect(body.data.aiSuggestions).toEqual([first, second, third].map((one) => ({ color: null, ...one })));
  const decide = `mutation ($id: ID!, $a: ID!, $b: ID!) {
    approveSuggestion(conversation: $id, suggestion: $a) { kind text }
    dismissSuggestion(conversation: $id, suggestion: $b) { kind } }`;
  const decided = await state.api.graphql(decide, { id, a: first.id, b: second.id });
  expect(decided.body.data).toEqual({
    approveSuggestion: { kind: 'reply', text: 'hello' },
    dismissSuggestion: { kind: 'tag' },
  });
  const input = { conversation: id, suggestion: third.id };
  const trpc = await state.api.trpc('mutation', 'ai.approveSuggestion', input);
  expect(trpc.body.result.data.data).toEqual({ kind: 'tip' });
  const again = await state.api.trpc('mutation', 'ai.dismissSuggestion', input);
  expect(again.body.error.data.error.code).toBe('not_found');
  const past = await state.api.graphql(
    'query ($id: ID!) { aiSuggestionHistory(conversation: $id) { label status at } }',
    { id },
  );
  expect(past.body.data.aiSuggestionHistory).toEqual(await history(id));
});

describe('a test key', () => {
  it('sees the fixtures, decides and generates as live would, and changes nothing', async () => {
    const sandbox = await state.company.client({ mode: 'test' });
    const { body } = await sandbox.get('/conversations', { limit: 100 });
    const thread = body.data.find(
      ({ ai }: { ai: { pending_suggestions: number } }) => ai.pending_suggestions > 1,
    );
    const before = (await sandbox.get(at(thread.id))).body.data;
    expect(before).toHaveLength(thread.ai.pending_suggestions);
    for (let n = 0; n < 2; n++) {
      const approved = await sandbox.post(at(thread.id, `/${before[0].id}/approve`));
      expect(approved.body.data.kind).toBe(before[0].kind);
      expect(approved.body.meta.test.events.map(({ type }: { type: string }) => type)).toContain(
        'ai_suggestion.approved',
      );
    }
    proposes(reply('rehearsed'));
    const made = await generate(thread.id, sandbox);
    expect(made.body.data).toEqual({ available: true, created: 1 });
    expect(made.body.meta.test.events).toMatchObject([
      { type: 'ai_suggestion.created', livemode: false, data: { object: { text: 'rehearsed' } } },
    ]);
    expect((await sandbox.get(at(thread.id))).body.data).toEqual(before);
    expect(await rows('SELECT 1 FROM ai_ledger WHERE conversation_id = $1', thread.id)).toEqual([]);
  });
});
