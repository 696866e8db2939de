import { describe, expect, it } from 'vitest';
import { createAgent } from '../server/account/agents.ts';
import { closedDays, restoreCompany } from '../server/privacy/close-company.ts';
import { eraseClosed } from '../server/privacy/erase-company.ts';
import { filesIn, uploadTo } from './support/media.ts';
import { ownerPage, ownerPassword, Page } from './support/page.ts';
import { startReceiver } from './support/receiver.ts';
import { insertContacts } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addSimulator } from './support/simulator.ts';
import {
  createContacts,
  createEndpoint,
  dashboard,
  deliveriesOf,
  loopbackAllowed,
} from './support/webhooks.ts';

const server = useServer({ ...loopbackAllowed, SIGN_IN_ATTEMPTS: '1000' });
const day = 24 * 60 * 60 * 1000;

const close = (page: Page, name: string, password = ownerPassword) =>
  page.step('/close-company', { name, password });

/** Test companies are numbered. */
const nameOf = async (company: TestCompany): Promise<string> =>
  (await (await company.client()).get('/me')).body.data.company.name;

const isOpen = async ({ id }: TestCompany): Promise<boolean> => {
  const { rows } = await server().app.pool.query('SELECT closed_at FROM companies WHERE id = $1', [id]);
  return rows[0]?.closed_at === null;
};

/** Rows of the company and of its sandbox, by table. */
async function kept(ids: readonly string[]): Promise<string[]> {
  const { pool } = server().app;
  const { rows } = await pool.query<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t
       USING (table_schema, table_name)
     WHERE c.table_schema = current_schema() AND c.column_name = 'company_id' AND t.table_type = 'BASE TABLE'
     ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const sql = `SELECT 1 FROM ${name} WHERE company_id = ANY($1) LIMIT 1`;
    if ((await pool.query(sql, [ids])).rows.length > 0) found.push(name);
  }
  return found;
}

describe('closing a company', () => {
  it('takes its name and the password of the Owner, and nobody else does it', async () => {
    const company = await server().company('Casa');
    const owner = await ownerPage(server().url, company);
    const name = await nameOf(company);
    const wrong = await close(owner, name, 'wrong horse battery');
    expect([wrong.status, wrong.body.error.param]).toEqual([422, 'password']);
    const other = await close(owner, name.toLowerCase());
    expect([other.status, other.body.error.param]).toEqual([422, 'name']);
    const nothing = await owner.step('/close-company', {});
    expect([nothing.status, nothing.body.error.code]).toEqual([422, 'validation_failed']);
    expect((await close(new Page(server().url), name)).status).toBe(401);
    owner.mode = 'test';
    expect((await close(owner, name)).status).toBe(403);
    for (const role of ['admin', 'agent'] as const) {
      const email = `${role}-closing-${process.pid}@example.com`;
      await createAgent(server().app, {
        company: company.id,
        email,
        name: role,
        role,
        password: ownerPassword,
      });
      const page = new Page(server().url);
      await page.signIn(email);
      expect((await close(page, name)).status).toBe(403);
    }
    const key = await company.key();
    const headers = { Authorization: `Bearer ${key.key}` };
    expect((await new Page(server().url).step('/close-company', { name }, headers)).status).toBe(401);
    expect(await isOpen(company)).toBe(true);
  });

  it('ends sessions and keys at once, sends nothing more, and can be taken back by whoever runs the server', async () => {
    const [receiver, elsewhere] = [await startReceiver(), await startReceiver()];
    receiver.answer(500);
    const company = await server().company('Casa');
    const other = await server().company('Outra');
    const clients = [await company.client(), await company.client({ mode: 'test' })];
    const { id: channel } = await addSimulator(server().app, company.id);
    await createEndpoint(server(), company, { url: receiver.url, events: ['contact.created'] });
    await createEndpoint(server(), other, { url: elsewhere.url, events: ['contact.created'] });
    await createContacts(company, 1);
    await receiver.until(1);
    const due = () =>
      server().app.pool.query(
        `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE company_id = $1 AND status = 'retrying'
         RETURNING id`,
        [company.id],
      );
    const owner = await ownerPage(server().url, company);
    const name = await nameOf(company);
    await expect.poll(async () => (await deliveriesOf(server(), company))[0]?.['status']).toBe('retrying');

    const answer = await close(owner, name);
    expect([answer.status, answer.body.data?.closed]).toEqual([200, true]);
    expect(Date.parse(answer.body.data.erased_at) - server().clock.now().getTime()).toBeGreaterThan(29 * day);
    expect((await owner.query('account.profile')).status).toBe(401);
    expect((await new Page(server().url).signIn(company.owner.email)).status).toBe(401);
    for (const client of clients)
      await expect.poll(async () => (await client.get('/contacts')).status).toBe(401);
    const call = { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } };
    expect((await fetch(`${server().url}/channels/${channel}/webhook`, call)).status).toBe(404);
    receiver.answer(200);
    expect((await due()).rows).toHaveLength(1);
    await createContacts(other, 2);
    await elsewhere.until(2);
    expect(receiver.received).toHaveLength(1);

    expect(await restoreCompany(server().app, company.id)).toEqual({ id: company.id, name });
    await expect.poll(async () => (await clients[0]?.get('/contacts'))?.status).toBe(200);
    expect((await new Page(server().url).signIn(company.owner.email)).status).toBe(200);
    await expect(restoreCompany(server().app, company.id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(restoreCompany(server().app, 'nothing')).rejects.toMatchObject({ code: 'not_found' });
    const { rows: log } = await server().app.pool.query(
      "SELECT target_id, changed FROM audit_logs WHERE company_id = $1 AND action = 'company.close'",
      [company.id],
    );
    expect(log).toHaveLength(1);
    await due();
    await receiver.until(2);
    await receiver.close();
    await elsewhere.close();
  });

  it('lets a campaign stand still, and go on once it is open again', async () => {
    const { app } = server();
    const launch = async (company: TestCompany, people: number, rate: number) => {
      await addSimulator(app, company.id, { campaign_rate: rate });
      await insertContacts(app, company.id, people, (n) => ({
        name: `Person ${n}`,
        phone: `+3519${10_000_000 + n}`,
        created_at: new Date(),
      }));
      const { campaigns } = await dashboard(server(), company, 'owner');
      const { data } = await campaigns.create({ name: 'Spring', text: 'Hello' });
      await campaigns.send({ campaign: data.id });
      const status = async () => (await campaigns.show({ campaign: data.id })).data.status;
      return { status };
    };
    const sent = async ({ id }: TestCompany): Promise<number> => {
      const { rows } = await app.pool.query(
        'SELECT count(*)::int AS count FROM messages WHERE company_id = $1',
        [id],
      );
      return rows[0].count;
    };
    const company = await server().company('Casa');
    await launch(company, 60, 2);
    const patience = { timeout: 60_000 };
    await expect.poll(() => sent(company), patience).toBeGreaterThan(0);
    expect((await close(await ownerPage(server().url, company), await nameOf(company))).status).toBe(200);
    // Whole campaigns of others, before and after: what was on its way is there, and nothing follows.
    const others = async () => {
      const { status } = await launch(await server().company('Outra'), 3, 1000);
      await expect.poll(status, patience).toBe('completed');
      return sent(company);
    };
    const before = await others();
    expect(before).toBeLessThan(60);
    expect(await others()).toBe(before);
    await restoreCompany(app, company.id);
    await expect.poll(() => sent(company), patience).toBeGreaterThan(before);
  });

  it('erases all of it after 30 days, with sandbox, files and logins, and nothing of others', async () => {
    const company = await server().company('Casa');
    const other = await server().company('Outra');
    const api = await company.client();
    await createContacts(company, 3);
    await createContacts(other, 1);
    const { pool } = server().app;
    expect((await uploadTo(api, 'Hello', 'a.txt', 'text/plain')).status).toBe(201);
    expect(filesIn(server().app, 'media')).toHaveLength(1);
    const owner = await ownerPage(server().url, company);
    const name = await nameOf(company);
    const { rows } = await pool.query<{ id: string }>(
      'SELECT id FROM companies WHERE id = $1 OR sandbox_of = $1',
      [company.id],
    );
    const ids = rows.map(({ id }) => id);
    expect(await kept(ids)).toEqual(expect.arrayContaining(['contacts', 'events', 'users', 'api_keys']));

    expect((await close(owner, name)).status).toBe(200);
    server().clock.advance((closedDays - 1) * day);
    expect(await eraseClosed(server().app)).toBe(0);
    expect(await kept(ids)).toContain('contacts');
    server().clock.advance(2 * day);
    expect(await eraseClosed(server().app)).toBe(1);
    expect(await eraseClosed(server().app)).toBe(0);
    expect((await kept(ids)).filter((table) => !table.startsWith('audit_'))).toEqual([]);
    const { rows: logins } = await pool.query('SELECT 1 FROM logins WHERE email = $1', [company.owner.email]);
    expect(logins).toEqual([]);
    expect(filesIn(server().app, 'media')).toEqual([]);
    await expect(restoreCompany(server().app, company.id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await (await other.client()).get('/contacts')).body.data).toHaveLength(1);
  });
});
