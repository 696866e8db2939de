import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Notification } from '../schema/notifications.ts';
import { createAgent } from '../server/account/agents.ts';
import { simulateInbound } from '../server/messages/simulate.ts';
import type { Client } from './support/client.ts';
import { ownerPage, ownerPassword, Page } from './support/page.ts';
import { settled } from './support/settled.ts';
import { socketClient, Subscribed } from './support/subscribe.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer({ SIGN_IN_ATTEMPTS: '100000' });
const email = 'bob@example.com';
let company: TestCompany;
let owner: Page;
let bob: Page;
let api: Client;
let phones = 0;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  await createAgent(server().app, { company: company.id, email, name: 'Bob', password: ownerPassword });
  owner = await ownerPage(server().url, company);
  bob = new Page(server().url);
  await bob.signIn(email);
});

const write = (from: string, text: string) => simulateInbound(server().app, company.id, { from, text });
const thread = async () => {
  const from = `+3519123410${String(++phones).padStart(2, '0')}`;
  return { from, conversation: (await write(from, 'Hello'))!.conversation };
};
const listed = async (page: Page, input: object = {}) => {
  const { data, meta } = (await page.query('notifications.list', input)).body.result.data;
  return { data: data.map((one: unknown) => Notification.parse(one)) as Notification[], meta };
};

beforeEach(async () => {
  for (const page of [owner, bob]) await page.mutate('notifications.markAllRead');
});

describe('an agent is told', () => {
  it('of a mention, with the beginning of the note and who wrote it', async () => {
    const { conversation } = await thread();
    const body = `Look at this ${'x'.repeat(300)}`;
    await owner.mutate('conversations.addNote', { conversation, body, mentions: [email] });
    const { data, meta } = await listed(bob, { unread: true });
    expect(meta).toMatchObject({ unread: 1, has_more: false });
    expect(data).toEqual([
      expect.objectContaining({
        kind: 'mention',
        conversation: { id: conversation, contact: expect.stringMatching(/^\+351/), channel: 'simulator' },
        by: { name: expect.any(String), email: company.owner.email },
        read: false,
        details: null,
      }),
    ]);
    expect(data[0]?.snippet).toHaveLength(160);
    expect((await listed(owner, { unread: true })).data).toEqual([]);
  });

  it('of an assignment and a transfer by somebody else, never of their own', async () => {
    const { conversation } = await thread();
    await owner.mutate('conversations.assign', { conversation, assignee: email });
    await bob.mutate('conversations.assign', { conversation: (await thread()).conversation, assignee: 'me' });
    const other = await thread();
    await owner.mutate('conversations.transfer', { conversation: other.conversation, assignee: email });
    const { data } = await listed(bob, { unread: true });
    expect(data.map(({ kind }) => kind)).toEqual(['transferred', 'assigned']);
  });

  it('of a customer’s answer in a followed conversation, once until it is read', async () => {
    const { from, conversation } = await thread();
    await bob.mutate('conversations.follow', { conversation });
    await write(from, 'Anybody there?');
    await write(from, 'Please');
    const first = await listed(bob, { unread: true });
    expect(first.data.map(({ kind, snippet }) => [kind, snippet])).toEqual([['reply', 'Anybody there?']]);
    const read = await bob.mutate('notifications.markRead', { notification: first.data[0]?.id });
    expect(read.body.result.data.data).toMatchObject({ read: true, read_at: expect.any(String) });
    await write(from, 'Hello again');
    expect((await listed(bob, { unread: true })).data.map(({ snippet }) => snippet)).toEqual(['Hello again']);
    await bob.mutate('notifications.markAllRead');
    await bob.mutate('conversations.mute', { conversation });
    await write(from, 'And now?');
    expect((await listed(bob, { unread: true })).data).toEqual([]);
  });
});

describe('notifications', () => {
  it('are paged, and read one by one, by conversation or all at once', async () => {
    const threads = [await thread(), await thread(), await thread()];
    for (const { conversation } of threads)
      await owner.mutate('conversations.assign', { conversation, assignee: email });
    const first = await listed(bob, { unread: true, limit: 2 });
    expect(first.data).toHaveLength(2);
    const next = await listed(bob, { unread: true, limit: 2, cursor: first.meta.next_cursor });
    expect(next.data.map(({ conversation }) => conversation?.id)).toEqual([threads[0]?.conversation]);
    const { conversation } = threads[1]!;
    const one = await bob.mutate('notifications.markAllRead', { conversation });
    expect(one.body.result.data.data).toEqual({ unread: 2 });
    expect((await bob.query('notifications.unreadCount')).body.result.data.data).toEqual({ unread: 2 });
    const graphql = await bob.graphql('mutation { markNotificationsRead(input: {}) { unread } }');
    expect(graphql.body.data.markNotificationsRead).toEqual({ unread: 0 });
    const list = await bob.graphql('{ notifications(first: 1) { items { kind byName readAt } hasMore } }');
    expect(list.body.data.notifications).toMatchObject({ items: [{ kind: 'assigned' }], hasMore: true });
  });

  it('are nobody else’s, and no key’s', async () => {
    const { conversation } = await thread();
    await owner.mutate('conversations.assign', { conversation, assignee: email });
    const [told] = (await listed(bob, { unread: true })).data;
    expect((await owner.mutate('notifications.markRead', { notification: told?.id })).status).toBe(404);
    expect((await bob.mutate('notifications.markRead', { notification: 'nonsense' })).status).toBe(404);
    expect((await api.trpc('query', 'notifications.list', {})).status).toBe(403);
    expect((await listed(bob, { unread: true })).data).toHaveLength(1);
  });

  it('are told live to that agent alone', async () => {
    const { conversation } = await thread();
    await settled(server().app);
    const query = 'subscription { personal { type conversation object unreadNotifications } }';
    const keys = await Promise.all([bob, owner].map((page) => page.graphqlKey()));
    const sockets = keys.map((key) => socketClient(server().url, key).client);
    const [his, hers] = sockets.map((client) => new Subscribed(client, 'personal', query));
    await expect.poll(() => server().app.feed.size).toBe(2);
    await owner.mutate('conversations.assign', { conversation, assignee: email });
    await his!.until((items) => items.length > 0);
    expect(his!.items[0]).toMatchObject({
      type: 'notification.created',
      conversation,
      unreadNotifications: 1,
      object: { kind: 'assigned' },
    });
    await bob.mutate('notifications.markAllRead');
    await his!.until((items) => items.length > 1);
    expect(his!.items[1]).toMatchObject({ type: 'notification.read', unreadNotifications: 0 });
    expect(hers!.items).toEqual([]);
    for (const client of sockets) await client.dispose();
  });
});
