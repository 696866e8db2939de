import { beforeAll, describe, expect, it, vi } from 'vitest';
import { listAiCalls } from '../server/ai/calls.ts';
import { generateSuggestions } from '../server/ai/generate.ts';
import { presentCall } from '../server/ai/present.ts';
import type { Context } from '../server/platform/context.ts';
import { execute } from '../server/platform/operation.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { AiStandIn, type Behaviour } from './support/ai-stand-in.ts';
import type { Client } from './support/client.ts';
import { insertConversations, insertMessages } from './support/rows.ts';
import { startServer, type TestCompany, type TestServer } from './support/server.ts';

vi.mock(import('../server/ai/limits.ts'), async (original) => ({
  ...(await original()),
  callLimitMs: 3_000,
}));

const service = new AiStandIn();
let server: TestServer;
let company: TestCompany;
let api: Client;
let ctx: Context;

beforeAll(async () => {
  const url = await service.start();
  server = await startServer({ AI_BASE_URL: url, AI_API_KEY: 'a key', AI_MODEL: 'model-1' });
  company = await server.company();
  api = await company.client();
  ctx = await systemContext(server.app, company.id);
  return async () => {
    await server.close();
    await service.stop();
  };
});

const thread = async (text = 'Do you ship to Madeira?'): Promise<string> => {
  const [id] = await insertConversations(server.app, company.id, 1);
  await insertMessages(server.app, company.id, id!, [{ text }]);
  return id!;
};
const generate = async (id: string) =>
  (await api.post(`/conversations/${id}/ai-suggestions/generate`)).body.data;
const pending = async (id: string) => (await api.get(`/conversations/${id}/ai-suggestions`)).body.data;
const suggestions = (...replies: string[]) => ({ replies, tags: [], tips: [] });

describe('a service outside', () => {
  it('is asked for suggestions, and told no phone number', async () => {
    const id = await thread('Call me on +351 912 345 678, please');
    service.will({ does: 'answer', value: suggestions('We will call you.'), tokens: [500, 50] });
    expect(await generate(id)).toEqual({ available: true, created: 1 });
    expect(await pending(id)).toMatchObject([{ kind: 'reply', text: 'We will call you.' }]);
    expect(service.received[0]?.text).not.toContain('912');
    const [call] = (await execute(listAiCalls, ctx, { conversation: id })).rows.map(presentCall);
    expect(call).toMatchObject({
      purpose: 'suggestions',
      provider: 'openai',
      model: 'model-1',
      input_tokens: 500,
      output_tokens: 50,
      outcome: 'ok',
      rating: null,
      approved_by: null,
    });
  });

  it.each<[string, Behaviour]>([
    ['malformed', { does: 'malformed', content: 'Sure! Here are some ideas.' }],
    ['malformed', { does: 'garbage' }],
    ['refused', { does: 'refuse' }],
    ['error', { does: 'status', status: 429, retryAfter: 60 }],
    ['error', { does: 'status', status: 500 }],
    ['error', { does: 'half-stream' }],
    ['timeout', { does: 'hang' }],
  ])('that fails leaves the existing set: %s, %j', async (outcome, behaviour) => {
    const id = await thread();
    service.will({ does: 'answer', value: suggestions('kept') });
    await generate(id);
    const before = await pending(id);
    service.will(behaviour);
    expect(await generate(id)).toEqual({ available: false, created: 0 });
    expect(await pending(id)).toEqual(before);
    const calls = (await execute(listAiCalls, ctx, { conversation: id })).rows;
    // A service that is tried again until the time is up is late, whatever it said meanwhile.
    expect([outcome, 'timeout']).toContain(calls[0]?.outcome);
    expect(calls[1]?.outcome).toBe('ok');
  });

  it('is never reached with a test key', async () => {
    service.will({ does: 'answer', value: suggestions('from outside') });
    const sandbox = await company.client({ mode: 'test' });
    const [{ id }] = (await sandbox.get('/conversations')).body.data;
    const made = await sandbox.post(`/conversations/${id}/ai-suggestions/generate`);
    expect(made.body.data.available).toBe(true);
    expect(service.received).toEqual([]);
  });
});

describe('the ledger', () => {
  it('is paged, newest first, and narrowed by conversation, purpose and outcome', async () => {
    const id = await thread();
    service.will({ does: 'answer', value: suggestions() });
    for (let n = 0; n < 3; n++) await execute(generateSuggestions, ctx, { conversation: id });
    const all = await execute(listAiCalls, ctx, { conversation: id });
    expect(all.rows).toHaveLength(3);
    const first = await execute(listAiCalls, ctx, { conversation: id, limit: 2 });
    const second = await execute(listAiCalls, ctx, { conversation: id, limit: 2, cursor: first.nextCursor! });
    expect([...first.rows, ...second.rows].map((row) => row.id)).toEqual(all.rows.map((row) => row.id));
    expect([first.hasMore, second.hasMore]).toEqual([true, false]);
    const narrowed = async (filter: object) =>
      (await execute(listAiCalls, ctx, { conversation: id, ...filter })).rows;
    expect(await narrowed({ purpose: 'reply' })).toEqual([]);
    expect(await narrowed({ outcome: 'ok', purpose: 'suggestions' })).toHaveLength(3);
  });

  it('is for admins in the dashboard', async () => {
    expect((await api.trpc('query', 'ai.calls', {})).status).toBe(403);
    const { body } = await api.graphql('{ aiCalls(first: 5) { items { id } } }');
    expect(body.errors[0].extensions.code).toBe('forbidden');
  });
});
