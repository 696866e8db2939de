import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { examine, type Finding } from '../server/doctor/examine.ts';
import { runProgram } from '../server/cli/program.ts';
import { seedCompany } from '../server/seed/seed.ts';
import { connect } from './support/connect.ts';
import { useServer } from './support/server.ts';
import { addSimulator, deliver, settled } from './support/simulator.ts';
import { addContact, addProduct } from './support/shop.ts';

const server = useServer();
let db: pg.Client;

beforeAll(async () => {
  const company = await server().company();
  const api = await company.client();
  const contact = await addContact(api);
  const product = await addProduct(api, { stock: 10 });
  const ids: string[] = [];
  for (let n = 0; n < 3; n++)
    ids.push((await api.post('/orders', { contact, items: [{ product, quantity: 2 }] })).body.data.id);
  await api.post(`/orders/${ids[0]}/advance`, { status: 'cancelled' });
  await api.post(`/orders/${ids[1]}/advance`, {});
  await api.post(`/orders/${ids[1]}/advance`, { status: 'shipped', payment_status: 'paid' });
  for (const start of ['2031-03-04T10:00:00Z', '2031-03-04T11:00:00Z'])
    await api.post('/bookings', { title: 'a', starts_at: start, duration_minutes: 60 });
  const counts = { contacts: 40, conversations: 60, messages: 601, products: 10, orders: 120 };
  await seedCompany(server().databaseUrl, { companyId: company.id, seed: 'doctor', ...counts });
  db = await connect(server().databaseUrl);
}, 300_000);

afterAll(() => db.end());

/** How each rule is broken behind the back of the house. Constraints that would refuse it are taken away first. */
const sabotage: Record<string, string> = {
  'stock-is-its-ledger': 'UPDATE products SET stock = stock + 1 WHERE stock IS NOT NULL',
  'reserved-is-in-open-orders': 'UPDATE products SET reserved = reserved + 1',
  'order-moves-stock-once': "UPDATE stock_movements SET quantity = quantity * 2 WHERE kind = 'sale'",
  'order-totals-add-up': 'UPDATE orders SET subtotal = subtotal + 1, total = total + 1',
  'order-numbers-run': 'UPDATE order_counters SET last_number = last_number + 1',
  'order-history-is-legal': "UPDATE order_status_changes SET status = 'delivered' WHERE status = 'confirmed'",
  'order-is-where-its-history-ends': "UPDATE orders SET status = 'returned' WHERE status = 'shipped'",
  'order-has-one-currency': "UPDATE orders SET currency = 'JPY'",
  'conversation-shows-its-last-message': `UPDATE conversations SET last_message = jsonb_set(last_message, '{status}', '"lost"')`,
  'conversation-counts-what-it-holds': "UPDATE conversations SET held_count = 7, held_until = '2031-01-01'",
  'conversation-knows-its-tags': "UPDATE conversations SET tag_ids = '{x}'",
  'conversation-counts-its-suggestions': 'UPDATE conversations SET pending_suggestions = 5',
  'conversation-timeline-is-in-order': "UPDATE conversations SET last_entry_at = '2000-01-01'",
  'conversation-unread-is-possible': 'UPDATE conversations SET unread_count = 100000',
  'unread-total-is-the-sum': 'UPDATE unread_changes SET delta = delta + 1',
  'rating-has-its-time': 'UPDATE conversations SET rating = 5, rated_at = NULL',
  'automatic-message-was-written': "UPDATE conversations SET away_sent_at = '2031-01-01'",
  'message-is-of-its-conversation': `UPDATE messages m SET contact_id = c.id FROM contacts c
    WHERE c.company_id = m.company_id AND c.id <> m.contact_id`,
  'slot-has-one-booking': `ALTER TABLE bookings DROP CONSTRAINT bookings_no_overlap;
    UPDATE bookings SET ends_at = ends_at + interval '5 minutes'`,
  'campaign-counts-its-recipients': 'UPDATE campaigns SET pending = pending + 1, total = total + 1',
  'campaign-writes-once': `UPDATE messages SET campaign_id =
    (SELECT min(id) FROM campaigns c WHERE c.company_id = messages.company_id) WHERE direction = 'outbound'`,
  'recipient-is-where-its-message-is': `UPDATE campaign_recipients r SET message_id =
    (SELECT min(id) FROM messages m WHERE m.company_id = r.company_id AND m.direction = 'inbound')`,
  'campaign-counts-its-orders': 'UPDATE campaigns SET order_count = order_count + 1',
  'company-has-a-twin': 'UPDATE users SET mirror_of = NULL, email = id WHERE mirror_of IS NOT NULL',
  'company-has-an-owner': 'UPDATE users SET deactivated_at = now()',
  'sandbox-sends-nothing':
    'UPDATE companies SET sandbox_of = NULL WHERE sandbox_of IS NOT NULL; UPDATE companies c SET sandbox_of = (SELECT min(id) FROM companies WHERE id <> c.id) WHERE id = (SELECT company_id FROM events LIMIT 1)',
  'event-tells-of-its-own-company':
    "UPDATE events SET payload = jsonb_set(payload, '{company}', '\"another\"')",
  'audit-log-is-whole': `SELECT seal_audit(100000); ALTER TABLE audit_logs DISABLE TRIGGER USER;
    UPDATE audit_logs SET action = 'contacts.create'`,
  'wall-stands': 'ALTER TABLE contacts NO FORCE ROW LEVEL SECURITY',
  'index-is-valid': 'ALTER TABLE products ADD CONSTRAINT never CHECK (price > 1) NOT VALID',
};

describe('the doctor', () => {
  it('finds nothing wrong with what the house wrote', async () => {
    const findings = await examine(server().databaseUrl);
    expect(findings.filter(({ count }) => count > 0)).toEqual([]);
    expect(findings.map(({ name }) => name).sort()).toEqual(Object.keys(sabotage).sort());
  });

  it.each(Object.entries(sabotage))('names a violation of %s', async (name, sql) => {
    // Everything is undone, so each rule is broken on its own: the doctor looks into the same transaction.
    await db.query('BEGIN');
    try {
      await db.query('SET CONSTRAINTS ALL DEFERRED');
      await db.query(sql);
      const findings = await examine(db);
      const found = findings.find((finding) => finding.name === name);
      expect(found?.count).toBeGreaterThan(0);
      expect(found?.violations[0]?.detail).not.toBe('');
      expect(found?.violations.length).toBeLessThanOrEqual(20);
    } finally {
      await db.query('ROLLBACK');
    }
  });
});

describe('of a thread that a blocked contact writes into', () => {
  const finding = async () =>
    (await examine(db)).find(({ name }) => name === 'conversation-shows-its-last-message');
  const phone = '+351912345678';

  it('the doctor expects what was there before, and still finds a stale one', async () => {
    const company = await server().company();
    const api = await company.client();
    const { id: channel } = await addSimulator(server().app, company.id);
    const writes = async (text: string) => {
      await deliver(server().app, company.id, channel, { from: phone, text });
      const texts = async () =>
        (await api.get('/messages')).body.data.map((one: { text: string }) => one.text);
      await expect.poll(texts).toContain(text);
    };
    await writes('first');
    await writes('second');
    const contact = (await api.get('/contacts')).body.data[0].id;
    await api.patch(`/contacts/${contact}`, { blocked: true });
    await writes('unheard');
    expect(await finding()).toMatchObject({ count: 0 });
    await api.patch(`/contacts/${contact}`, { blocked: false });
    const { id } = (await api.post('/messages', { contact, text: 'answer' })).body.data;
    await settled(server().app, company.id);
    expect(await finding()).toMatchObject({ count: 0 });
    for (const stale of [`text = 'second'`, `text = 'unheard'`]) {
      await db.query('BEGIN');
      await db.query(
        `UPDATE conversations c SET last_message_at = m.at,
           last_message = jsonb_build_object('id', m.id, 'status', m.status)
         FROM messages m WHERE m.conversation_id = c.id AND c.company_id = $1 AND m.${stale}`,
        [company.id],
      );
      const found = await finding();
      await db.query('ROLLBACK');
      expect(found?.count).toBe(1);
      expect(found?.violations[0]?.detail).toContain(id);
    }
  });
});

describe('parlour doctor', () => {
  const run = async (...args: string[]) => {
    const written: string[] = [];
    vi.stubEnv('DATABASE_URL', server().databaseUrl);
    vi.stubEnv('PORT', String(port));
    vi.stubEnv('DATA_DIR', dataDir);
    try {
      const code = await runProgram(args, (text) => void written.push(text));
      return { code, text: written.join('') };
    } finally {
      vi.unstubAllEnvs();
    }
  };
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parlour-doctor-'));
  let port = 0;
  afterAll(() => rmSync(dataDir, { recursive: true }));

  it('ends with 0 while all is well, and with 1 when something is wrong', async () => {
    const well = await run('--json', 'doctor');
    expect(well.code).toBe(0);
    expect(JSON.parse(well.text)).toMatchObject({ healthy: true });
    await db.query('UPDATE products SET reserved = reserved + 1');
    const ill = await run('--json', 'doctor');
    expect(ill.code).toBe(1);
    const { healthy, checks } = JSON.parse(ill.text);
    expect(healthy).toBe(false);
    expect(
      checks.filter(({ count }: { count: number }) => count > 0).map(({ name }: { name: string }) => name),
    ).toEqual(['reserved-is-in-open-orders']);
    const plain = await run('--quiet', 'doctor');
    expect(plain.code).toBe(1);
    expect(plain.text).toMatch(/^WRONG reserved-is-in-open-orders: .*$/m);
    expect(plain.text).toMatch(/^ok {4}stock-is-its-ledger$/m);
    await db.query('UPDATE products SET reserved = reserved - 1');
  });

  it('looks at what the house stands on, and at the records only if they are of its schema', async () => {
    const stranger = net.createServer((socket) => socket.end('no HTTP')).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    port = (stranger.address() as net.AddressInfo).port;
    chmodSync(dataDir, 0o755);
    const wrong = async () => {
      const { code, text } = await run('--json', 'doctor');
      expect(code).toBe(1);
      const { checks } = JSON.parse(text) as { checks: Finding[] };
      return checks.filter(({ count }) => count > 0).map(({ name, violations }) => [name, violations[0]?.id]);
    };
    try {
      expect(await wrong()).toEqual([
        ['data-folder-is-private', 'DATA_DIR'],
        ['port-is-ours', 'PORT'],
      ]);
      port = Number(new URL(server().url).port);
      chmodSync(dataDir, 0o700);
      await db.query('ALTER TABLE _prisma_migrations RENAME COLUMN finished_at TO finished');
      await db.query('ALTER TABLE _prisma_migrations ADD finished_at timestamptz');
      expect(await wrong()).toEqual([['schema-is-current', 'schema']]);
      await db.query('ALTER TABLE _prisma_migrations DROP COLUMN finished_at');
      await db.query('ALTER TABLE _prisma_migrations RENAME COLUMN finished TO finished_at');
      // Parlour itself has the port.
      expect((await run('doctor')).code).toBe(0);
    } finally {
      stranger.close();
    }
  });
});
