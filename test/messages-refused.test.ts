import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../server/platform/ids.ts';
import type { Client } from './support/client.ts';
import { insertConversations } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addSimulator, receivedTexts, settled } from './support/simulator.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let contact: string;
let conversation: string;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  await addSimulator(server().app, company.id, {
    config: { delays: { sent: 0, delivered: 0, read: 0 }, marketing_templates: ['sale'] },
  });
  contact = (await api.post('/contacts', { name: 'Ana', phone: '+351912345678' })).body.data.id;
  conversation = (await api.post('/messages', { contact, text: 'first' })).body.data.conversation;
  await settled(server().app, company.id);
});

/** All rows of the company, by table. */
async function everything(): Promise<Record<string, unknown>> {
  const { pool } = server().app;
  const tables = [
    'messages',
    'conversations',
    'contacts',
    'events',
    'timeline_events',
    'media',
    'quick_replies',
  ];
  const found: Record<string, unknown> = {};
  for (const table of [...tables, 'simulator_messages']) {
    const { rows } = await pool.query(
      `SELECT count(*) AS n, sum(hashtext(t::text)::bigint) AS hash FROM ${table} t WHERE company_id = $1`,
      [company.id],
    );
    found[table] = rows[0];
  }
  const { rows } = await pool.query(
    "SELECT count(*) AS n FROM jobs.job WHERE name = 'messages.send' AND state < 'active'",
  );
  return { ...found, jobs: rows[0] };
}

async function refused(body: object): Promise<{ param: string | null; code: string }> {
  const before = await everything();
  const answer = await api.post('/messages', body);
  expect(answer.status).toBe(422);
  expect(await everything()).toEqual(before);
  return answer.body.error.details[0];
}

describe('a request that makes no sense', () => {
  const there = () => ({ conversation });
  const text = { text: 'x' };
  const template = { name: 'n', language: 'en' };
  it.each([
    [() => text, 'conversation', 'required'],
    [() => ({ conversation, contact, ...text }), 'contact', 'not_allowed'],
    [() => there(), 'text', 'required'],
    [() => ({ ...there(), text: '' }), 'text', 'required'],
    [() => ({ ...there(), text: 'x'.repeat(4097) }), 'text', 'max'],
    [() => ({ ...there(), text: 5 }), 'text', 'type'],
    [() => ({ ...there(), type: 'letter', ...text }), 'type', 'enum'],
    [() => ({ ...there(), type: 'text', media_url: 'x' }), 'text', 'required'],
    [() => ({ ...there(), type: 'text', ...text, product: newId() }), 'type', 'not_allowed'],
    [() => ({ ...there(), type: 'media', ...text }), 'media_url', 'required'],
    [() => ({ ...there(), template, ...text }), 'text', 'not_allowed'],
    [() => ({ ...there(), template, quick_reply: newId() }), 'quick_reply', 'not_allowed'],
    [() => ({ ...there(), product: newId(), order: newId() }), 'order', 'not_allowed'],
    [() => ({ ...there(), template: { name: 'n' } }), 'template.language', 'required'],
    [() => ({ ...there(), template: { ...template, language: 'x'.repeat(11) } }), 'template.language', 'max'],
    [
      () => ({ ...there(), template: { ...template, variables: Array(31).fill('x') } }),
      'template.variables',
      'max',
    ],
    [() => ({ ...there(), media_url: 'https://example.com/a.png' }), 'media_url', 'unknown_id'],
    [() => ({ ...there(), media_url: 'x', text: 'x'.repeat(1025) }), 'text', 'max'],
    [() => ({ ...there(), product: newId() }), 'product', 'unknown_id'],
    [() => ({ ...there(), order: newId() }), 'order', 'unknown_id'],
    [() => ({ ...there(), quick_reply: newId() }), 'quick_reply', 'unknown_id'],
    [() => ({ ...there(), ...text, reply_to: newId() }), 'reply_to', 'unknown_id'],
    [() => ({ ...there(), ...text, hold_seconds: 301 }), 'hold_seconds', 'max'],
    [() => ({ ...there(), ...text, hold_seconds: -1 }), 'hold_seconds', 'min'],
    [() => ({ ...there(), ...text, hold_seconds: '5' }), 'hold_seconds', 'type'],
    [() => ({ ...there(), ...text, client_ref: 'x'.repeat(65) }), 'client_ref', 'max'],
    [() => ({ conversation: newId(), ...text }), 'conversation', 'unknown_id'],
    [() => ({ conversation: 'x', ...text }), 'conversation', 'unknown_id'],
    [() => ({ conversation: 'x'.repeat(27), ...text }), 'conversation', 'max'],
    [() => ({ contact: newId(), ...text }), 'contact', 'unknown_id'],
    [() => ({ contact, channel: 'x'.repeat(31), ...text }), 'channel', 'max'],
  ] as [() => object, string, string][])('case %# changes nothing', async (body, param, code) => {
    expect(await refused(body())).toMatchObject({ param, code });
  });
});

describe('what speaks against sending', () => {
  it('a contact that is blocked', async () => {
    const { id } = (await api.post('/contacts', { phone: '+351912345001' })).body.data;
    const thread = (await api.post('/messages', { contact: id, text: 'x' })).body.data.conversation;
    await settled(server().app, company.id);
    await api.patch(`/contacts/${id}`, { blocked: true });
    expect(await refused({ contact: id, text: 'x' })).toMatchObject({
      param: 'contact',
      code: 'contact_blocked',
    });
    expect(await refused({ conversation: thread, text: 'x' })).toMatchObject({
      param: 'conversation',
      code: 'contact_blocked',
    });
  });

  it('a contact without an address, or deleted', async () => {
    const { id } = (await api.post('/contacts', { email: 'only@example.com' })).body.data;
    expect(await refused({ contact: id, text: 'x' })).toMatchObject({ code: 'channel_unavailable' });
    await api.delete(`/contacts/${id}`);
    expect(await refused({ contact: id, text: 'x' })).toMatchObject({ param: 'contact', code: 'unknown_id' });
  });

  it('marketing to somebody who is unsubscribed; service goes through', async () => {
    const { id } = (await api.post('/contacts', { phone: '+351912345002', subscribed: false })).body.data;
    const template = { name: 'sale', language: 'en' };
    expect(await refused({ contact: id, template })).toMatchObject({
      param: 'template',
      code: 'contact_unsubscribed',
    });
    expect((await api.post('/messages', { contact: id, text: 'x' })).status).toBe(201);
    expect(
      (await api.post('/messages', { contact: id, template: { ...template, name: 'receipt' } })).status,
    ).toBe(201);
    expect((await api.post('/messages', { contact, template })).status).toBe(201);
    await settled(server().app, company.id);
  });

  it('a channel that is switched off, of a kind without a provider, or none at all', async () => {
    const { pool } = server().app;
    await pool.query("UPDATE channels SET status = 'disabled' WHERE company_id = $1", [company.id]);
    expect(await refused({ conversation, text: 'x' })).toMatchObject({ code: 'channel_unavailable' });
    expect(await refused({ contact, text: 'x' })).toMatchObject({
      param: 'contact',
      code: 'channel_unavailable',
    });
    await pool.query("UPDATE channels SET status = 'active' WHERE company_id = $1", [company.id]);
    const [pigeon] = await insertConversations(server().app, company.id, 1, () => ({ channel: 'tiktok' }));
    expect(await refused({ conversation: pigeon, text: 'x' })).toMatchObject({ code: 'channel_unavailable' });
    const other = await (await server().company()).client();
    const lonely = (await other.post('/contacts', { phone: '+351912345003' })).body.data.id;
    const answer = await other.post('/messages', { contact: lonely, text: 'x' });
    expect(answer.body.error.details[0]).toMatchObject({ param: 'channel', code: 'channel_unavailable' });
  });
});

describe('magic numbers', () => {
  const to = async (client: Client, phone: string) => {
    const { data } = (await client.get('/contacts', { phone })).body;
    const id = data[0]?.id ?? (await client.post('/contacts', { phone })).body.data.id;
    return client.post('/messages', { contact: id, text: 'x' });
  };

  it('fail in their ways with a live key', async () => {
    const failing = await to(api, '+15005550001');
    expect(failing.status).toBe(201);
    const { id } = failing.body.data;
    const show = async () => (await api.get(`/messages/${id}`)).body.data;
    await expect.poll(async () => (await show()).status, { timeout: 10_000 }).toBe('failed');
    expect((await show()).failure).toMatchObject({ code: 'undeliverable', provider_code: '131026' });
    expect((await to(api, '+15005550002')).body.error.details[0].code).toBe('window_closed');
    expect((await to(api, '+15005550003')).body.error.details[0].code).toBe('contact_blocked');
    const limited = await to(api, '+15005550004');
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await to(api, '+15005550005')).status).toBe(500);
  });

  it('and with a test key, at once and without a trace', async () => {
    const sandbox = await company.client({ mode: 'test' });
    const before = await receivedTexts(server().app, company.id);
    const failed = await to(sandbox, '+15005550001');
    expect(failed.status).toBe(201);
    expect(failed.body.data).toMatchObject({ status: 'failed', failure: { code: 'undeliverable' } });
    const types = failed.body.meta.test.events.map(({ type }: { type: string }) => type);
    expect(types).toContain('message.failed');
    expect((await to(sandbox, '+15005550002')).body.error.details[0].code).toBe('window_closed');
    expect((await to(sandbox, '+15005550003')).body.error.details[0].code).toBe('contact_blocked');
    expect((await to(sandbox, '+15005550004')).status).toBe(429);
    expect((await to(sandbox, '+15005550005')).status).toBe(500);
    expect((await to(sandbox, '+14155550142')).body.data.status).toBe('queued');
    const [some] = (await sandbox.get('/conversations')).body.data;
    const template = { name: 'test_rejected', language: 'en' };
    expect((await sandbox.post('/messages', { conversation: some.id, template })).status).toBe(422);
    expect(await receivedTexts(server().app, company.id)).toEqual(before);
  });
});
