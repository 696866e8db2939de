import { beforeEach, describe, expect, it } from 'vitest';
import type { Campaign } from '../schema/campaigns.ts';
import { claimRecipients } from '../server/campaigns/claim.ts';
import { exportRecipients } from '../server/campaigns/export.ts';
import { findChannel } from '../server/channels/service.ts';
import { lockCampaign } from '../server/campaigns/rows.ts';
import { sendQueued } from '../server/messages/deliver.ts';
import { newId } from '../server/platform/ids.ts';
import { asSystem } from '../server/platform/system-context.ts';
import { inUnitOfWork } from '../server/platform/unit-of-work.ts';
import type { Client } from './support/client.ts';
import { exporting } from './support/csv.ts';
import { expectConsistent } from './support/ledgers.ts';
import { insertContacts, insertConversations } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addSimulator, receivedTexts } from './support/simulator.ts';
import { type Dashboard, dashboard } from './support/webhooks.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let owner: Dashboard;
let channel: string;

beforeEach(async () => {
  company = await server().company();
  api = await company.client();
  owner = await dashboard(server(), company, 'owner');
  channel = (await addSimulator(server().app, company.id, { campaign_rate: 1000 })).id;
});

const run = (sql: string, ...values: unknown[]) => server().app.pool.query(sql, values);

const people = (count: number) =>
  insertContacts(server().app, company.id, count, (n) => ({
    name: `Person ${n}`,
    phone: `+3519${String(10_000_000 + n)}`,
    created_at: new Date(),
  }));

/** Past the API: a campaign with a recipient for each contact, all of them claimed so many seconds ago and not posted. */
async function claimed(status: string, secondsAgo: number): Promise<string> {
  const id = newId();
  await run(
    `INSERT INTO campaigns (company_id, id, name, channel_id, status, text, started_at, paused_at, cancelled_at, claimed_to)
     SELECT $1, $2, 'Spring', $3, $4, 'Hello', now(), now() - interval '1 minute', now() - interval '1 minute', 1000`,
    company.id,
    id,
    channel,
    status,
  );
  await run(
    `INSERT INTO campaign_recipients (company_id, campaign_id, contact_id, position, address, status, claimed_at)
     SELECT $1, $2, id, row_number() OVER (ORDER BY id) - 1, phone, 'claimed', now() - make_interval(secs => $3)
     FROM contacts WHERE company_id = $1`,
    company.id,
    id,
    secondsAgo,
  );
  await run(
    `UPDATE campaigns SET (total, pending) = (SELECT count(*), count(*) FROM campaign_recipients WHERE campaign_id = $1)
     WHERE id = $1`,
    id,
  );
  return id;
}

const shown = async (id: string): Promise<Campaign> => (await api.get(`/campaigns/${id}`)).body.data;

async function statuses(id: string): Promise<string[]> {
  const { data } = await owner.campaigns.recipients({ campaign: id, limit: 100 });
  return [...new Set(data.map(({ status }) => status))];
}

describe('what a dead process claimed', () => {
  it.each(['paused', 'cancelled'])('is given back, not sent, when the campaign is %s', async (status) => {
    await people(5);
    const id = await claimed(status, 60);
    await expect.poll(() => statuses(id), { timeout: 30_000 }).toEqual(['pending']);
    expect((await shown(id)).stats).toMatchObject({ total: 5, pending: 5, sent: 0 });
    expect(await receivedTexts(server().app, company.id)).toEqual([]);
    await expectConsistent(server().app, company.id);
  });

  it('is sent first when the campaign is cancelling, and in its turn when it is sending', async () => {
    await people(5);
    const cancelling = await claimed('cancelling', 60);
    await expect.poll(async () => (await shown(cancelling)).status, { timeout: 30_000 }).toBe('cancelled');
    expect((await shown(cancelling)).stats).toMatchObject({ pending: 0, sent: 5 });
    const sending = await claimed('sending', 60);
    await expect.poll(async () => (await shown(sending)).status, { timeout: 30_000 }).toBe('completed');
    expect((await shown(sending)).stats).toMatchObject({ pending: 0, sent: 5 });
  });
});

it('no more is claimed than the provider takes: what is under way when it is paused is little', async () => {
  await people(400);
  const id = await claimed('paused', 0);
  await run(
    `UPDATE campaign_recipients SET status = CASE WHEN position < 190 THEN 'claimed' ELSE 'pending' END,
       claimed_at = now() + interval '1 hour' WHERE campaign_id = $1`,
    id,
  );
  const claim = () =>
    asSystem(server().app, company.id, (ctx) =>
      inUnitOfWork(ctx, async (work) => {
        const row = await findChannel(work, channel);
        return (await claimRecipients(work, await lockCampaign(work, id), row!)).contacts.length;
      }),
    );
  expect([await claim(), await claim()]).toEqual([10, 0]);
  await run("UPDATE campaign_recipients SET status = 'read' WHERE campaign_id = $1 AND position < 100", id);
  expect([await claim(), await claim(), await claim()]).toEqual([50, 50, 0]);
});

it('whoever unsubscribes while the message is queued does not get it; the next message to them is no broadcast [C2]', async () => {
  await people(1);
  const id = await claimed('cancelled', 0);
  const contact = (await api.get('/contacts')).body.data[0].id;
  const [conversation] = await insertConversations(server().app, company.id, 1, () => ({
    contact_id: contact,
  }));
  await api.patch(`/contacts/${contact}`, { subscribed: false });
  const queued = async (campaign: string | null, text: string) => {
    const message = newId();
    await run(
      `INSERT INTO messages (company_id, id, conversation_id, contact_id, channel_id, direction, type, text, campaign_id,
         author_type, status, at) VALUES ($1, $2, $3, $4, $5, 'outbound', 'text', $6, $7, 'system', 'queued', clock_timestamp())`,
      company.id,
      message,
      conversation,
      contact,
      channel,
      text,
      campaign,
    );
    return message;
  };
  const broadcast = await queued(id, 'Sale');
  await run('UPDATE campaign_recipients SET message_id = $1 WHERE campaign_id = $2', broadcast, id);
  await queued(null, 'Your order is ready');
  await sendQueued(server().app, company.id, conversation!);
  await expect
    .poll(() => receivedTexts(server().app, company.id), { timeout: 20_000 })
    .toEqual(['Your order is ready']);
  expect((await shown(id)).stats).toMatchObject({ total: 1, pending: 0, sent: 0, failed: 1 });
});

it('one that has begun is paused again, not lost, when it is resumed while its channel is down', async () => {
  await people(3);
  const id = await claimed('paused', 0);
  await run(
    "UPDATE campaign_recipients SET status = 'pending', claimed_at = NULL WHERE campaign_id = $1",
    id,
  );
  await owner.channels.update({ channel, status: 'disabled' });
  expect((await api.post(`/campaigns/${id}/resume`)).body.data.status).toBe('queued');
  await expect.poll(async () => (await shown(id)).pause_reason, { timeout: 30_000 }).toBe('channel_down');
  await owner.channels.update({ channel, status: 'active' });
  await api.post(`/campaigns/${id}/resume`);
  await expect.poll(async () => (await shown(id)).status, { timeout: 30_000 }).toBe('completed');
});

it('those who wait for the day do not hold up those for whom it is day', async () => {
  await people(300);
  await run("UPDATE contacts SET timezone = 'Asia/Tokyo' WHERE company_id = $1", company.id);
  await run(
    `UPDATE contacts SET timezone = 'America/Los_Angeles' WHERE company_id = $1
       AND id IN (SELECT id FROM contacts WHERE company_id = $1 ORDER BY id DESC LIMIT 5)`,
    company.id,
  );
  const at = (hours: number) =>
    new Date(server().clock.now().getTime() + hours * 3_600_000).toLocaleTimeString('en-GB', {
      timeZone: 'Asia/Tokyo',
      hour: '2-digit',
      minute: '2-digit',
    });
  const { data } = await owner.campaigns.create({
    name: 'Night',
    text: 'Hello',
    quiet_hours: { from: at(-2), to: at(2) },
  });
  await owner.campaigns.send({ campaign: data.id });
  await expect.poll(async () => (await shown(data.id)).stats.sent, { timeout: 60_000 }).toBe(5);
  expect((await shown(data.id)).stats).toMatchObject({ total: 300, pending: 295 });
  await api.post(`/campaigns/${data.id}/cancel`);
});

describe('the recipients', () => {
  it('come page by page, by status and by reason, and as CSV', async () => {
    await people(120);
    const id = await claimed('cancelled', 0);
    await run(
      `UPDATE campaign_recipients SET claimed_at = NULL,
         status = CASE WHEN position < 3 THEN 'skipped' ELSE 'pending' END,
         skip_reason = CASE WHEN position < 2 THEN 'blocked' WHEN position = 2 THEN 'no_address' END
       WHERE campaign_id = $1`,
      id,
    );
    await run('UPDATE campaigns SET pending = 117, skipped = 3 WHERE id = $1', id);
    const first = await owner.campaigns.recipients({ campaign: id, limit: 100 });
    const second = await owner.campaigns.recipients({
      campaign: id,
      limit: 100,
      cursor: first.meta.next_cursor!,
    });
    const all = [...first.data, ...second.data];
    expect(new Set(all.map(({ contact }) => contact.id)).size).toBe(120);
    expect(second.meta).toEqual({ next_cursor: null, has_more: false });
    const skipped = await owner.campaigns.recipients({ campaign: id, status: 'skipped' });
    expect(skipped.data.map(({ skip_reason: reason }) => reason)).toEqual([
      'blocked',
      'blocked',
      'no_address',
    ]);
    const query = `query ($id: ID!) { campaignRecipients(campaign: $id, skipReason: no_address) {
      items { contact name skipReason } hasMore } }`;
    const { body } = await api.graphql(query, { id });
    const [last] = skipped.data.slice(-1);
    expect(body.data.campaignRecipients).toEqual({
      items: [{ contact: last!.contact.id, name: last!.contact.name, skipReason: 'no_address' }],
      hasMore: false,
    });

    const csv = (filters: object) =>
      exporting(server().app, company.id, exportRecipients, { campaign: id, ...filters });
    const lines = (await csv({})).trimEnd().split(/\r?\n/);
    expect(lines[0]).toBe(
      'contact,name,address,status,skip_reason,failure_code,message,sent_at,delivered_at,read_at,failed_at,replied_at,unsubscribed_at',
    );
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(all.map(({ contact }) => contact.id));
    expect((await csv({ skip_reason: 'blocked' })).trimEnd().split(/\r?\n/)).toHaveLength(3);
    await expect(csv({ campaign: newId() })).rejects.toMatchObject({ code: 'not_found' });
    await expect(csv({ status: 'lost' })).rejects.toMatchObject({ param: 'status' });
  });

  it('are counted over time for the dashboard', async () => {
    await people(3);
    const id = await claimed('cancelled', 0);
    expect((await owner.campaigns.timeline({ campaign: id })).data).toEqual({ step: 60, intervals: [] });
    await run(
      `UPDATE campaign_recipients SET sent_at = '2026-03-04T10:00:30Z',
         delivered_at = CASE position WHEN 0 THEN '2026-03-04T10:00:59Z'::timestamptz ELSE '2026-03-04T12:00:00Z' END,
         failed_at = CASE position WHEN 2 THEN '2026-03-04T10:01:00Z'::timestamptz END WHERE campaign_id = $1`,
      id,
    );
    expect((await owner.campaigns.timeline({ campaign: id })).data).toEqual({
      step: 300,
      intervals: [
        { start: '2026-03-04T10:00:00.000Z', sent: 3, delivered: 1, read: 0, failed: 1, replied: 0 },
        { start: '2026-03-04T12:00:00.000Z', sent: 0, delivered: 2, read: 0, failed: 0, replied: 0 },
      ],
    });
    await expect(owner.campaigns.timeline({ campaign: newId() })).rejects.toThrow();
  });

  it('are chosen by every filter of the contact list, and the preview counts them all', async () => {
    await people(40);
    const blocked = (await api.post('/contacts', { name: 'Blocked', phone: '+351920000002' })).body.data.id;
    await api.patch(`/contacts/${blocked}`, { blocked: true });
    const preview = async (audience: object) => (await owner.campaigns.preview({ audience })).data;
    expect(await preview({})).toMatchObject({ total: 41, reachable: 40, skipped: { blocked: 1 } });
    expect(await preview({ blocked: false })).toMatchObject({
      description: 'Contacts not blocked',
      total: 41 - 1,
      reachable: 40,
    });
    const one = await preview({ phone: '+351 910 000 007' });
    expect(one).toMatchObject({ total: 1, reachable: 1 });
    expect(one.sample).toMatchObject([{ name: 'Person 7', address: '+351910000007', skip_reason: null }]);
    const { body } = await api.graphql(
      '{ campaignPreview(audience: { blocked: true }) { total reachable sample(first: 5) { name skipReason } } }',
    );
    expect(body.data.campaignPreview).toEqual({
      total: 1,
      reachable: 0,
      sample: [{ name: 'Blocked', skipReason: 'blocked' }],
    });
  });
});
