import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect } from './support/connect.ts';
import { createTestDatabase } from './support/postgres.ts';
import { REFUSED } from './support/refused-rows.ts';
import { AT, COMPANY, id, later, type Row, VALID_ROWS } from './support/valid-rows.ts';

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
    const base = VALID_ROWS[table] ?? {};
    return { company_id: COMPANY, ...base, ...('id' in base ? { id: id((next += 1)) } : {}), ...change };
  };

  beforeAll(async () => {
    const database = await createTestDatabase();
    drop = database.drop;
    client = await connect(database.url);
    await insert('companies', { id: COMPANY, name: 'Acme' });
    await insert('companies', { id: id(2), name: 'Other' });
    for (const [table, row] of Object.entries(VALID_ROWS))
      await insert(table, { company_id: COMPANY, ...row });
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
    expect(await company({ auto_close_days: 0 })).toBe('companies_auto_close_days_check');
    expect(await company({ retention_days: 0 })).toBe('companies_retention_days_check');
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
    await insert('roles', { company_id: id(2), ...VALID_ROWS['roles'] });
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
    const { phone, phone_key, email } = VALID_ROWS['contacts'] ?? {};
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

  test('the audit log takes rows and one seal, nothing else [D15]', async () => {
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
