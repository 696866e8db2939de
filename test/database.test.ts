import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { migrate, pendingMigrations, schemaDrift } from '../server/platform/migrate.ts';
import { createTestDatabase } from './support/postgres.ts';

/** A database without migrations. */
async function createEmptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const { adminUrl, prefix } = inject('postgres');
  const name = `${prefix}${Math.random().toString(36).slice(2, 12)}`;
  const asAdmin = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: adminUrl });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await asAdmin(`create database ${name} template template0 encoding 'UTF8'`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => asAdmin(`drop database ${name} with (force)`) };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

describe('migrate', () => {
  const MIGRATIONS = fileURLToPath(new URL('../prisma/migrations/', import.meta.url));
  const all = ['20261128000000_data_model', '20261128000100_constraints'];

  test('fills an empty database, then finds nothing to do', async () => {
    const { url: databaseUrl, drop } = await createEmptyDatabase();
    expect(await pendingMigrations(databaseUrl)).toEqual(expect.arrayContaining(all));
    const { applied } = await migrate({ databaseUrl });
    expect(applied).toEqual(expect.arrayContaining(all));
    expect(await pendingMigrations(databaseUrl)).toEqual([]);
    expect(await migrate({ databaseUrl })).toEqual({ applied: [] });
    await drop();
  });

  test('of several at once, one migrates', async () => {
    const { url: databaseUrl, drop } = await createEmptyDatabase();
    const results = await Promise.all([1, 2, 3].map(() => migrate({ databaseUrl })));
    expect(results.filter(({ applied }) => applied.length > 0)).toHaveLength(1);
    const client = await connect(databaseUrl);
    const { rows } = await client.query<{ n: number }>(
      'select count(*)::int as n from _prisma_migrations group by migration_name',
    );
    expect(rows.every(({ n }) => n === 1)).toBe(true);
    await client.end();
    await drop();
  });

  test('a migration that fails leaves nothing behind, and runs once it is mended', async () => {
    const { url: databaseUrl, drop } = await createEmptyDatabase();
    const migrationsDir = await mkdtemp(path.join(os.tmpdir(), 'parlour-migrations-'));
    await cp(path.join(MIGRATIONS, 'migration_lock.toml'), path.join(migrationsDir, 'migration_lock.toml'));
    await mkdir(path.join(migrationsDir, '1_first'));
    const file = path.join(migrationsDir, '1_first', 'migration.sql');
    await writeFile(file, "create table one (note text default ';'); select 1 / 0;");
    await expect(migrate({ databaseUrl, migrationsDir })).rejects.toThrow(/division by zero/);
    await writeFile(file, "create table one (note text default ';');");
    expect(await migrate({ databaseUrl, migrationsDir })).toEqual({ applied: ['1_first'] });
    await rm(migrationsDir, { recursive: true });
    await drop();
  });

  test('the database and prisma/schema agree', async () => {
    const { url, drop } = await createTestDatabase();
    expect(await schemaDrift(url)).toEqual([]);
    const client = await connect(url);
    await client.query('alter table contacts add column stray text');
    expect(await schemaDrift(url)).toEqual([expect.stringContaining('DROP COLUMN "stray"')]);
    await client.end();
    await drop();
  });
});

describe('shape', () => {
  let client: pg.Client;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const database = await createTestDatabase();
    client = await connect(database.url);
    drop = database.drop;
  });
  afterAll(async () => {
    await client.end();
    await drop();
  });

  const names = async (sql: string): Promise<string[]> =>
    (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name);

  const TENANT_TABLES = `
    select c.oid, c.relname from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id')`;

  test('every tenant table has a primary key that starts with company_id', async () => {
    const tables = await names(`select relname as name from (${TENANT_TABLES}) t`);
    expect(tables.length).toBeGreaterThan(45);
    const bad = await names(`
      with t as (${TENANT_TABLES})
      select t.relname as name from t
      left join pg_index i on i.indrelid = t.oid and i.indisprimary
      left join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
      where a.attname is distinct from 'company_id'`);
    expect(bad).toEqual([]);
  });

  test('every foreign key between tenant tables joins on company_id', async () => {
    const bad = await names(`
      with t as (${TENANT_TABLES})
      select con.conname as name
      from pg_constraint con join t child on child.oid = con.conrelid join t parent on parent.oid = con.confrelid
      where con.contype = 'f' and not exists (
        select from unnest(con.conkey, con.confkey) as k(child, parent)
        join pg_attribute a on a.attrelid = con.conrelid and a.attnum = k.child and a.attname = 'company_id'
        join pg_attribute b on b.attrelid = con.confrelid and b.attnum = k.parent and b.attname = 'company_id')`);
    expect(bad).toEqual([]);
  });

  test('every column that names another row is a foreign key, but for those that say why not', async () => {
    const WITHOUT = [
      // The kind of the principal varies.
      'author_id',
      'actor_id',
      'principal_id',
      'target_id',
      // Ids that are not ours, or only echo a request.
      'provider_id',
      'external_id',
      'request_id',
      'credentials_key_id',
      'key_id',
      'mirror_of',
    ];
    // Logs outlive what they name, and the event log is dropped by age.
    const LOGS = ['events', 'audit_logs', 'request_logs', 'idempotency_records'];
    const OTHER = [
      'contact_tag_changes.tag_id',
      'webhook_deliveries.event_id',
      'webhook_deliveries.conversation_id',
      'webhook_endpoints.skip_api_key_id',
      'notifications.event_id',
      'simulator_messages.message_id',
    ];
    const columns = await names(`
      with t as (${TENANT_TABLES})
      select t.relname || '.' || a.attname as name
      from t join pg_attribute a on a.attrelid = t.oid
      where a.attname like '%\\_id' and a.attnum > 0 and not a.attisdropped
        and not exists (select from pg_constraint con
                        where con.conrelid = t.oid and con.contype = 'f' and a.attnum = any (con.conkey))
      order by 1`);
    const bad = columns.filter((name) => {
      const [table = '', column = ''] = name.split('.');
      return !WITHOUT.includes(column) && !LOGS.includes(table) && !OTHER.includes(name);
    });
    expect(bad).toEqual([]);
  });

  test('a foreign key to a table that grows has an index behind it', async () => {
    // Rows of these are few and are not deleted one by one.
    const SMALL = ['companies', 'users', 'roles', 'channels', 'teams', 'logins'];
    const bad = await names(`
      select con.conname as name
      from pg_constraint con
      where con.contype = 'f' and con.connamespace = 'public'::regnamespace
        and con.confrelid::regclass::text <> all ('{${SMALL.join()}}')
        and not exists (
          select from pg_index i
          where i.indrelid = con.conrelid
            and con.conkey @> (i.indkey::int2[])[0:cardinality(con.conkey) - 1]
            and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$'))`);
    expect(bad).toEqual([]);
  });

  test('references that do not cascade can be deferred, for the removal of a company', async () => {
    const bad = await names(`
      select conname as name from pg_constraint
      where contype = 'f' and confdeltype = 'a' and not condeferrable and connamespace = 'public'::regnamespace`);
    expect(bad).toEqual([]);
  });

  test('every time is timestamptz(3)', async () => {
    const bad = await names(`
      select c.table_name || '.' || c.column_name as name from information_schema.columns c
      where c.table_schema = 'public' and c.table_name <> '_prisma_migrations'
        and (c.data_type ~ '^(timestamp|date|time)') 
        and not (c.data_type = 'timestamp with time zone' and c.datetime_precision = 3)`);
    expect(bad).toEqual([]);
  });

  test('every column is the snake_case of a field, money is bigint, closed word lists are checked', async () => {
    const odd = await names(`
      select c.table_name || '.' || c.column_name as name from information_schema.columns c
      where c.table_schema = 'public' and c.column_name !~ '^[a-z][a-z0-9]*(_[a-z0-9]+)*$'`);
    expect(odd).toEqual([]);
    const money = await names(`
      select c.table_name || '.' || c.column_name as name from information_schema.columns c
      where c.table_schema = 'public' and c.data_type <> 'bigint'
        and c.column_name in ('price', 'unit_price', 'subtotal', 'discount', 'shipping_fee', 'tax', 'revenue', 'cost')`);
    expect(money).toEqual([]);
    const unchecked = await names(`
      select c.table_name || '.' || c.column_name as name from information_schema.columns c
      where c.table_schema = 'public' and c.data_type = 'text'
        and c.column_name in ('status', 'kind', 'direction', 'mode', 'payment_status', 'source', 'author_type')
        and not exists (
          select from pg_constraint con
          join pg_attribute a on a.attrelid = con.conrelid and a.attnum = any (con.conkey) and a.attname = c.column_name
          where con.contype = 'c' and con.conrelid = c.table_name::regclass)`);
    expect(unchecked).toEqual([]);
  });
});

type Row = Record<string, unknown>;
const id = (n: number): string => String(n).padStart(26, '0');
const COMPANY = id(1);
const AT = '2026-03-01T09:30:00.000Z';
const later = (minutes: number): string => new Date(Date.parse(AT) + minutes * 60_000).toISOString();

/** Valid rows, in an order that foreign keys accept. */
const BASE: Record<string, Row> = {
  roles: { id: id(10), key: 'agent', name: 'Agent', permissions: [] },
  users: { id: id(11), email: 'Ana@example.com', display_name: 'Ana', role_id: id(10) },
  teams: { id: id(12), name: 'Sales', slug: 'sales' },
  invitations: {
    id: id(13),
    email: 'b@example.com',
    role_id: id(10),
    token_hash: Buffer.alloc(32),
    expires_at: AT,
  },
  api_keys: {
    id: id(14),
    name: 'Key',
    mode: 'live',
    scopes: [],
    secret_hash: Buffer.alloc(32),
    last4: 'abcd',
    user_id: id(11),
  },
  channels: { id: id(15), kind: 'simulator', name: 'Simulator', is_default: true },
  contacts: {
    id: id(16),
    name: 'Zoë',
    phone: '+5511987654321',
    phone_key: '5511987654321',
    email: 'Zoe@example.com',
    country: 'BR',
  },
  tags: { id: id(17), name: 'VIP' },
  contact_tag_changes: {
    id: id(18),
    contact_id: id(16),
    tag_id: id(17),
    tag_name: 'VIP',
    action: 'add',
    at: AT,
  },
  conversations: {
    id: id(20),
    contact_id: id(16),
    channel_id: id(15),
    channel_kind: 'simulator',
    last_message_at: AT,
    last_entry_at: AT,
  },
  notes: {
    id: id(21),
    conversation_id: id(20),
    contact_id: id(16),
    text: 'Hi',
    author_type: 'agent',
    at: AT,
  },
  note_mentions: { note_id: id(21), user_id: id(11), position: 0 },
  timeline_events: {
    id: id(22),
    conversation_id: id(20),
    type: 'conversation.closed',
    author_type: 'agent',
    at: AT,
  },
  conversation_presence: { conversation_id: id(20), holder_id: id(11), expires_at: AT },
  media: {
    id: id(23),
    kind: 'image',
    mime_type: 'image/png',
    size: 1,
    filename: 'a.png',
    sha256: Buffer.alloc(32),
    storage_key: 'k',
    url_token: 'x'.repeat(22),
  },
  products: { id: id(24), name: 'Mug', price: 500, currency: 'USD', stock: 5, sku: 'MUG' },
  orders: {
    id: id(25),
    number: 1,
    contact_id: id(16),
    currency: 'USD',
    subtotal: 1000,
    discount: 100,
    shipping_fee: 50,
    tax: 5,
    total: 955,
    placed_at: AT,
    external_id: 'x-1',
  },
  order_items: {
    id: id(26),
    order_id: id(25),
    position: 0,
    name: 'Mug',
    quantity: 2,
    unit_price: 500,
    total: 1000,
  },
  order_status_changes: { id: id(27), order_id: id(25), status: 'pending', payment_status: 'unpaid', at: AT },
  order_counters: { last_number: 1 },
  stock_movements: { id: id(28), product_id: id(24), kind: 'initial', quantity: 5, stock_after: 5, at: AT },
  messages: {
    id: id(29),
    conversation_id: id(20),
    contact_id: id(16),
    channel_id: id(15),
    direction: 'outbound',
    type: 'text',
    text: 'Hello',
    author_type: 'agent',
    status: 'sent',
    provider_id: 'p1',
    client_ref: 'c1',
    at: AT,
  },
  quick_replies: { id: id(30), shortcut: 'hello', text: 'Hello' },
  bookings: {
    id: id(31),
    title: 'Fitting',
    starts_at: AT,
    ends_at: later(60),
    timezone: 'UTC',
    agent_id: id(11),
  },
  campaigns: { id: id(32), name: 'Spring', channel_id: id(15), total: 3, pending: 1, sent: 1, failed: 1 },
  campaign_recipients: { campaign_id: id(32), contact_id: id(16), position: 0 },
  ai_feedback: { id: id(33), message_id: id(29), rating: 1 },
  ai_insights: { conversation_id: id(20), sentiment: 'neutral' },
  ai_suggestions: { id: id(34), conversation_id: id(20), kind: 'reply', text: 'Hello!', status_at: AT },
  ai_ledger: {
    id: id(35),
    purpose: 'reply',
    provider: 'built-in',
    model: 'x',
    input_hash: Buffer.alloc(32),
    latency_ms: 1,
    outcome: 'ok',
  },
  webhook_endpoints: { id: id(36), url: 'https://example.com', events: ['*'] },
  webhook_secrets: { id: id(37), endpoint_id: id(36), secret: Buffer.alloc(1) },
  webhook_deliveries: {
    id: id(38),
    endpoint_id: id(36),
    event_id: id(50),
    event_type: 'order.paid',
    sequence: 1,
    next_attempt_at: AT,
  },
  webhook_attempts: { id: id(39), delivery_id: id(38), number: 1, duration_ms: 1, at: AT },
  events: {
    id: id(40),
    sequence: 1,
    type: 'order.paid',
    family: 'order',
    actor: {},
    payload: {},
    created_at: AT,
  },
  idempotency_records: {
    principal_id: id(14),
    key: 'k',
    fingerprint: Buffer.alloc(32),
    status: 201,
    body: Buffer.alloc(1),
    created_at: AT,
  },
  request_logs: {
    id: 'r',
    method: 'GET',
    path: '/',
    status: 200,
    duration_ms: 1,
    livemode: true,
    created_at: AT,
  },
  drafts: { user_id: id(11), conversation_id: id(20), mode: 'reply' },
  saved_views: { id: id(41), owner_id: id(11), name: 'Mine' },
  notifications: { id: id(42), user_id: id(11), kind: 'mention' },
  audit_logs: { id: id(43), sequence: 1, actor_type: 'agent', action: 'x', target_type: 'contact', at: AT },
};

/** Changes of a valid row that the named constraint refuses. */
const REFUSED: [table: string, constraint: string, change: Row][] = [
  ['roles', 'roles_key_check', { key: 'boss' }],
  ['roles', 'roles_name_check', { name: '' }],
  ['roles', 'roles_name_key', { key: null, name: 'AGENT' }],
  ['users', 'users_email_check', { email: 'x'.repeat(192) }],
  ['users', 'users_email_key', { email: 'ana@EXAMPLE.com', mirror_of: id(90) }],
  ['users', 'users_display_name_check', { display_name: '' }],
  ['users', 'users_availability_check', { availability: 'busy' }],
  ['users', 'users_capacity_check', { capacity: -1 }],
  ['teams', 'teams_name_check', { name: '' }],
  ['teams', 'teams_slug_check', { slug: 'Sales' }],
  ['invitations', 'invitations_token_hash_check', { token_hash: Buffer.alloc(31) }],
  ['api_keys', 'api_keys_name_check', { name: '' }],
  ['api_keys', 'api_keys_mode_check', { mode: 'sandbox' }],
  ['api_keys', 'api_keys_secret_hash_check', { secret_hash: Buffer.alloc(31) }],
  ['api_keys', 'api_keys_last4_check', { last4: 'abc' }],
  ['channels', 'channels_kind_check', { kind: 'pigeon' }],
  ['channels', 'channels_name_check', { name: 'x'.repeat(31) }],
  ['channels', 'channels_name_key', { name: 'SIMULATOR', is_default: false }],
  ['channels', 'channels_default_key', { name: 'Other' }],
  ['channels', 'channels_status_check', { status: 'odd' }],
  ['channels', 'channels_reopen_hours_check', { reopen_hours: -1 }],
  ['channels', 'channels_campaign_rate_check', { campaign_rate: 0 }],
  ['contacts', 'contacts_name_check', { name: 'x'.repeat(192) }],
  ['contacts', 'contacts_phone_check', { phone: '1'.repeat(33) }],
  ['contacts', 'contacts_phone_key_check', { phone_key: null }],
  ['contacts', 'contacts_phone_key_key', { email: null }],
  ['contacts', 'contacts_email_key', { phone: null, phone_key: null, email: 'zoe@example.com' }],
  ['contacts', 'contacts_email_check', { email: 'x'.repeat(192) }],
  ['contacts', 'contacts_country_check', { country: 'BRA' }],
  ['contacts', 'contacts_source_check', { source: 'x'.repeat(21) }],
  ['contacts', 'contacts_anonymised_at_check', { anonymised_at: AT }],
  ['contacts', 'contacts_id_check', { id: 'short' }],
  ['tags', 'tags_name_check', { name: 'x'.repeat(51) }],
  ['tags', 'tags_color_check', { color: 'red' }],
  ['tags', 'tags_name_key', { name: 'vip' }],
  ['contact_tag_changes', 'contact_tag_changes_action_check', { action: 'swap' }],
  ['conversations', 'conversations_status_check', { status: 'snoozed' }],
  ['conversations', 'conversations_closed_at_check', { status: 'closed' }],
  ['conversations', 'conversations_muted_until_check', { muted_until: AT }],
  ['conversations', 'conversations_unread_count_check', { unread_count: -1 }],
  ['conversations', 'conversations_rating_check', { rating: 6 }],
  ['conversations', 'conversations_held_check', { held_count: 1 }],
  ['conversations', 'conversations_pending_suggestions_check', { pending_suggestions: 6 }],
  ['conversations', 'conversations_ai_auto_reply_check', { ai_auto_reply: 'maybe' }],
  ['notes', 'notes_text_check', { text: 'x'.repeat(2001) }],
  ['notes', 'notes_author_type_check', { author_type: 'ghost' }],
  ['notes', 'notes_company_id_conversation_id_at_key', {}],
  ['note_mentions', 'note_mentions_position_check', { position: 50 }],
  ['timeline_events', 'timeline_events_author_type_check', { author_type: 'ghost' }],
  ['timeline_events', 'timeline_events_company_id_conversation_id_at_key', {}],
  ['conversation_presence', 'conversation_presence_holder_check', { expires_at: null }],
  ['media', 'media_kind_check', { kind: 'hologram' }],
  ['media', 'media_size_check', { size: 104_857_601 }],
  ['media', 'media_filename_check', { filename: 'x'.repeat(192) }],
  ['media', 'media_dimensions_check', { width: 0 }],
  ['media', 'media_sha256_check', { sha256: Buffer.alloc(1) }],
  ['media', 'media_url_token_check', { url_token: 'short' }],
  ['media', 'media_url_token_key', {}],
  ['products', 'products_name_check', { name: '' }],
  ['products', 'products_sku_check', { sku: 'x'.repeat(65) }],
  ['products', 'products_sku_key', {}],
  ['products', 'products_description_check', { description: 'x'.repeat(5001) }],
  ['products', 'products_image_url_check', { image_url: 'x'.repeat(2049) }],
  ['products', 'products_price_check', { price: 1_000_000_000_000 }],
  ['products', 'products_currency_check', { currency: 'usd' }],
  ['products', 'products_status_check', { status: 'sold' }],
  ['products', 'products_stock_check', { stock: -1 }],
  ['products', 'products_reserved_check', { reserved: -1 }],
  ['stock_movements', 'stock_movements_kind_check', { kind: 'theft' }],
  ['stock_movements', 'stock_movements_stock_after_check', { stock_after: -1 }],
  ['orders', 'orders_number_check', { number: 0 }],
  ['orders', 'orders_company_id_number_key', { external_id: null }],
  ['orders', 'orders_external_id_key', { number: 2 }],
  ['orders', 'orders_external_id_check', { external_id: 'x'.repeat(65) }],
  ['orders', 'orders_status_check', { status: 'lost' }],
  ['orders', 'orders_payment_status_check', { payment_status: 'partial' }],
  ['orders', 'orders_currency_check', { currency: 'US' }],
  ['orders', 'orders_amounts_check', { subtotal: 50, total: -45, discount: 150 }],
  ['orders', 'orders_total_check', { total: 954 }],
  [
    'orders',
    'orders_cancelled_paid_check',
    { status: 'cancelled', cancelled_at: AT, payment_status: 'paid' },
  ],
  ['orders', 'orders_cancelled_at_check', { status: 'cancelled' }],
  ['orders', 'orders_cancel_reason_check', { cancel_reason: 'staff' }],
  ['orders', 'orders_source_check', { source: 'fax' }],
  ['orders', 'orders_notes_check', { notes: 'x'.repeat(2001) }],
  ['order_items', 'order_items_position_check', { position: 100 }],
  ['order_items', 'order_items_company_id_order_id_position_key', {}],
  ['order_items', 'order_items_name_check', { name: '' }],
  ['order_items', 'order_items_quantity_check', { quantity: 0, total: 0 }],
  ['order_items', 'order_items_unit_price_check', { unit_price: -1, total: -2 }],
  ['order_items', 'order_items_total_check', { total: 999 }],
  ['order_status_changes', 'order_status_changes_status_check', { status: 'lost' }],
  ['order_status_changes', 'order_status_changes_payment_status_check', { payment_status: 'partial' }],
  ['order_status_changes', 'order_status_changes_note_check', { note: 'x'.repeat(501) }],
  ['order_counters', 'order_counters_last_number_check', { last_number: -1 }],
  ['messages', 'messages_direction_check', { direction: 'sideways' }],
  ['messages', 'messages_type_check', { type: 'smell' }],
  ['messages', 'messages_author_type_check', { author_type: 'ghost' }],
  ['messages', 'messages_status_check', { status: 'lost' }],
  ['messages', 'messages_received_check', { status: 'received' }],
  ['messages', 'messages_text_check', { text: 'x'.repeat(4097) }],
  ['messages', 'messages_text_present_check', { text: null }],
  ['messages', 'messages_held_until_check', { status: 'held' }],
  ['messages', 'messages_held_origin_check', { held_origin: 'whim' }],
  ['messages', 'messages_held_restarts_check', { held_restarts: 4 }],
  ['messages', 'messages_failure_code_check', { status: 'failed' }],
  ['messages', 'messages_client_ref_check', { client_ref: 'x'.repeat(65) }],
  ['messages', 'messages_provider_id_key', { at: later(1), client_ref: null }],
  ['messages', 'messages_client_ref_key', { at: later(1), provider_id: null }],
  ['messages', 'messages_company_id_conversation_id_at_key', { provider_id: null, client_ref: null }],
  ['quick_replies', 'quick_replies_shortcut_check', { shortcut: 'Hello' }],
  ['quick_replies', 'quick_replies_company_id_shortcut_key', {}],
  ['quick_replies', 'quick_replies_title_check', { title: 'x'.repeat(101) }],
  ['quick_replies', 'quick_replies_text_check', { text: '' }],
  ['quick_replies', 'quick_replies_category_check', { category: 'x'.repeat(51) }],
  ['quick_replies', 'quick_replies_usage_count_check', { usage_count: -1 }],
  ['bookings', 'bookings_title_check', { title: '' }],
  ['bookings', 'bookings_status_check', { status: 'maybe' }],
  ['bookings', 'bookings_duration_check', { ends_at: AT }],
  ['bookings', 'bookings_location_check', { location: 'x'.repeat(192) }],
  ['bookings', 'bookings_notes_check', { notes: 'x'.repeat(2001) }],
  ['bookings', 'bookings_cancel_reason_check', { cancel_reason: 'x'.repeat(501) }],
  ['bookings', 'bookings_no_overlap', { starts_at: later(59), ends_at: later(120), status: 'pending' }],
  ['campaigns', 'campaigns_name_check', { name: '' }],
  ['campaigns', 'campaigns_status_check', { status: 'odd' }],
  ['campaigns', 'campaigns_pause_reason_check', { pause_reason: 'tired' }],
  ['campaigns', 'campaigns_text_check', { text: 'x'.repeat(4097) }],
  ['campaigns', 'campaigns_scheduled_at_check', { status: 'scheduled' }],
  ['campaigns', 'campaigns_stats_check', { total: 4 }],
  ['campaigns', 'campaigns_stats_check', { delivered: 2 }],
  ['campaign_recipients', 'campaign_recipients_pkey', { position: 1 }],
  ['campaign_recipients', 'campaign_recipients_status_check', { status: 'lost' }],
  ['campaign_recipients', 'campaign_recipients_skip_reason_check', { status: 'skipped' }],
  ['ai_feedback', 'ai_feedback_rating_check', { rating: 0 }],
  ['ai_feedback', 'ai_feedback_company_id_message_id_key', {}],
  ['ai_insights', 'ai_insights_sentiment_check', { sentiment: 'mixed' }],
  ['ai_insights', 'ai_insights_purchase_likelihood_check', { purchase_likelihood: 'sure' }],
  ['ai_insights', 'ai_insights_intent_key_check', { intent_key: 'chat' }],
  ['ai_suggestions', 'ai_suggestions_kind_check', { kind: 'joke' }],
  ['ai_suggestions', 'ai_suggestions_status_check', { status: 'approved' }],
  ['ai_suggestions', 'ai_suggestions_tag_check', { kind: 'tag' }],
  ['ai_suggestions', 'ai_suggestions_pending_key', {}],
  ['ai_ledger', 'ai_ledger_input_hash_check', { input_hash: Buffer.alloc(1) }],
  ['ai_ledger', 'ai_ledger_purpose_check', { purpose: 'fun' }],
  ['ai_ledger', 'ai_ledger_outcome_check', { outcome: 'odd' }],
  ['ai_ledger', 'ai_ledger_figures_check', { cost: -1 }],
  ['webhook_endpoints', 'webhook_endpoints_url_check', { url: 'x'.repeat(2049) }],
  ['webhook_endpoints', 'webhook_endpoints_events_check', { events: [] }],
  ['webhook_endpoints', 'webhook_endpoints_disabled_check', { enabled: false }],
  ['webhook_secrets', 'webhook_secrets_current_key', {}],
  ['webhook_deliveries', 'webhook_deliveries_status_check', { status: 'odd', next_attempt_at: null }],
  ['webhook_deliveries', 'webhook_deliveries_next_attempt_at_check', { next_attempt_at: null }],
  ['webhook_deliveries', 'webhook_deliveries_attempts_check', { attempts: -1 }],
  ['webhook_deliveries', 'webhook_deliveries_company_id_endpoint_id_event_id_key', {}],
  ['webhook_attempts', 'webhook_attempts_number_check', { number: 0 }],
  ['webhook_attempts', 'webhook_attempts_trigger_check', { trigger: 'whim' }],
  ['webhook_attempts', 'webhook_attempts_response_body_check', { response_body: 'x'.repeat(4097) }],
  ['events', 'events_family_check', { family: 'weather' }],
  ['events', 'events_company_id_sequence_key', {}],
  ['idempotency_records', 'idempotency_records_pkey', {}],
  ['idempotency_records', 'idempotency_records_key_check', { key: 'x'.repeat(256) }],
  ['idempotency_records', 'idempotency_records_fingerprint_check', { fingerprint: Buffer.alloc(1) }],
  ['idempotency_records', 'idempotency_records_status_check', { status: 422 }],
  ['request_logs', 'request_logs_surface_check', { surface: 'fax' }],
  ['request_logs', 'request_logs_duration_ms_check', { duration_ms: -1 }],
  ['drafts', 'drafts_mode_check', { mode: 'poem' }],
  ['drafts', 'drafts_text_check', { text: 'x'.repeat(4097) }],
  ['saved_views', 'saved_views_name_check', { name: '' }],
  ['saved_views', 'saved_views_resource_check', { resource: 'weather' }],
  ['notifications', 'notifications_kind_check', { kind: 'odd' }],
  ['audit_logs', 'audit_logs_company_id_sequence_key', {}],
];

describe('constraints', () => {
  let client: pg.Client;
  let drop: () => Promise<void>;
  let next = 1000;

  async function insert(table: string, row: Row): Promise<void> {
    const entries = Object.entries(row);
    const columns = entries.map(([column]) => client.escapeIdentifier(column)).join();
    const places = entries.map((_, index) => `$${index + 1}`).join();
    await client.query(
      `insert into ${table} (${columns}) values (${places})`,
      entries.map(([, value]) => value),
    );
  }
  async function refusal(run: () => Promise<unknown>): Promise<string> {
    await client.query('savepoint attempt');
    try {
      await run();
      return 'accepted';
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      return error.constraint ?? error.code ?? 'unknown';
    } finally {
      await client.query('rollback to savepoint attempt');
    }
  }
  /** A second row of the table: its own id, everything else as given. */
  const another = (table: string, change: Row): Row => {
    const base = BASE[table] ?? {};
    return { company_id: COMPANY, ...base, ...('id' in base ? { id: id((next += 1)) } : {}), ...change };
  };

  beforeAll(async () => {
    const database = await createTestDatabase();
    drop = database.drop;
    client = await connect(database.url);
    await insert('companies', { id: COMPANY, name: 'Acme' });
    await insert('companies', { id: id(2), name: 'Other' });
    for (const [table, row] of Object.entries(BASE)) await insert(table, { company_id: COMPANY, ...row });
  });
  beforeEach(async () => {
    await client.query('begin');
    return async () => {
      await client.query('rollback');
    };
  });
  afterAll(async () => {
    await client.end();
    await drop();
  });

  test.each(REFUSED)('%s: %s refuses %o', async (table, constraint, change) => {
    expect(await refusal(() => insert(table, another(table, change)))).toBe(constraint);
  });

  test('every check, exclusion and unique index of the hand-written migration is tried above', async () => {
    const { rows } = await client.query<{ name: string }>(`
      select conname as name from pg_constraint
      where connamespace = 'public'::regnamespace and contype in ('c', 'x')
        and conname !~ '_id_check$' and conrelid::regclass::text not in ('companies', 'logins', 'event_epoch')
      union
      select relname from pg_index join pg_class on oid = indexrelid
      where indisunique and relnamespace = 'public'::regnamespace and (indpred is not null or indexprs is not null)`);
    const tried = new Set([
      ...REFUSED.map(([, constraint]) => constraint),
      'users_mirror_of_check',
      'users_sign_in_email_key',
    ]);
    expect(rows.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
  });

  test('every id of ours is a ULID', async () => {
    const { rows } = await client.query<{ n: number }>(`
      select count(*)::int as n from pg_constraint where contype = 'c' and conname ~ '_id_check$'`);
    expect(rows[0]?.n).toBeGreaterThan(35);
  });

  test('companies and logins', async () => {
    const company = (change: Row) => refusal(() => insert('companies', { id: id(3), name: 'X', ...change }));
    expect(await company({})).toBe('accepted');
    expect(await company({ id: 'short' })).toBe('companies_id_check');
    expect(await company({ name: '' })).toBe('companies_name_check');
    expect(await company({ currency: 'usd' })).toBe('companies_currency_check');
    expect(await company({ sandbox_of: id(3) })).toBe('companies_sandbox_of_check');
    expect(await company({ undo_send_seconds: 31 })).toBe('companies_undo_send_seconds_check');
    expect(await company({ ai_hold_seconds: 121 })).toBe('companies_ai_hold_seconds_check');
    expect(await company({ ai_privacy: 'some' })).toBe('companies_ai_privacy_check');
    expect(await company({ ai_monthly_budget: -1 })).toBe('companies_ai_monthly_budget_check');
    await insert('companies', { id: id(3), name: 'Twin', sandbox_of: COMPANY });
    expect(await company({ id: id(4), sandbox_of: COMPANY })).toBe('companies_sandbox_of_key');
    expect(await refusal(() => insert('logins', { id: 'x', name: 'A', email: 'A@b' }))).toBe(
      'logins_email_check',
    );
    expect(await refusal(() => insert('event_epoch', { single: false }))).toBe('event_epoch_single_check');
  });

  test('an e-mail signs in to one live company; the twin mirrors it', async () => {
    await insert('roles', { company_id: id(2), ...BASE['roles'] });
    const user = {
      company_id: id(2),
      id: id(60),
      email: 'ana@example.com',
      display_name: 'Ana',
      role_id: id(10),
    };
    expect(await refusal(() => insert('users', user))).toBe('users_sign_in_email_key');
    expect(await refusal(() => insert('users', { ...user, mirror_of: id(11) }))).toBe('accepted');
    await insert('logins', { id: 'l', name: 'Ana', email: 'ana@example.com' });
    expect(await refusal(() => insert('users', { ...user, mirror_of: id(11), login_id: 'l' }))).toBe(
      'users_mirror_of_check',
    );
  });

  test('a row cannot point into another company', async () => {
    expect(
      await refusal(() => insert('contact_tags', { company_id: id(2), contact_id: id(16), tag_id: id(17) })),
    ).toMatch(/_fkey$/);
  });

  test('uniqueness is per company, and ends with deletion', async () => {
    const { phone, phone_key, email } = BASE['contacts'] ?? {};
    const twin = { id: id(61), phone, phone_key, email };
    expect(await refusal(() => insert('contacts', { company_id: id(2), ...twin }))).toBe('accepted');
    await client.query('update contacts set deleted_at = $1', [AT]);
    expect(await refusal(() => insert('contacts', { company_id: COMPANY, ...twin }))).toBe('accepted');
  });

  test('bookings may touch; cancelled and deleted ones free the slot', async () => {
    const booking = (change: Row) => refusal(() => insert('bookings', another('bookings', change)));
    expect(await booking({ starts_at: later(60), ends_at: later(90) })).toBe('accepted');
    expect(await booking({ starts_at: later(-30), ends_at: AT })).toBe('accepted');
    expect(await booking({ status: 'cancelled' })).toBe('accepted');
    expect(await booking({ deleted_at: AT })).toBe('accepted');
    expect(await booking({ starts_at: later(100), ends_at: later(100 + 24 * 60) })).toBe('accepted');
    expect(await booking({ starts_at: later(100), ends_at: later(101 + 24 * 60) })).toBe(
      'bookings_duration_check',
    );
  });

  test('the audit log takes rows and one seal, nothing else', async () => {
    const change = (sql: string) => refusal(() => client.query(sql));
    expect(await change("update audit_logs set action = 'y'")).toBe('42501');
    expect(await change('delete from audit_logs')).toBe('42501');
    expect(await change('truncate audit_logs')).toBe('42501');
    expect(await change("update audit_logs set hash = 'x', action = 'y'")).toBe('42501');
    await client.query("update audit_logs set hash = 'x', prev_hash = 'w'");
    expect(await change("update audit_logs set hash = 'z'")).toBe('42501');
  });

  test('names sort folded, the missing last; search folds and takes % and _ as text', async () => {
    for (const [n, name] of ['Émile', 'zoe', 'Zack', null, 'émile', '100 % Ana'].entries()) {
      await insert('contacts', { company_id: id(2), id: id(70 + n), name });
    }
    const { rows } = await client.query<{ name: string | null }>(
      'select name from contacts where company_id = $1 order by name_sort, id',
      [id(2)],
    );
    expect(rows.map(({ name }) => name)).toEqual(['100 % Ana', 'Émile', 'émile', 'Zack', 'zoe', null]);
    const found = async (needle: string): Promise<number | null> =>
      (await client.query('select from contacts where company_id = $1 and search like $2', [id(2), needle]))
        .rowCount;
    expect(await found('%emil%')).toBe(2);
    expect(await found('%\\%%')).toBe(1);
  });

  test('a company can be removed with all it owns; its audit log stays', async () => {
    await client.query('set constraints all deferred');
    await client.query('delete from companies where id = $1', [COMPANY]);
    await client.query('set constraints all immediate');
    const { rows } = await client.query<{ n: number }>('select count(*)::int as n from messages');
    expect(rows[0]?.n).toBe(0);
    expect((await client.query('select from audit_logs')).rowCount).toBe(1);
  });
});

describe('event sequence', () => {
  let url: string;
  let drop: () => Promise<void>;
  const open: pg.Client[] = [];
  async function session(): Promise<pg.Client> {
    const client = await connect(url);
    open.push(client);
    return client;
  }
  const value = async (client: pg.Client, sql: string): Promise<bigint> =>
    BigInt((await client.query<{ value: string }>(`select (${sql})::text as value`)).rows[0]?.value ?? '-1');
  const EVENT = `insert into events (company_id, id, sequence, type, family, actor, payload, created_at)
     values ('${COMPANY}', $1, event_sequence(0), 'order.paid', 'order', '{}', '{}', now())`;

  beforeEach(async () => {
    const database = await createTestDatabase();
    url = database.url;
    drop = database.drop;
    return async () => {
      await Promise.all(open.splice(0).map((client) => client.end()));
      await drop();
    };
  });

  test('rises, has room for 4096 events, and stays exact in a JSON number', async () => {
    const client = await session();
    await client.query('begin');
    const first = await value(client, 'event_sequence(0)');
    expect(await value(client, 'event_sequence(4095)')).toBe(first + 4095n);
    await expect(client.query('select event_sequence(4096)')).rejects.toThrow(/4096/);
    await client.query('rollback');
    expect(await value(client, 'event_sequence(0)')).toBeGreaterThan(first + 4095n);
    expect(first).toBeLessThan(BigInt(Number.MAX_SAFE_INTEGER));
  });

  test('the horizon waits for the oldest writer, so a late commit is never skipped', async () => {
    const [early, late, reader] = [await session(), await session(), await session()];
    const read = async (): Promise<number | null> =>
      (await reader.query('select from events where sequence < event_horizon()')).rowCount;
    await early.query('begin');
    await early.query(EVENT, [id(1)]);
    await late.query(EVENT, [id(2)]);
    expect(await read()).toBe(0);
    await early.query('commit');
    expect(await read()).toBe(2);
  });

  test('locking the record first puts its events in the order of its changes', async () => {
    const [holder, waiter, between] = [await session(), await session(), await session()];
    await holder.query("insert into companies (id, name) values ($1, 'Acme')", [COMPANY]);
    const LOCK = 'select from companies for no key update';
    await holder.query('begin');
    await holder.query(LOCK);
    await waiter.query('begin');
    const waiting = waiter.query(LOCK);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const passed = await value(between, 'event_sequence(0)');
    await holder.query('commit');
    await waiting;
    expect(await value(waiter, 'event_sequence(0)')).toBeGreaterThan(passed);
    await waiter.query('commit');
  });

  test('after a restore into a younger cluster the offset is raised, once', async () => {
    const client = await session();
    expect((await client.query('select repair_event_epoch() as done')).rows).toEqual([{ done: false }]);
    await client.query(EVENT, [id(1)]);
    expect((await client.query('select repair_event_epoch() as done')).rows).toEqual([{ done: false }]);
    // As if written by a cluster that had counted a million transactions further.
    await client.query('update events set sequence = sequence + (1000000::bigint << 12)');
    const restored = await value(client, 'select max(sequence) from events');
    expect(await value(client, 'event_sequence(0)')).toBeLessThan(restored);
    expect((await client.query('select repair_event_epoch() as done')).rows).toEqual([{ done: true }]);
    expect(await value(client, 'event_sequence(0)')).toBeGreaterThan(restored);
    expect(await value(client, 'event_horizon()')).toBeGreaterThan(restored);
    expect((await client.query('select repair_event_epoch() as done')).rows).toEqual([{ done: false }]);
  });
});
