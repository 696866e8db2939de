import { beforeAll, describe, expect, it } from 'vitest';
import { type Campaign, campaignStatuses } from '../schema/campaigns.ts';
import { newId } from '../server/platform/ids.ts';
import type { Client } from './support/client.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addSimulator } from './support/simulator.ts';
import { type Dashboard, dashboard } from './support/webhooks.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let owner: Dashboard;
let channel: string;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  owner = await dashboard(server(), company, 'owner');
  channel = (await addSimulator(server().app, company.id)).id;
});

/** A campaign past the API, in any status. */
async function insertCampaign(status: string, more: { scheduledAt?: Date; startedAt?: Date } = {}) {
  const id = newId();
  await server().app.pool.query(
    `INSERT INTO campaigns (company_id, id, name, channel_id, status, text, scheduled_at, started_at, total, pending)
     VALUES ($1, $2, 'Spring', $3, $4, 'Hello', $5, $6, 0, 0)`,
    [
      company.id,
      id,
      channel,
      // One that is queued or sending would be taken up at once.
      status,
      more.scheduledAt ?? (status === 'scheduled' ? new Date('2039-01-01') : null),
      more.startedAt ?? null,
    ],
  );
  return id;
}

describe('the record', () => {
  it('has every documented field, and is the same over tRPC and GraphQL', async () => {
    const made = await owner.campaigns.create({ name: 'Spring', text: 'Hello {{contact.first_name|there}}' });
    const shown: Campaign = (await api.get(`/campaigns/${made.data.id}`)).body.data;
    expect(shown).toEqual(made.data);
    expect(shown).toEqual({
      id: expect.any(String),
      name: 'Spring',
      channel: 'simulator',
      status: 'draft',
      template: null,
      text: 'Hello {{contact.first_name|there}}',
      media: null,
      audience: { description: 'All contacts', size: 0 },
      scheduled_at: null,
      started_at: null,
      paused_at: null,
      completed_at: null,
      cancelled_at: null,
      pause_reason: null,
      failure_reason: null,
      stats: {
        total: 0,
        pending: 0,
        sent: 0,
        delivered: 0,
        read: 0,
        failed: 0,
        skipped: 0,
        replied: 0,
        unsubscribed: 0,
        orders: 0,
        revenue: 0,
      },
      created_by: { name: expect.any(String), email: company.owner.email },
      version: 1,
      allowed_actions: ['update', 'schedule', 'send', 'cancel'],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const query = `query ($id: ID!) { campaign(campaign: $id) { id name channel status text
      audience { description size } stats { total pending sent revenue } allowedActions version } }`;
    const { body } = await api.graphql(query, { id: shown.id });
    expect(body.data.campaign).toEqual({
      id: shown.id,
      name: 'Spring',
      channel: 'simulator',
      status: 'draft',
      text: shown.text,
      audience: shown.audience,
      stats: { total: 0, pending: 0, sent: 0, revenue: 0 },
      allowedActions: shown.allowed_actions,
      version: 1,
    });
  });

  it('lists newest first, by status, page by page', async () => {
    const own = await server().company();
    const { id: simulator } = await addSimulator(server().app, own.id);
    for (let n = 0; n < 5; n++) {
      await server().app.pool.query(
        `INSERT INTO campaigns (company_id, id, name, channel_id, status, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [own.id, newId(), `Nr ${n}`, simulator, n === 2 ? 'cancelled' : 'draft', new Date(2026, 0, n + 1)],
      );
    }
    const client = await own.client();
    const first = (await client.get('/campaigns', { limit: 3 })).body;
    expect(first.data.map(({ name }: Campaign) => name)).toEqual(['Nr 4', 'Nr 3', 'Nr 2']);
    expect(first.meta.has_more).toBe(true);
    const second = (await client.get('/campaigns', { limit: 3, cursor: first.meta.next_cursor })).body;
    expect(second.data.map(({ name }: Campaign) => name)).toEqual(['Nr 1', 'Nr 0']);
    expect(second.meta).toEqual({ next_cursor: null, has_more: false });
    const cancelled = (await client.get('/campaigns', { status: 'cancelled' })).body.data;
    expect(cancelled.map(({ name }: Campaign) => name)).toEqual(['Nr 2']);
    expect((await client.get('/campaigns', { status: 'sent' })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'status',
    });
    expect((await client.get('/campaigns', { limit: 0 })).status).toBe(422);
    expect((await client.get('/campaigns', { cursor: 'x' })).body.error).toMatchObject({ param: 'cursor' });
  });
});

/** Decisions §4: what an action makes of a status. A number is the refusal; `=` changes nothing. */
const table: Record<string, Record<'pause' | 'resume' | 'cancel', string>> = {
  draft: { pause: '409', resume: '409', cancel: 'cancelled' },
  scheduled: { pause: 'paused', resume: '=', cancel: 'cancelled' },
  queued: { pause: 'paused', resume: '=', cancel: 'cancelled' },
  sending: { pause: 'paused', resume: '=', cancel: 'cancelling' },
  paused: { pause: '=', resume: 'queued', cancel: 'cancelled' },
  cancelling: { pause: '409', resume: '409', cancel: '=' },
  cancelled: { pause: '409', resume: '409', cancel: '=' },
  completed: { pause: '409', resume: '409', cancel: '409' },
  failed: { pause: '409', resume: '409', cancel: '409' },
};

describe('transitions', () => {
  const cells = campaignStatuses.flatMap((status) =>
    (['pause', 'resume', 'cancel'] as const).map(
      (action) => [status, action, table[status]![action]] as const,
    ),
  );

  // A test key's campaigns are of the sandbox, which no timer touches: so each status holds still.
  it.each(cells)('%s, %s: %s', async (status, action, expected) => {
    const sandbox = await company.client({ mode: 'test' });
    const [{ id: twin }] = (
      await server().app.pool.query('SELECT id FROM companies WHERE sandbox_of = $1', [company.id])
    ).rows as [{ id: string }];
    const id = newId();
    await server().app.pool.query(
      `INSERT INTO campaigns (company_id, id, name, channel_id, status, scheduled_at)
       SELECT $1, $2, 'Spring', id, $3, CASE WHEN $3 = 'scheduled' THEN timestamptz '2039-01-01' END
       FROM channels WHERE company_id = $1 LIMIT 1`,
      [twin, id, status],
    );
    const before = (await sandbox.get(`/campaigns/${id}`)).body.data;
    const answer = await sandbox.post(`/campaigns/${id}/${action}`);
    if (expected === '409') {
      expect(answer.status).toBe(409);
      expect(answer.body.error).toMatchObject({ code: 'conflict', type: 'idempotency_error' });
      return;
    }
    expect(answer.status).toBe(200);
    if (expected === '=') {
      expect(answer.body.data).toEqual(before);
      expect(answer.body.meta.test.events).toEqual([]);
    } else {
      expect(answer.body.data.status).toBe(expected);
      expect(answer.body.data.version).toBe(before.version + 1);
    }
  });

  it('a paused campaign whose time is ahead is scheduled again', async () => {
    const id = await insertCampaign('paused', { scheduledAt: new Date('2039-01-01') });
    const resumed = (await api.post(`/campaigns/${id}/resume`)).body.data;
    expect(resumed).toMatchObject({ status: 'scheduled', paused_at: null, pause_reason: null });
    const paused = (await api.post(`/campaigns/${id}/pause`)).body.data;
    expect(paused).toMatchObject({ status: 'paused', pause_reason: 'manual', paused_at: expect.any(String) });
    const cancelled = (await api.post(`/campaigns/${id}/cancel`)).body.data;
    expect(cancelled).toMatchObject({ status: 'cancelled', cancelled_at: expect.any(String) });
  });

  it('tells of each change once, with what was before', async () => {
    const id = await insertCampaign('scheduled');
    for (const action of ['pause', 'pause', 'resume', 'cancel', 'cancel'])
      await api.post(`/campaigns/${id}/${action}`);
    const { rows } = await server().app.pool.query(
      `SELECT type, payload->'data'->'previous'->>'status' AS before FROM events
       WHERE company_id = $1 AND payload->'data'->'object'->>'id' = $2 ORDER BY sequence`,
      [company.id, id],
    );
    expect(rows).toEqual([
      { type: 'campaign.paused', before: 'scheduled' },
      { type: 'campaign.resumed', before: 'paused' },
      { type: 'campaign.cancelled', before: 'scheduled' },
    ]);
  });

  it('needs its scope, and a foreign id is unknown', async () => {
    const id = await insertCampaign('scheduled');
    const viewer = await company.client({ scopes: ['campaigns.view'] });
    expect((await viewer.get(`/campaigns/${id}`)).status).toBe(200);
    expect((await viewer.post(`/campaigns/${id}/pause`)).status).toBe(403);
    const stranger = await (await server().company()).client();
    expect((await stranger.post(`/campaigns/${id}/pause`)).body.error.code).toBe('not_found');
    expect((await api.post('/campaigns/short/pause')).status).toBe(404);
  });
});

describe('writing one', () => {
  const refusal = async (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: { cause: { param: string; details: { code: string }[] } }) => [
        error.cause.param,
        error.cause.details[0]?.code,
      ],
    );

  it('refuses what can’t be sent', async () => {
    const create = (input: object) => refusal(owner.campaigns.create({ name: 'Spring', ...input }));
    const template = { name: 'hello', language: 'en' };
    expect(await create({})).toEqual(['text', 'required']);
    expect(await create({ text: 'Hi', template })).toEqual(['template', 'not_allowed']);
    expect(await create({ text: 'Hi {{order.number}}' })).toEqual(['text', 'enum']);
    expect(await create({ text: 'Hi', channel: 'nowhere' })).toEqual(['channel', 'channel_unavailable']);
    expect(await create({ text: 'Hi', audience: { tags: [newId()] } })).toEqual([
      'audience.tags.0',
      'unknown_id',
    ]);
    expect(await create({ text: 'Hi', quiet_hours: { from: '21:00', to: '21:00' } })).toEqual([
      'quiet_hours.to',
      'not_allowed',
    ]);
    expect(await create({ text: 'Hi', quiet_hours: { from: '9pm', to: '21:00' } })).toEqual([
      'quiet_hours.from',
      'format',
    ]);
    expect(await create({ text: 'Hi', media_url: 'https://example.com/x.png' })).toEqual([
      'media_url',
      'unknown_id',
    ]);
  });

  it('changes a draft, keeps what is absent, and notices a colleague', async () => {
    const { data } = await owner.campaigns.create({ name: 'Spring', text: 'Hello' });
    const template = { name: 'hello', language: 'en', variables: ['{{contact.name}}'] };
    const changed = (await owner.campaigns.update({ campaign: data.id, template, version: 1 })).data;
    expect(changed).toMatchObject({
      name: 'Spring',
      text: null,
      template: { name: 'hello', language: 'en' },
      version: 2,
    });
    await expect(
      owner.campaigns.update({ campaign: data.id, name: 'Summer', version: 1 }),
    ).rejects.toMatchObject({
      cause: { code: 'conflict' },
    });
    expect(await refusal(owner.campaigns.update({ campaign: data.id, template: null }))).toEqual([
      'text',
      'required',
    ]);
    const settings = (await owner.campaigns.settings({ campaign: data.id })).data;
    expect(settings).toMatchObject({ channel, template, audience: {}, quiet_hours: null, version: 2 });
  });

  it('is for the dashboard, not for keys', async () => {
    const answer = await api.graphql('mutation { createCampaign(input: {name: "x", text: "y"}) { id } }');
    expect(answer.body.errors[0].extensions.code).toBe('forbidden');
  });
});
