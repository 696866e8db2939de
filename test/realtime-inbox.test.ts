import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from './support/client.ts';
import { insertConversations } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { socketClient, Subscribed } from './support/subscribe.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let client: ReturnType<typeof socketClient>['client'];

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  ({ client } = socketClient(server().url, (await company.key()).key));
});

afterAll(() => client.dispose());

test('the inbox tells who edits a conversation, and knows the views of the agent', async () => {
  const live = new Subscribed<{
    type: string;
    matches: boolean;
    conversation: { id: string } | null;
    presence: { conversation: string; editingBy: string | null } | null;
  }>(
    client,
    'inbox',
    `subscription { inbox(view: mentions) { type matches conversation { id }
      presence { conversation editingBy } } }`,
  );
  await expect.poll(() => server().app.feed.size, { timeout: 10_000 }).toBe(2);
  const [thread = ''] = await insertConversations(server().app, company.id, 1);
  await api.post(`/conversations/${thread}/presence`, { action: 'claim' });
  await live.until((items) => items.some(({ presence }) => typeof presence?.editingBy === 'string'));
  await api.post(`/conversations/${thread}/presence`, { action: 'release' });
  await live.until((items) => items.some(({ presence }) => presence?.editingBy === null));
  await api.post(`/conversations/${thread}/unread`);
  await live.until((items) => items.some((item) => item.conversation));
  await api.post(`/conversations/${thread}/notes`, { body: 'Look', mentions: [company.owner.email] });
  await live.until((items) => items.filter((item) => item.conversation).length === 2);
  expect(live.items.flatMap(({ conversation, matches }) => (conversation ? [matches] : []))).toEqual([
    false,
    true,
  ]);
});
