import { beforeAll, describe, expect, it } from 'vitest';
import { SavedView } from '../schema/views.ts';
import { createAgent } from '../server/account/agents.ts';
import type { Client } from './support/client.ts';
import { ownerPage, ownerPassword, Page } from './support/page.ts';
import { insertConversations } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer({ SIGN_IN_ATTEMPTS: '100000' });
let company: TestCompany;
let api: Client;
let owner: Page;
let agent: Page;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  owner = await ownerPage(server().url, company);
  const email = 'bob@example.com';
  await createAgent(server().app, { company: company.id, email, name: 'Bob', password: ownerPassword });
  agent = new Page(server().url);
  await agent.signIn(email);
});

const created = async (page: Page, input: object) =>
  SavedView.parse((await page.mutate('savedViews.create', input)).body.result.data.data);
const namesFor = async (page: Page, input: object = {}) =>
  (await page.query('savedViews.list', input)).body.result.data.data.map(({ name }: SavedView) => name);

describe('saved views', () => {
  it('are one’s own until they are shared', async () => {
    const mine = await created(owner, {
      resource: 'conversations',
      name: 'Waiting VIPs',
      filters: { status: 'open', unassigned: true, view: 'open' },
    });
    expect(mine).toMatchObject({
      shared: false,
      version: 1,
      editable: true,
      owner: { email: company.owner.email },
    });
    expect(await namesFor(agent)).toEqual([]);
    const shared = await owner.mutate('savedViews.update', { view: mine.id, shared: true, version: 1 });
    expect(shared.body.result.data.data).toMatchObject({ shared: true, version: 2 });
    const [seen] = (await agent.query('savedViews.list')).body.result.data.data;
    expect(seen).toMatchObject({
      id: mine.id,
      editable: false,
      filters: { status: 'open', unassigned: true },
    });
    expect((await agent.mutate('savedViews.update', { view: mine.id, name: 'x' })).status).toBe(403);
    expect((await agent.mutate('savedViews.delete', { view: mine.id })).status).toBe(403);
    const stale = await owner.mutate('savedViews.update', { view: mine.id, name: 'Late', version: 1 });
    expect(stale.status).toBe(409);
    expect((await owner.mutate('savedViews.delete', { view: mine.id })).status).toBe(200);
    expect(await namesFor(owner)).toEqual([]);
  });

  it('come in the order of their positions, per list', async () => {
    const first = await created(agent, { resource: 'contacts', name: 'B', filters: { country: 'PT' } });
    await created(agent, { resource: 'contacts', name: 'A', filters: { blocked: false } });
    await created(agent, { resource: 'orders', name: 'C', filters: { status: 'pending' } });
    expect(await namesFor(agent)).toEqual(['B', 'A', 'C']);
    await agent.mutate('savedViews.update', { view: first.id, position: 9 });
    expect(await namesFor(agent, { resource: 'contacts' })).toEqual(['A', 'B']);
    const graphql = await agent.graphql('{ savedViews(resource: orders) { name filters editable } }');
    expect(graphql.body.data.savedViews).toEqual([
      { name: 'C', filters: { status: 'pending' }, editable: true },
    ]);
  });

  it.each([
    [{ filters: { status: 'nonsense' } }, 'filters.status', 'enum'],
    [{ filters: { country: 'PT' } }, 'filters', 'not_allowed'],
    [{ filters: { cursor: 'x' } }, 'filters', 'not_allowed'],
    [{ filters: { rating: 6 } }, 'filters.rating', 'max'],
    [{ name: '' }, 'name', 'required'],
    [{ name: 'x'.repeat(101) }, 'name', 'max'],
    [{ resource: 'keys' }, 'resource', 'enum'],
    [{ position: -1 }, 'position', 'min'],
  ])('refuse what is wrong: %#', async (input, param, code) => {
    const before = await namesFor(owner);
    const answer = await owner.mutate('savedViews.create', {
      resource: 'conversations',
      name: 'x',
      filters: {},
      ...input,
    });
    expect(answer.status).toBe(422);
    expect(answer.body.error.data.error.details[0]).toMatchObject({ param, code });
    expect(await namesFor(owner)).toEqual(before);
  });

  it('are shared by admins and the Owner, and seen by who may read the list', async () => {
    const input = { resource: 'conversations', name: 'x', filters: {}, shared: true };
    expect((await agent.mutate('savedViews.create', input)).status).toBe(403);
    await created(owner, { ...input, name: 'All' });
    expect(await namesFor(agent, { resource: 'conversations' })).toEqual(['All']);
    const stranger = await ownerPage(server().url, await server().company());
    expect(await namesFor(stranger)).toEqual([]);
    expect((await api.trpc('query', 'savedViews.list', {})).status).toBe(403);
  });
});

describe('standard views', () => {
  it('are counted and listed by the same conditions', async () => {
    const own = await server().company();
    const key = await own.client();
    const page = await ownerPage(server().url, own);
    const ids = await insertConversations(server().app, own.id, 8);
    const act = (index: number, path: string, body?: object) =>
      key.post(`/conversations/${ids[index]}/${path}`, body);
    await act(0, 'assign', { assignee: 'me' });
    await act(1, 'follow');
    await act(2, 'mute');
    await act(3, 'archive');
    await act(4, 'close');
    await act(5, 'notes', { body: 'Look', mentions: [own.owner.email] });
    const counts = (await page.query('views.counts')).body.result.data.data;
    expect(counts).toEqual({
      mine: 1,
      unassigned: 5,
      open: 6,
      mentions: 1,
      followed: 2,
      muted: 1,
      archived: 1,
      closed: 1,
    });
    for (const [view, count] of Object.entries(counts)) {
      const { data, meta } = (await page.query('views.conversations', { view, limit: 100 })).body.result.data;
      expect(data, view).toHaveLength(Number(count));
      expect(meta).toMatchObject({ has_more: false, total_unread: expect.any(Number) });
    }
    const graphql = await page.graphql('{ viewCounts { mine closed } }');
    expect(graphql.body.data.viewCounts).toEqual({ mine: 1, closed: 1 });
  });

  it('come in each order, page by page, and a cursor of one order is none of another', async () => {
    const own = await server().company();
    const page = await ownerPage(server().url, own);
    const at = (minutes: number) => new Date(Date.UTC(2026, 0, 5, 12, minutes));
    const waits = [null, 30, 10, null, 20];
    const ids = await insertConversations(server().app, own.id, waits.length, (n) => ({
      last_message_at: at(n),
      waiting_since: waits[n] == null ? null : at(waits[n]),
    }));
    const inOrder = async (sort: string) => {
      const found: number[] = [];
      let cursor: string | undefined;
      do {
        const { data, meta } = (await page.query('views.conversations', { sort, limit: 2, cursor })).body
          .result.data;
        found.push(...data.map(({ id }: { id: string }) => ids.indexOf(id)));
        cursor = meta.next_cursor ?? undefined;
      } while (cursor !== undefined);
      return found;
    };
    expect(await inOrder('activity')).toEqual([4, 3, 2, 1, 0]);
    expect(await inOrder('oldest')).toEqual([0, 1, 2, 3, 4]);
    expect(await inOrder('waiting')).toEqual([2, 4, 1, 0, 3]);
    const { meta } = (await page.query('views.conversations', { sort: 'waiting', limit: 2 })).body.result
      .data;
    const other = { sort: 'oldest', limit: 2, cursor: meta.next_cursor };
    expect((await page.query('views.conversations', other)).status).toBe(422);
    expect((await page.query('views.conversations', { sort: 'random' })).status).toBe(422);
  });

  it('are paged, and a cursor of one is none of another', async () => {
    const first = (await owner.query('views.conversations', { view: 'open', limit: 1 })).body.result.data;
    if (first.meta.next_cursor === null) await insertConversations(server().app, company.id, 3);
    const page = (await owner.query('views.conversations', { view: 'open', limit: 1 })).body.result.data;
    const { next_cursor: cursor } = page.meta;
    const second = (await owner.query('views.conversations', { view: 'open', limit: 1, cursor })).body.result;
    expect(second.data.data[0].id).not.toBe(page.data[0].id);
    expect((await owner.query('views.conversations', { view: 'closed', limit: 1, cursor })).status).toBe(422);
  });
});
