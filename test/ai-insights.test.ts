import { beforeAll, describe, expect, it } from 'vitest';
import { noteOp } from '../server/ai/ops.ts';
import { computeInsights } from '../server/ai/insights.ts';
import { AiInsightsBody } from '../schema/ai-insights.ts';
import { simulateInbound } from '../server/messages/simulate.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { inTenant } from '../server/platform/tenancy.ts';
import { inUnitOfWork } from '../server/platform/unit-of-work.ts';
import type { Client } from './support/client.ts';
import { insertConversations, insertMessages } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { settled } from './support/settled.ts';
import { addSimulator } from './support/simulator.ts';
import { socketClient, Subscribed } from './support/subscribe.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let phones = 0;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  await addSimulator(server().app, company.id);
});

const newPhone = () => `+3519140${String(++phones).padStart(5, '0')}`;

async function write(from: string, text: string): Promise<string> {
  const arrival = await simulateInbound(server().app, company.id, { from, text });
  return arrival!.conversation;
}

async function insightsOf(conversation: string, client = api) {
  const { status, body } = await client.get(`/conversations/${conversation}/ai-insights`);
  expect(status).toBe(200);
  return AiInsightsBody.parse(body).data;
}

const timeline = `subscription ($c: ID!) { timeline(conversation: $c) { type entry { id } object } }`;
const soon = { timeout: 30_000, interval: 100 };

describe('insights', () => {
  it('are there soon after the customer wrote, and say what was written', async () => {
    const id = await write(newPhone(), 'Hi! How much is the oak lamp? I love it, it looks wonderful');
    await expect.poll(async () => (await insightsOf(id)).current_intent?.key, soon).toBe('price');
    const message = (await api.get(`/conversations/${id}/timeline`)).body.data[0];
    expect(await insightsOf(id)).toEqual({
      sentiment: 'positive',
      purchase_likelihood: 'medium',
      current_intent: { key: 'price', label: 'Price', at: message.at },
      ai_ops: [{ text: 'Recognised a question about a price', at: expect.any(String) }],
    });
  });

  it('follow the conversation', async () => {
    const phone = newPhone();
    const id = await write(phone, '¿Cuánto cuesta la lámpara?');
    await expect.poll(async () => (await insightsOf(id)).current_intent?.key, soon).toBe('price');
    await write(phone, 'Perfecto, me la llevo, me encanta');
    await expect.poll(async () => (await insightsOf(id)).purchase_likelihood, soon).toBe('high');
    await write(phone, 'Llegó rota, quiero devolverla');
    await expect.poll(async () => (await insightsOf(id)).current_intent?.key, soon).toBe('return');
    const { ai_ops: ops } = await insightsOf(id);
    expect(ops.map(({ text }) => text).at(0)).toBe('Recognised a wish to return something');
    expect(ops.map(({ at }) => at)).toEqual(
      ops
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    );
  });

  it('say that nothing is known before, and in a language that is not covered', async () => {
    const [id] = await insertConversations(server().app, company.id, 1);
    const nothing = { sentiment: null, purchase_likelihood: 'unknown', current_intent: null, ai_ops: [] };
    expect(await insightsOf(id!)).toEqual(nothing);
    const german = await write(
      newPhone(),
      'Guten Tag, ich hätte gern gewusst, ob Sie am Sonntag geöffnet haben.',
    );
    await expect.poll(() => basedOn(german), soon).not.toBeNull();
    expect(await insightsOf(german)).toMatchObject(nothing);
  });

  it('are the same over REST, tRPC and GraphQL, and another company’s are not found', async () => {
    const id = await write(newPhone(), 'Where is my order?');
    await expect.poll(async () => (await insightsOf(id)).current_intent?.key, soon).toBe('order_status');
    const rest = await insightsOf(id);
    expect((await api.trpc('query', 'ai.insights', { conversation: id })).body.result.data.data).toEqual(
      rest,
    );
    const query = `query ($id: ID!) { aiInsights(conversation: $id) {
      sentiment purchaseLikelihood currentIntent { key label at } aiOps { text at } } }`;
    expect((await api.graphql(query, { id })).body.data.aiInsights).toEqual({
      sentiment: rest.sentiment,
      purchaseLikelihood: rest.purchase_likelihood,
      currentIntent: rest.current_intent,
      aiOps: rest.ai_ops,
    });
    const stranger = await (await server().company()).client();
    expect((await stranger.get(`/conversations/${id}/ai-insights`)).status).toBe(404);
  });

  it('tell those who look at the conversation', async () => {
    const phone = newPhone();
    const id = await write(phone, 'hello');
    await expect.poll(() => basedOn(id), soon).not.toBeNull();
    await settled(server().app);
    const { client } = socketClient(server().url, String(api.key));
    const live = new Subscribed<{ type: string }>(client, 'timeline', timeline, { c: id });
    await expect.poll(() => server().app.feed.size).toBe(1);
    await write(phone, 'Can I return it?');
    await live.until((items) => items.some(({ type }) => type === 'insights.updated'));
    expect(live.items.find(({ type }) => type === 'insights.updated')).toMatchObject({
      entry: null,
      object: { conversation: id },
    });
    await client.dispose();
    expect((await insightsOf(id)).current_intent?.key).toBe('return');
  });

  it('of the sandbox are its fixtures', async () => {
    const sandbox = await company.client({ mode: 'test' });
    const { data } = (await sandbox.get('/conversations')).body;
    const all = await Promise.all(data.map(({ id }: { id: string }) => insightsOf(id, sandbox)));
    expect(all.filter(({ current_intent: intent }) => intent !== null)).toHaveLength(3);
  });
});

describe('nothing is thought about', () => {
  it('what a blocked contact writes', async () => {
    const phone = newPhone();
    const id = await write(phone, 'How much is it?');
    await expect.poll(async () => (await insightsOf(id)).current_intent?.key, soon).toBe('price');
    const { contact } = (await api.get(`/conversations/${id}`)).body.data;
    await api.patch(`/contacts/${contact.id}`, { blocked: true });
    await write(phone, 'I want to return it');
    await computeInsights(server().app, { companyId: company.id, conversationId: id });
    expect((await insightsOf(id)).current_intent?.key).toBe('price');
    const { rows } = await server().app.pool.query(
      "SELECT FROM jobs.job WHERE name = 'ai.insights' AND data->>'conversationId' = $1",
      [id],
    );
    expect(rows.length).toBeLessThanOrEqual(1);
  });

  it('in a company without assistance, and where it is unknown', async () => {
    const other = await server().company();
    const [id] = await insertConversations(server().app, other.id, 1);
    await insertMessages(server().app, other.id, id!, [{ text: 'How much is it?' }]);
    const set = (data: object) =>
      inTenant(other.id, () => server().app.prisma.company.update({ where: { id: other.id }, data }));
    const compute = () => computeInsights(server().app, { companyId: other.id, conversationId: id! });
    await set({ aiEnabled: false });
    await compute();
    await set({ aiEnabled: true, aiProvider: 'none' });
    await compute();
    expect(await basedOn(id!)).toBeNull();
    await set({ aiProvider: 'built_in' });
    await compute();
    expect(await basedOn(id!)).not.toBeNull();
    await computeInsights(server().app, { companyId: other.id, conversationId: company.id });
    await computeInsights(server().app, { companyId: id!, conversationId: id! });
  });

  it('twice: the same message is not computed again, and an older state does not replace a newer one', async () => {
    const [id] = await insertConversations(server().app, company.id, 1);
    const place = { companyId: company.id, conversationId: id! };
    await insertMessages(server().app, company.id, id!, [{ text: 'How much is it?' }]);
    await Promise.all(Array.from({ length: 8 }, () => computeInsights(server().app, place)));
    const first = await basedOn(id!);
    const later = new Date(Date.now() + 60_000);
    const [newer] = await insertMessages(server().app, company.id, id!, [
      { text: 'It is broken', at: later },
    ]);
    await computeInsights(server().app, place);
    expect(await basedOn(id!)).toBe(newer);
    expect(first).not.toBe(newer);
    expect((await insightsOf(id!)).current_intent?.key).toBe('complaint');
    const state = async () =>
      (await server().app.pool.query('SELECT * FROM ai_insights WHERE conversation_id = $1', [id])).rows;
    const before = await state();
    await computeInsights(server().app, place);
    expect(await state()).toEqual(before);
    // The built-in engine thinks for nothing: there is nothing to account for.
    const { rows } = await server().app.pool.query('SELECT FROM ai_ledger WHERE conversation_id = $1', [id]);
    expect(rows).toEqual([]);
  });
});

describe('ai_ops', () => {
  it('are the newest 20, newest first', async () => {
    const [id] = await insertConversations(server().app, company.id, 1);
    const ctx = await systemContext(server().app, company.id);
    for (let n = 1; n <= 25; n++)
      await inTenant(company.id, () => inUnitOfWork(ctx, (work) => noteOp(work, id!, `op ${n}`)));
    const { ai_ops: ops } = await insightsOf(id!);
    expect(ops.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, n) => `op ${25 - n}`));
  });
});

async function basedOn(conversation: string): Promise<string | null> {
  const { rows } = await server().app.pool.query<{ based_on: string | null }>(
    'SELECT based_on FROM ai_insights WHERE conversation_id = $1',
    [conversation],
  );
  return rows[0]?.based_on ?? null;
}
