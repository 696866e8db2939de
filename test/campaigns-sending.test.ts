import { beforeEach, describe, expect, it } from 'vitest';
import type { Campaign, CampaignRecipient } from '../schema/campaigns.ts';
import { simulateInbound } from '../server/messages/simulate.ts';
import type { Client } from './support/client.ts';
import { expectConsistent } from './support/ledgers.ts';
import { insertContacts } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addSimulator, receivedTexts, settled } from './support/simulator.ts';
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

const people = (count: number, first = 0) =>
  insertContacts(server().app, company.id, count, (n) => ({
    name: `Person ${first + n}`,
    phone: `+3519${String(10_000_000 + first + n)}`,
    created_at: new Date(),
  }));

const shown = async (id: string): Promise<Campaign> => (await api.get(`/campaigns/${id}`)).body.data;

async function until(id: string, status: Campaign['status']): Promise<Campaign> {
  await expect.poll(async () => (await shown(id)).status, { timeout: 60_000, interval: 50 }).toBe(status);
  return shown(id);
}

type Create = Parameters<Dashboard['campaigns']['create']>[0];

async function launched(input: Partial<Create> = {}): Promise<string> {
  const { data } = await owner.campaigns.create({ name: 'Spring', text: 'Hello', ...input });
  await owner.campaigns.send({ campaign: data.id });
  return data.id;
}

async function recipients(campaign: string): Promise<CampaignRecipient[]> {
  return (await owner.campaigns.recipients({ campaign, limit: 100 })).data;
}

const adds = ({ stats }: Campaign) =>
  expect(stats.total).toBe(stats.pending + stats.sent + stats.failed + stats.skipped);

describe('a campaign', () => {
  it('reaches each contact once, skips the others with a reason, and its figures add up', async () => {
    await people(7);
    const add = async (input: object) => (await api.post('/contacts', input)).body.data.id as string;
    await add({ name: 'Quiet', phone: '+351920000001', subscribed: false });
    const blocked = await add({ name: 'Blocked', phone: '+351920000002' });
    await api.patch(`/contacts/${blocked}`, { blocked: true });
    await add({ name: 'Nowhere', email: 'nowhere@example.com' });
    await add({ name: 'Lost', phone: '+15005550001' });
    const preview = (await owner.campaigns.preview({})).data;
    expect(preview).toMatchObject({
      description: 'All contacts',
      total: 11,
      reachable: 8,
      skipped: { unsubscribed: 1, blocked: 1, no_address: 1, duplicate: 0 },
    });
    const id = await launched({ text: 'Hello {{contact.first_name|there}} from {{company.name}}' });
    await until(id, 'completed');
    await settled(server().app, company.id);
    const done = await shown(id);
    expect(done.stats).toMatchObject({
      total: 11,
      pending: 0,
      sent: 7,
      delivered: 7,
      read: 7,
      failed: 1,
      skipped: 3,
    });
    expect(done).toMatchObject({ audience: { size: 11 }, started_at: expect.any(String) });
    const all = await recipients(id);
    expect(all.map(({ skip_reason: reason }) => reason).filter(Boolean)).toEqual([
      'unsubscribed',
      'blocked',
      'no_address',
    ]);
    expect(all.find(({ contact }) => contact.name === 'Lost')).toMatchObject({
      status: 'failed',
      failure_code: 'undeliverable',
    });
    expect((await owner.campaigns.recipients({ campaign: id, skip_reason: 'blocked' })).data).toHaveLength(1);
    const texts = await receivedTexts(server().app, company.id);
    expect(texts.filter((text) => String(text).startsWith('Hello Person from Company'))).toHaveLength(7);
    await expectConsistent(server().app, company.id);
    const { rows } = await server().app.pool.query(
      "SELECT type FROM events WHERE company_id = $1 AND family = 'campaign' ORDER BY sequence",
      [company.id],
    );
    expect(rows.map(({ type }) => type)).toEqual(['campaign.started', 'campaign.completed']);
  });

  it('does not flood the inbox: new threads wait in the archive, closed ones stay closed, nobody is waiting', async () => {
    await people(3);
    const arrived = await simulateInbound(server().app, company.id, { from: '+351910000000', text: 'Hi' });
    await api.post(`/conversations/${arrived!.conversation}/close`);
    const id = await launched();
    await until(id, 'completed');
    const open = (await api.get('/conversations', { archived: false, status: 'open' })).body.data;
    expect(open).toEqual([]);
    const old = (await api.get(`/conversations/${arrived!.conversation}`)).body.data;
    expect(old).toMatchObject({
      status: 'closed',
      unread_count: 0,
      last_message: { direction: 'outbound', snippet: 'Hello' },
    });
    const message = (await api.get('/messages', { conversation: arrived!.conversation, limit: 1 })).body
      .data[0];
    expect(message).toMatchObject({ campaign: id, author: { type: 'campaign', name: 'Spring' } });
    const answered = await simulateInbound(server().app, company.id, {
      from: '+351910000001',
      text: 'Nice!',
    });
    const back = (await api.get(`/conversations/${answered!.conversation}`)).body.data;
    expect(back).toMatchObject({ status: 'open', archived: false, unread_count: 1 });
  });

  it('counts replies and those who leave once, and the orders that came of it', async () => {
    await people(3);
    const id = await launched();
    await until(id, 'completed');
    await settled(server().app, company.id);
    const write = (from: string, text: string) => simulateInbound(server().app, company.id, { from, text });
    const arrived = await write('+351910000000', 'Two please');
    await write('+351910000000', 'Or three');
    await write('+351910000001', 'STOP');
    const order = await api.post('/orders', {
      contact: arrived!.contact,
      conversation: arrived!.conversation,
      items: [{ name: 'Tea', unit_price: 450, quantity: 2 }],
    });
    expect(order.body.data).toMatchObject({ source: 'campaign', campaign: id });
    expect((await shown(id)).stats).toMatchObject({ replied: 2, unsubscribed: 1, orders: 1, revenue: 900 });
    await api.post(`/orders/${order.body.data.id}/advance`, { status: 'cancelled' });
    expect((await shown(id)).stats).toMatchObject({ orders: 0, revenue: 0 });
    await expectConsistent(server().app, company.id);
  });

  it('to a tag, at its time, and no sooner', async () => {
    await people(4);
    const tag = (await api.post('/tags', { name: 'VIP' })).body.data.id;
    const ids = (await api.get('/contacts')).body.data.map((contact: { id: string }) => contact.id);
    await api.post('/contacts/bulk-tag', { contact_ids: ids.slice(0, 2), tag, action: 'add' });
    const { data } = await owner.campaigns.create({ name: 'VIPs', text: 'Hello', audience: { tags: [tag] } });
    expect(data.audience).toEqual({ description: 'Contacts tagged VIP', size: 2 });
    const at = new Date(Date.now() + 3_600_000);
    const scheduled = (await owner.campaigns.schedule({ campaign: data.id, scheduled_at: at.toISOString() }))
      .data;
    expect(scheduled).toMatchObject({ status: 'scheduled', scheduled_at: at.toISOString() });
    await expect(
      owner.campaigns.schedule({ campaign: data.id, scheduled_at: '2020-01-01' }),
    ).rejects.toMatchObject({ cause: { param: 'scheduled_at' } });
    server().clock.advance(3_601_000);
    const done = await until(data.id, 'completed');
    expect(done.stats).toMatchObject({ total: 2, sent: 2 });
  });

  it('paused it claims nobody new; cancelled while sending it ends once what was claimed is sent', async () => {
    await people(600);
    await owner.channels.update({ channel, campaign_rate: 40 });
    const id = await launched();
    await expect.poll(async () => (await shown(id)).stats.sent, { timeout: 30_000 }).toBeGreaterThan(10);
    expect((await api.post(`/campaigns/${id}/pause`)).body.data.status).toBe('paused');
    await settled(server().app, company.id);
    const claimed = async () =>
      (await owner.campaigns.recipients({ campaign: id, status: 'claimed', limit: 100 })).data.length;
    await expect.poll(claimed, { timeout: 30_000 }).toBe(0);
    const paused = await shown(id);
    expect(paused.stats.sent).toBeLessThan(600);
    adds(paused);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await shown(id)).stats.sent).toBe(paused.stats.sent);
    expect((await api.post(`/campaigns/${id}/resume`)).body.data.status).toBe('queued');
    await expect
      .poll(async () => (await shown(id)).stats.sent, { timeout: 30_000 })
      .toBeGreaterThan(paused.stats.sent);
    expect((await api.post(`/campaigns/${id}/cancel`)).body.data.status).toMatch(/^cancel/);
    const cancelled = await until(id, 'cancelled');
    await settled(server().app, company.id);
    adds(cancelled);
    expect(cancelled.stats.pending).toBeGreaterThan(0);
    await expectConsistent(server().app, company.id);
  });

  /** Past the API: a campaign that has written to 100 contacts, so many of them in vain, and has 50 to go. */
  async function halfway(failed: number): Promise<string> {
    const { pool } = server().app;
    const { data } = await owner.campaigns.create({ name: 'Half', text: 'Hello' });
    await pool.query(
      `INSERT INTO campaign_recipients (company_id, campaign_id, contact_id, position, address, status)
       SELECT company_id, $2, id, n, phone, CASE WHEN n >= 100 THEN 'pending' WHEN n % 100 < $3 THEN 'failed' ELSE 'sent' END
       FROM (SELECT *, row_number() OVER (ORDER BY id) - 1 AS n FROM contacts WHERE company_id = $1) AS numbered`,
      [company.id, data.id, failed],
    );
    await pool.query(
      `UPDATE campaigns SET status = 'sending', started_at = now(), claimed_to = 99, total = 150, pending = 50, failed = $2,
         sent = 100 - $2 WHERE id = $1`,
      [data.id, failed],
    );
    return data.id;
  }

  it('stops by itself when more than 30 % of the last 100 fail, and counts anew once it is resumed', async () => {
    await people(150);
    const bad = await halfway(31);
    const paused = await until(bad, 'paused');
    expect(paused).toMatchObject({ pause_reason: 'error_rate', stats: { failed: 31, pending: 50 } });
    await api.post(`/campaigns/${bad}/resume`);
    expect((await until(bad, 'completed')).stats).toMatchObject({ failed: 31, sent: 119 });
    const good = await halfway(30);
    expect((await until(good, 'completed')).stats).toMatchObject({ failed: 30, sent: 120 });
  });

  it('fails when its channel is gone, and is paused when the channel goes down meanwhile', async () => {
    await people(100);
    const id = (await owner.campaigns.create({ name: 'Early', text: 'Hello' })).data.id;
    await owner.channels.update({ channel, status: 'disabled' });
    await owner.campaigns.send({ campaign: id });
    expect((await until(id, 'failed')).failure_reason).toBeTruthy();
    await owner.channels.update({ channel, status: 'active', campaign_rate: 20 });
    const second = await launched();
    await expect.poll(async () => (await shown(second)).stats.sent, { timeout: 30_000 }).toBeGreaterThan(0);
    await owner.channels.update({ channel, status: 'disabled' });
    expect((await until(second, 'paused')).pause_reason).toBe('channel_down');
  });

  it('waits for the day', async () => {
    await people(2);
    const now = server().clock.now();
    const at = (hours: number) =>
      new Date(now.getTime() + hours * 3_600_000).toLocaleTimeString('en-GB', {
        timeZone: 'Europe/Lisbon',
        hour: '2-digit',
        minute: '2-digit',
      });
    const id = await launched({ quiet_hours: { from: at(-3), to: at(3) } });
    await until(id, 'sending');
    const row = async () =>
      (await server().app.pool.query('SELECT idle_until FROM campaigns WHERE id = $1', [id])).rows[0]
        .idle_until;
    await expect.poll(row, { timeout: 20_000 }).toBeTruthy();
    expect((await shown(id)).stats).toMatchObject({ pending: 2, sent: 0 });
    server().clock.advance(6 * 3_600_000);
    expect((await until(id, 'completed')).stats.sent).toBe(2);
  });
});
