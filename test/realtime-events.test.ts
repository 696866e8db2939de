import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { Event } from '../schema/events.ts';
import { acrossTenants } from '../server/platform/tenancy.ts';
import { purgeEvents } from '../server/realtime/retention.ts';
import type { Client } from './support/client.ts';
import { connect } from './support/connect.ts';
import { graphqlData, graphqlFailure } from './support/graphql.ts';
import { insertEvents } from './support/events.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

const page = async (client: Client, query: Record<string, number> = {}) => {
  const { status, body } = await client.get('/events', query);
  expect(status).toBe(200);
  return body as {
    data: { id: string; type: string; sequence: number }[];
    meta: { has_more: boolean; next_after: number };
  };
};

/** Other databases of the cluster may hold the horizon back for a moment. */
const settled = async (client: Client, count: number, query: Record<string, number> = {}) => {
  await expect.poll(async () => (await page(client, query)).data.length, { timeout: 10_000 }).toBe(count);
  return page(client, query);
};

describe('GET /events', () => {
  test('tells what happened, oldest first, as webhooks do', async () => {
    const own = await (await server().company()).client();
    const contact = (await own.post('/contacts', { name: 'Ana' })).body.data;
    await own.patch(`/contacts/${contact.id}`, { name: 'Ana Sousa' });
    const { data, meta } = await settled(own, 2);
    expect(data.map(({ type }) => type)).toEqual(['contact.created', 'contact.updated']);
    expect(Event.parse(data[1]).data).toMatchObject({
      object: { id: contact.id, name: 'Ana Sousa' },
      previous: { name: 'Ana' },
    });
    expect(meta.has_more).toBe(false);
    expect(meta.next_after).toBeGreaterThanOrEqual(data[1]!.sequence);
  });

  test('is walked by next_after: each event once, none left out, also while more come', async () => {
    const own = await server().company();
    const client = await own.client();
    const ids = await insertEvents(server().app, own.id, 60);
    await settled(client, 60, { limit: 100 });
    const walked: string[] = [];
    let after = 0;
    for (;;) {
      const { data, meta } = await page(client, { after, limit: 7 });
      walked.push(...data.map(({ id }) => id));
      after = meta.next_after;
      if (walked.length === 35) ids.push(...(await insertEvents(server().app, own.id, 5)));
      if (!meta.has_more && walked.length >= 65) break;
      if (!meta.has_more) await wait(20);
    }
    expect(walked).toEqual(ids);
    expect((await page(client, { after })).data).toEqual([]);
  });

  test('a late committer is not skipped: its events come in their place', async () => {
    const own = await server().company();
    const client = await own.client();
    const early = await connect(server().databaseUrl);
    await early.query('BEGIN');
    const [first] = await insertEvents(early, own.id, 1);
    const [second] = await insertEvents(server().app, own.id, 1);
    const before = await page(client);
    expect(before.data).toEqual([]);
    await early.query('COMMIT');
    await early.end();
    const { data } = await settled(client, 2, { after: before.meta.next_after });
    expect(data.map(({ id }) => id)).toEqual([first, second]);
  });

  test('shows each key the families it may read; one that may read none is 403', async () => {
    const own = await server().company();
    for (const type of ['contact.created', 'order.paid', 'booking.created', 'campaign.started'])
      await insertEvents(server().app, own.id, 1, { type });
    await settled(await own.client(), 4);
    const seen = async (scope: 'inbox.access' | 'commerce.view' | 'calendar.view' | 'campaigns.view') =>
      (await page(await own.client({ scopes: [scope] }))).data.map(({ type }) => type);
    expect(await seen('inbox.access')).toEqual(['contact.created']);
    expect(await seen('commerce.view')).toEqual(['order.paid']);
    expect(await seen('calendar.view')).toEqual(['booking.created']);
    expect(await seen('campaigns.view')).toEqual(['campaign.started']);
    const none = await own.client({ scopes: ['contacts.view', 'tags.manage'] });
    const refused = await none.get('/events');
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
    const other = await (await server().company()).client();
    expect((await page(other)).data).toEqual([]);
  });

  test('a quiet key moves on all the same', async () => {
    const own = await server().company();
    const client = await own.client({ scopes: ['calendar.view'] });
    await insertEvents(server().app, own.id, 1);
    await settled(await own.client(), 1);
    const { data, meta } = await page(client);
    expect([data, meta.has_more]).toEqual([[], false]);
    expect(meta.next_after).toBeGreaterThan(0);
  });

  test('refuses what is no sequence and pages out of range', async () => {
    for (const query of [{ after: '-1' }, { after: 'x' }, { limit: '0' }, { limit: '101' }]) {
      const { status, body } = await api.get('/events', query as never);
      expect([status, body.error.code, body.error.param]).toEqual([
        422,
        'validation_failed',
        Object.keys(query)[0],
      ]);
    }
  });

  test('is the same over tRPC and GraphQL', async () => {
    const own = await server().company();
    const client = await own.client();
    await insertEvents(server().app, own.id, 3);
    const rest = await settled(client, 3);
    const trpc = await client.trpc('query', 'realtime.events', { limit: 2 });
    expect(trpc.body.result.data.data).toEqual(rest.data.slice(0, 2));
    const query = `query($after: SafeInt) { events(after: $after, first: 2) {
      items { id type sequence object actor { type } } nextAfter hasMore } }`;
    const { events } = await graphqlData(client, query, { after: rest.data[0]!.sequence });
    expect(events.items.map(({ id }: { id: string }) => id)).toEqual(rest.data.slice(1).map(({ id }) => id));
    expect(events.hasMore).toBe(false);
    const denied = await own.client({ scopes: ['contacts.view'] });
    expect(await graphqlFailure(denied, query)).toMatchObject({ code: 'forbidden' });
  });

  test('with a test key the log is empty and writes add nothing', async () => {
    const sandbox = await company.client({ mode: 'test' });
    await sandbox.post('/contacts', { name: 'nobody' });
    expect((await page(sandbox)).data).toEqual([]);
  });
});

describe('retention', () => {
  test('events over 30 days go, the newest of all stays, and an older after is 422', async () => {
    const { app, clock } = server();
    const own = await server().company();
    const client = await own.client();
    const old = new Date(clock.now().getTime() - 31 * 86_400_000);
    await insertEvents(app, own.id, 1_005, { at: old });
    const [kept] = await insertEvents(app, own.id, 1);
    await expect.poll(async () => (await page(client)).meta.has_more).toBe(true);
    const [oldest] = (await page(client, { limit: 1 })).data;
    expect(await acrossTenants(() => purgeEvents(app.prisma, clock.now()))).toBe(1_005);
    const { status, body } = await client.get('/events', { after: oldest!.sequence });
    expect([status, body.error.param]).toEqual([422, 'after']);
    expect((await settled(client, 1)).data.map(({ id }) => id)).toEqual([kept]);
    const later = new Date(clock.now().getTime() + 60 * 86_400_000);
    await acrossTenants(() => purgeEvents(app.prisma, later));
    const { rows } = await app.pool.query('SELECT id FROM events');
    expect(rows).toEqual([{ id: kept }]);
  });
});
