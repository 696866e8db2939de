import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { AuditEntry } from '../schema/audit.ts';
import { createAgent } from '../server/account/agents.ts';
import { sealAudit } from '../server/audit/seal.ts';
import { houseChecks } from '../server/doctor/others.ts';
import { keyed, type Client } from './support/client.ts';
import { connect } from './support/connect.ts';
import { ownerPage, ownerPassword, Page } from './support/page.ts';
import { procedures } from './support/procedures.ts';
import { insertConversations } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer({ SIGN_IN_ATTEMPTS: '100000' });
let company: TestCompany;
let owner: Page;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client({ name: 'Zapier' });
  owner = await ownerPage(server().url, company);
});

const entries = async (input: object = {}, page = owner) => {
  const { data } = (await page.query('audit.list', { limit: 100, ...input })).body.result.data;
  return data.map((one: unknown) => AuditEntry.parse(one)) as AuditEntry[];
};
const count = async () => (await entries()).length;

describe('the audit log', () => {
  it('has one row for a change with a key, over REST, tRPC and GraphQL [D15]', async () => {
    const made = await api.post('/contacts', { name: 'Ana', email: 'ana@example.com' });
    const { id } = made.body.data;
    expect((await entries())[0]).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      actor: {
        type: 'api_key',
        name: expect.stringMatching(/ \(API: Zapier\)$/),
        email: company.owner.email,
        key: expect.any(String),
      },
      action: 'contacts.create',
      resource: 'contacts',
      target: id,
      fields: ['name', 'email'],
      request_id: made.headers.get('x-request-id'),
      ip: expect.stringMatching(/127\.0\.0\.1/),
    });
    await api.patch(`/contacts/${id}`, { name: 'Ana Sousa' });
    await api.trpc('mutation', 'contacts.update', { contact: id, blocked: true });
    await api.graphql(`mutation { updateContact(contact: "${id}", input: { name: "A" }) { id } }`);
    const all = await entries({ target: id });
    expect(all.map(({ action, fields }) => [action, fields])).toEqual([
      ['contacts.update', ['name']],
      ['contacts.update', ['blocked']],
      ['contacts.update', ['name']],
      ['contacts.create', ['name', 'email']],
    ]);
  });

  it('names the agent in the dashboard', async () => {
    const [id] = await insertConversations(server().app, company.id, 1);
    await owner.mutate('conversations.close', { conversation: id });
    expect((await entries())[0]).toMatchObject({
      actor: { type: 'agent', email: company.owner.email, key: null },
      action: 'conversations.close',
      target: id,
    });
  });

  it('has nothing of what was refused, rehearsed, replayed or only read', async () => {
    const key = keyed();
    await api.post('/tags', { name: 'once' }, key);
    const before = await count();
    expect((await api.post('/tags', { name: 'once' }, key)).headers.get('idempotency-replayed')).toBe('true');
    expect((await api.post('/tags', { name: '' })).status).toBe(422);
    expect((await api.get('/tags')).status).toBe(200);
    const sandbox = await company.client({ mode: 'test' });
    expect((await sandbox.post('/tags', { name: 'rehearsed' })).status).toBe(201);
    await sandbox.graphql('mutation { createTag(input: { name: "rehearsed" }) { id } }');
    expect(await count()).toBe(before);
    const { rows } = await server().app.pool.query('SELECT FROM audit_logs WHERE company_id <> $1', [
      company.id,
    ]);
    expect(rows).toEqual([]);
  });

  it('leaves out what is only somebody’s own and changes all the time', () => {
    const left = procedures.filter(({ operation }) => operation.unaudited).map(({ name }) => name);
    expect(left.sort()).toEqual([
      'conversations.updatePresence',
      'drafts.delete',
      'drafts.save',
      'notifications.markAllRead',
      'notifications.markRead',
    ]);
  });

  it('keeps no values and can’t be changed [D15]', async () => {
    const secret = 'canary-7d1f';
    await api.post('/contacts', { name: secret, phone: '+351912345678' });
    await owner.mutate('keys.create', { name: secret, mode: 'test', scopes: ['contacts.view'] });
    const { pool } = server().app;
    const { rows } = await pool.query('SELECT audit_logs::text AS row FROM audit_logs WHERE action = $1', [
      'contacts.create',
    ]);
    expect(JSON.stringify(rows)).not.toContain(secret);
    await expect(pool.query(`UPDATE audit_logs SET action = 'x'`)).rejects.toThrow('append-only');
    await expect(pool.query('DELETE FROM audit_logs')).rejects.toThrow('append-only');
  });

  it('tells of every one of a hundred entries that somebody changed, took out or put in [D15]', async () => {
    const other = await server().company();
    const client = await other.client();
    for (let n = 0; n < 30; n++) await client.post('/tags', { name: `chained ${n}` });
    const { app, databaseUrl } = server();
    const unsealed = 'SELECT FROM audit_logs WHERE hash IS NULL AND company_id = $1';
    await expect
      .poll(async () => {
        await sealAudit(app.pool);
        return (await app.pool.query(unsealed, [other.id])).rowCount;
      })
      .toBe(0);
    const db = await connect(databaseUrl);
    const wrong = async () => {
      const { sql } = houseChecks.find(({ name }) => name === 'audit-log-is-whole')!;
      return (await db.query(sql)).rowCount;
    };
    expect(await wrong()).toBe(0);
    const { rows } = await db.query<{ id: string }>(
      'SELECT id FROM audit_logs WHERE company_id = $1 ORDER BY sequence',
      [other.id],
    );
    const ways = [
      `UPDATE audit_logs SET actor_name = 'nobody' WHERE id = $1`,
      `UPDATE audit_logs SET at = at - interval '1 second' WHERE id = $1`,
      'DELETE FROM audit_logs WHERE id = $1',
      `INSERT INTO audit_logs (company_id, id, sequence, actor_type, action, target_type, at)
         SELECT company_id, '01M8H8W81T786Q5C19VR900MXW', sequence - 1, 'agent', 'x', 'x', at FROM audit_logs WHERE id = $1`,
      `UPDATE audit_logs SET action = 'x', hash = sha256('x') WHERE id = $1`,
    ];
    let found = 0;
    for (let n = 0; n < 100; n++) {
      await db.query('BEGIN; ALTER TABLE audit_logs DISABLE TRIGGER USER');
      const { rowCount } = await db.query(ways[n % ways.length]!, [rows[n % rows.length]!.id]);
      expect(rowCount).toBe(1);
      if ((await wrong()) !== 0) found++;
      await db.query('ROLLBACK');
    }
    expect(found).toBe(100);
    await db.end();
  });

  it('has the hashes of the record before and after, and so do entries that follow each other [D15]', async () => {
    const hashes = async () => {
      const { rows } = await server().app.pool.query<{ before: string | null; after: string | null }>(
        `SELECT encode(before_hash, 'hex') AS before, encode(after_hash, 'hex') AS after FROM audit_logs
         WHERE company_id = $1 ORDER BY sequence DESC LIMIT 1`,
        [company.id],
      );
      return rows[0]!;
    };
    const sum = (record: object) => {
      const inOrder = Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
      return createHash('sha256').update(JSON.stringify(inOrder)).digest('hex');
    };
    const made = (await api.post('/contacts', { name: 'Hashed' })).body.data;
    expect(await hashes()).toEqual({ before: null, after: sum(made) });
    const changed = (await api.patch(`/contacts/${made.id}`, { name: 'Hashed anew' })).body.data;
    // Before is what is known of it: the fields that the event names, in the record as it is now.
    expect(await hashes()).toEqual({ before: sum({ ...changed, name: 'Hashed' }), after: sum(changed) });
    await owner.mutate('company.update', { locale: 'pt' });
    expect(await hashes()).toEqual({ before: null, after: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it('is given as CSV with the same filters, to admins and the Owner alone', async () => {
    const answer = await owner.send('GET', '/csv/audit?resource=tags');
    expect(answer.status).toBe(200);
    const lines = answer.text.trim().split('\r\n');
    expect(lines[0]).toContain(
      'id,at,actor_type,actor_name,actor_email,key,action,target,fields,request_id,ip',
    );
    expect(lines.slice(1)).toEqual([expect.stringMatching(/,tags\.create,/)]);
    expect((await owner.send('GET', '/csv/audit?resource=')).status).toBe(200);
    const stranger = await ownerPage(server().url, await server().company());
    expect((await stranger.send('GET', '/csv/audit')).text.trim().split('\r\n')).toHaveLength(1);
  });

  it('is filtered, paged, and read by admins and the Owner alone', async () => {
    const email = 'bob@example.com';
    await createAgent(server().app, { company: company.id, email, name: 'Bob', password: ownerPassword });
    const bob = new Page(server().url);
    await bob.signIn(email);
    await bob.mutate('contacts.create', { name: 'By Bob' });
    expect((await bob.query('audit.list')).status).toBe(403);
    expect((await api.trpc('query', 'audit.list', {})).status).toBe(403);
    expect(await entries({ actor: email.toUpperCase() })).toMatchObject([{ action: 'contacts.create' }]);
    expect((await entries({ resource: 'tags' })).map(({ action }) => action)).toEqual(['tags.create']);
    expect(await entries({ action: 'tags.create', to: '2026-01-01' })).toEqual([]);
    const first = (await owner.query('audit.list', { limit: 2 })).body.result.data;
    const cursor = first.meta.next_cursor;
    const next = (await owner.query('audit.list', { limit: 2, cursor })).body.result.data;
    expect(new Set([...first.data, ...next.data].map(({ id }) => id)).size).toBe(4);
    const graphql = await owner.graphql('{ auditLog(first: 1) { items { action actorEmail } } }');
    expect(graphql.body.data.auditLog.items).toEqual([{ action: 'contacts.create', actorEmail: email }]);
    const stranger = await ownerPage(server().url, await server().company());
    expect(await entries({}, stranger)).toEqual([]);
  });
});
