import { beforeAll, expect, test } from 'vitest';
import type { Client } from './support/client.ts';
import { heard, listen, pusherClient, subscribed } from './support/pusher.ts';
import { insertConversations } from './support/rows.ts';
import { settled } from './support/settled.ts';
import { socketClient, Subscribed } from './support/subscribe.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { simulateInbound } from '../server/messages/simulate.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

interface Item {
  type: string;
  sequence: number | null;
  entry: { id: string; kind: string; text: string | null; status: string | null } | null;
}

const query = `subscription($c: ID!) { timeline(conversation: $c) {
  type sequence entry { id kind text status } } }`;

test('a thread with real messages: received, held, released, sent and delivered', async () => {
  const from = '+351912345678';
  const write = (text: string) => simulateInbound(server().app, company.id, { from, text });
  const conversation = (await write('Is it still there?'))!.conversation;
  await settled(server().app);
  const { client } = socketClient(server().url, String(api.key));
  const live = new Subscribed<Item>(client, 'timeline', query, { c: conversation });
  await expect.poll(() => server().app.feed.size).toBe(1);
  await write('Hello?');
  await live.until((items) => items.some(({ type }) => type === 'message.received'));
  const received = live.items.find(({ type }) => type === 'message.received');
  expect(received).toMatchObject({ type: 'message.received', entry: { kind: 'message', text: 'Hello?' } });
  const { id } = (await api.post('/messages', { conversation, text: 'It is.', hold_seconds: 200 })).body.data;
  await live.until((items) => items.some(({ type }) => type === 'message.held'));
  expect(live.items.find(({ type }) => type === 'message.held')).toMatchObject({
    sequence: null,
    entry: { id, text: 'It is.', status: 'held' },
  });
  await api.post(`/conversations/${conversation}/flush-held`);
  await live.until((items) => items.some(({ type }) => type === 'message.sent'), 15_000);
  expect(live.items.find(({ type }) => type === 'message.updated')?.entry?.id).toBe(id);
  expect(live.items.find(({ type }) => type === 'message.sent')?.entry?.id).toBe(id);
  await client.dispose();
});

test("an agent's own channel: what they pin and follow, and where they are mentioned", async () => {
  const settings = (await api.get('/broadcasting')).body.data;
  const client = pusherClient(server().url, settings.key, String(api.key));
  await settled(server().app);
  const told = listen(await subscribed(client.subscribe(`private-user.${company.owner.id}`)));
  const [thread = ''] = await insertConversations(server().app, company.id, 1);
  await api.post(`/conversations/${thread}/pin`);
  await api.post(`/conversations/${thread}/follow`);
  await heard(told, 'conversation.followed');
  expect(told.map(([event]) => event)).toEqual(['conversation.pinned', 'conversation.followed']);
  expect(told[0]?.[1]).toMatchObject({ type: 'conversation.pinned', data: { object: { id: thread } } });
  client.disconnect();
});
