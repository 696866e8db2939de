import { beforeAll, describe, expect, it } from 'vitest';
import type { Figure } from '../schema/reports.ts';
import { createAgent } from '../server/account/agents.ts';
import { newId } from '../server/platform/ids.ts';
import type { Client } from './support/client.ts';
import { ownerPage, ownerPassword, type Page } from './support/page.ts';
import { insertConversations } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';

/**
 * A history by hand, in New York, around the change to summer time on 8 March 2026. Times are UTC; local midnight is
 * 05:00 until 8 March and 04:00 afterwards.
 */
const server = useServer({ SIGN_IN_ATTEMPTS: '100000' });
const bobEmail = 'bob@example.com';
let company: TestCompany;
let page: Page;
let api: Client;
let bob: string;
let threads: string[];
let tag: string;

const sql = (text: string, values: unknown[] = []) => server().app.pool.query(text, values as never);

interface Said {
  thread: number;
  at: string;
  direction?: 'inbound' | 'outbound';
  author?: string;
  email?: string | null;
  status?: string;
}

const say = ({
  thread,
  at,
  direction = 'inbound',
  author = 'contact',
  email = null,
  status = 'received',
}: Said) =>
  sql(
    `INSERT INTO messages (company_id, id, conversation_id, contact_id, channel_id, direction, type, text, status,
       author_type, author_email, at, held_until, held_origin)
     SELECT company_id, $3, id, contact_id, channel_id, $4, 'text', 'x', $5, $6, $7, $8,
       CASE WHEN $5 = 'held' THEN now() END, CASE WHEN $5 = 'held' THEN 'request' END FROM conversations
     WHERE company_id = $1 AND id = $2`,
    [company.id, threads[thread], newId(), direction, status, author, email, at],
  );
const answer = (thread: number, at: string, email: string | null, author = 'agent') =>
  say({ thread, at, direction: 'outbound', author, email, status: 'delivered' });
const happen = (thread: number, at: string, type: string, email: string | null = null) =>
  sql(
    `INSERT INTO timeline_events (company_id, id, conversation_id, type, author_type, author_email, at)
     VALUES ($1, $2, $3, $4, 'agent', $5, $6)`,
    [company.id, newId(), threads[thread], `conversation.${type}`, email, at],
  );
const set = (thread: number, changes: string) =>
  sql(`UPDATE conversations SET ${changes} WHERE company_id = $1 AND id = $2`, [company.id, threads[thread]]);

beforeAll(async () => {
  company = await server().company();
  await sql(`UPDATE companies SET timezone = 'America/New_York' WHERE id = $1`, [company.id]);
  ({ id: bob } = await createAgent(server().app, {
    company: company.id,
    email: bobEmail,
    name: 'Bob',
    password: ownerPassword,
  }));
  page = await ownerPage(server().url, company);
  api = await company.client();
  tag = (await api.post('/tags', { name: 'vip' })).body.data.id;
  threads = await insertConversations(server().app, company.id, 6);
  await sql(
    `UPDATE conversations SET last_inbound_at = NULL, first_response_at = NULL WHERE company_id = $1`,
    [company.id],
  );
  // 0: Sunday 8 March, 00:30 local (before the change); answered by Bob after 10 minutes, closed after an hour.
  await set(
    0,
    `created_at = '2026-03-08T05:30Z', last_inbound_at = '2026-03-08T05:30Z',
    first_response_at = '2026-03-08T05:40Z', assignee_id = '${bob}', rating = 5, rated_at = '2026-03-08T08:00Z'`,
  );
  await say({ thread: 0, at: '2026-03-08T05:30Z' });
  await answer(0, '2026-03-08T05:40Z', bobEmail);
  await happen(0, '2026-03-08T06:30Z', 'closed', bobEmail);
  // 1: 7 March, 23:30 local, 1 hour before: belongs to the Saturday. Answered after 30 minutes with the Owner's key.
  await set(
    1,
    `created_at = '2026-03-08T04:30Z', last_inbound_at = '2026-03-08T04:30Z',
    first_response_at = '2026-03-08T05:00Z'`,
  );
  await say({ thread: 1, at: '2026-03-08T04:30Z' });
  await answer(1, '2026-03-08T05:00Z', company.owner.email.toUpperCase(), 'api');
  // 2: 9 March; a broadcast first, then the customer, AI after 20 minutes. Closed, reopened, closed again.
  await set(
    2,
    `created_at = '2026-03-09T12:00Z', last_inbound_at = '2026-03-09T13:00Z',
    first_response_at = '2026-03-09T13:20Z', rating = 2, rated_at = '2026-03-12T12:00Z', tag_ids = ARRAY['${tag}']`,
  );
  await sql(
    `INSERT INTO conversation_tags (company_id, conversation_id, tag_id)
    VALUES ($1, $2, $3)`,
    [company.id, threads[2], tag],
  );
  await answer(2, '2026-03-09T12:00Z', null, 'campaign');
  await say({ thread: 2, at: '2026-03-09T13:00Z' });
  await answer(2, '2026-03-09T13:20Z', null, 'ai');
  await happen(2, '2026-03-09T14:00Z', 'closed', bobEmail);
  await happen(2, '2026-03-10T14:00Z', 'reopened');
  await happen(2, '2026-03-10T14:30Z', 'closed', company.owner.email);
  // 3: a broadcast that nobody answered, with a held and a cancelled reply: nothing of it counts.
  await set(3, `created_at = '2026-03-09T12:00Z'`);
  await answer(3, '2026-03-09T12:00Z', null, 'campaign');
  await say({ thread: 3, at: '2026-03-09T12:01Z', direction: 'outbound', author: 'agent', status: 'held' });
  await say({
    thread: 3,
    at: '2026-03-09T12:02Z',
    direction: 'outbound',
    author: 'agent',
    status: 'cancelled',
  });
  // 4: the last moment of 10 March local, no answer yet.
  await set(4, `created_at = '2026-03-11T03:59:59.999Z', last_inbound_at = '2026-03-11T03:59:59.999Z'`);
  await say({ thread: 4, at: '2026-03-11T03:59:59.999Z' });
  // 5: the first moment of 11 March local: outside of 8 to 10 March.
  await set(5, `created_at = '2026-03-11T04:00Z', last_inbound_at = '2026-03-11T04:00Z'`);
  await say({ thread: 5, at: '2026-03-11T04:00Z' });
});

const period = { from: '2026-03-08', to: '2026-03-10' };
const report = async (name: string, input: object = period) =>
  (await page.query(`reports.${name}`, input)).body.result.data.data;
const figures = async (name: string, input?: object) =>
  Object.fromEntries((await report(name, input)).figures.map((one: Figure) => [one.metric, one])) as Record<
    string,
    Figure
  >;
const behind = async (metric: string, more: object = {}) => {
  const input = { metric, ...period, limit: 100, ...more };
  const { data } = (await page.query('reports.conversations', input)).body.result.data;
  return data.map(({ id }: { id: string }) => threads.indexOf(id)).sort();
};

describe('reports', () => {
  it('count what began, came, went and was closed, by local days', async () => {
    const { opened, received, sent, closed } = await figures('volume');
    expect(opened?.series.map(({ start, summary }) => [start, summary.count])).toEqual([
      ['2026-03-08', 1],
      ['2026-03-09', 1],
      ['2026-03-10', 1],
    ]);
    expect(opened).toMatchObject({ unit: 'count', total: { count: 3 }, previous: { count: 1 } });
    expect(received).toMatchObject({ total: { count: 3 }, previous: { count: 1 } });
    expect(sent).toMatchObject({ total: { count: 3 }, previous: { count: 0 } });
    expect(closed?.series.map(({ summary }) => summary.count)).toEqual([1, 1, 1]);
    expect(await behind('opened')).toEqual([0, 2, 4]);
    expect(await behind('received')).toEqual([0, 2, 4]);
    expect(await behind('sent')).toEqual([0, 1, 2]);
    expect(await behind('closed')).toEqual([0, 2]);
  });

  it('group by weeks that begin on Monday', async () => {
    const found = await report('volume', { from: '2026-03-07', to: '2026-03-10', group: 'week' });
    expect(found.period).toEqual({
      from: '2026-03-07',
      to: '2026-03-10',
      group: 'week',
      timezone: 'America/New_York',
    });
    expect(found.previous).toEqual({ from: '2026-03-03', to: '2026-03-06' });
    const [opened] = found.figures;
    expect(
      opened.series.map(({ start, summary }: Figure['series'][number]) => [start, summary.count]),
    ).toEqual([
      ['2026-03-02', 2],
      ['2026-03-09', 2],
    ]);
  });

  it('measure the first response from the customer’s first message', async () => {
    const { first_response: figure } = await figures('firstResponse');
    expect(figure).toMatchObject({
      unit: 'seconds',
      total: { count: 2, median: 900, p90: 1_140, average: 900 },
      previous: { count: 1, median: 1_800 },
    });
    expect(figure?.series[2]?.summary).toEqual({ count: 0, median: null, p90: null, average: null });
    expect(await behind('first_response')).toEqual([0, 2]);
  });

  it('measure the resolution from the last opening', async () => {
    const { resolution } = await figures('resolution');
    expect(resolution).toMatchObject({
      total: { count: 3, median: 3_600, average: (3_600 + 7_200 + 1_800) / 3 },
    });
    expect(resolution?.series[2]?.summary.median).toBe(1_800);
  });

  it('tell how customers rate', async () => {
    const found = await report('csat', { from: '2026-03-08', to: '2026-03-12' });
    expect(found.distribution.map(({ count }: { count: number }) => count)).toEqual([0, 1, 0, 0, 1]);
    expect(found.figures[0]).toMatchObject({ unit: 'rating', total: { count: 2, average: 3.5 } });
    expect(await behind('rating', { to: '2026-03-12', rating: 2 })).toEqual([2]);
  });

  it('tell who did what; a key acts as its user', async () => {
    const rows = await report('byAgent');
    const of = (email: string) => rows.find((row: { agent: { email: string } }) => row.agent.email === email);
    expect(of(bobEmail)).toMatchObject({
      sent: { count: 1 },
      closed: { count: 2 },
      first_response: { count: 1, median: 600 },
      resolution: { count: 2, median: 5_400 },
      rating: { count: 1, average: 5 },
    });
    expect(of(company.owner.email)).toMatchObject({ sent: { count: 1 }, closed: { count: 1 } });
    expect(await behind('closed', { agent: bobEmail.toUpperCase() })).toEqual([0, 2]);
    expect(await behind('first_response', { agent: bobEmail })).toEqual([0]);
  });

  it('tell what tags are about', async () => {
    const rows = await report('byTag');
    expect(rows).toMatchObject([
      { tag: { id: tag, name: 'vip' }, opened: { count: 1 }, closed: { count: 2 } },
    ]);
    expect(await behind('closed', { tag })).toEqual([2]);
  });

  it('tell what campaigns brought in', async () => {
    const campaign = newId();
    await sql(
      `INSERT INTO campaigns (company_id, id, name, channel_id, created_at, updated_at)
       SELECT company_id, $2, 'Spring', id, now(), now() FROM channels WHERE company_id = $1 LIMIT 1`,
      [company.id, campaign],
    );
    const contact = (await api.get('/contacts')).body.data[0].id;
    const product = (await api.post('/products', { name: 'Tea', price: 500 })).body.data.id;
    for (const [at, thread, status] of [
      ['2026-03-08T12:00Z', 0, 'confirmed'],
      ['2026-03-10T12:00Z', 2, 'completed'],
      ['2026-03-10T12:00Z', 4, 'cancelled'],
      ['2026-03-06T12:00Z', 4, 'pending'],
    ] as const) {
      const items = [{ product, quantity: 2 }];
      const { id } = (await api.post('/orders', { contact, items })).body.data;
      await sql(
        `UPDATE orders SET campaign_id = $3, created_at = $4, status = $5, conversation_id = $6,
           cancelled_at = CASE WHEN $5 = 'cancelled' THEN now() END,
           cancel_reason = CASE WHEN $5 = 'cancelled' THEN 'other' END
         WHERE company_id = $1 AND id = $2`,
        [company.id, id, campaign, at, status, threads[thread]],
      );
    }
    expect(await report('campaignRevenue')).toEqual([
      {
        campaign: { id: campaign, name: 'Spring' },
        orders: 2,
        revenue: 2_000,
        previous_orders: 1,
        previous_revenue: 1_000,
        currency: expect.any(String),
      },
    ]);
    expect(await behind('campaign_orders', { campaign })).toEqual([0, 2]);
  });

  it.each([
    [{ from: '2026-03-08' }, 'to', 'required'],
    [{ from: '2026-02-30', to: '2026-03-10' }, 'from', 'format'],
    [{ from: '2026-03-08', to: '2026-03-07' }, 'to', 'min'],
    [{ from: '2026-03-08', to: '2027-03-09' }, 'to', 'max'],
    [{ ...period, group: 'month' }, 'group', 'enum'],
  ])('refuse %j', async (input, param, code) => {
    const refused = await page.query('reports.volume', input);
    expect(refused.status).toBe(422);
    expect(refused.body.error.data.error.details[0]).toMatchObject({ param, code });
  });

  it('page the conversations behind a figure', async () => {
    const input = { metric: 'opened', ...period, limit: 2 };
    const first = (await page.query('reports.conversations', input)).body.result.data;
    expect(first.meta.has_more).toBe(true);
    const cursor = first.meta.next_cursor;
    const next = (await page.query('reports.conversations', { ...input, cursor })).body.result.data;
    expect([...first.data, ...next.data].map(({ id }) => threads.indexOf(id)).sort()).toEqual([0, 2, 4]);
    const other = { ...input, metric: 'closed', cursor };
    expect((await page.query('reports.conversations', other)).status).toBe(422);
  });

  it('are for the dashboard', async () => {
    expect((await api.trpc('query', 'reports.volume', period)).status).toBe(403);
  });
});
