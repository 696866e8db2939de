import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine } from '../server/doctor/examine.ts';
import { inUnitOfWork } from '../server/platform/unit-of-work.ts';
import { asHouse } from '../server/platform/wall.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { inTenant } from '../server/platform/tenancy.ts';
import { connect } from './support/connect.ts';
import { createTestDatabase } from './support/postgres.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let other: TestCompany;
let client: pg.Client;

beforeAll(async () => {
  company = await server().company();
  other = await server().company();
  for (const one of [company, other]) await (await one.client()).post('/contacts', { name: 'Ana' });
  client = await connect(server().databaseUrl);
});
afterAll(() => client.end());

const tenantTables = async () => {
  const { rows } = await client.query<{ name: string; walled: boolean; owner: string }>(
    `SELECT relname AS name, relrowsecurity AND relforcerowsecurity AS walled, relowner::regrole::text AS owner
     FROM pg_class c WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
       AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'company_id')`,
  );
  return rows;
};

/** In a transaction as units of work have it; rolled back. */
async function walled<T>(companyId: string | null, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN; SET LOCAL ROLE parlour_runtime');
  if (companyId !== null) await client.query(`SELECT set_config('parlour.company', $1, true)`, [companyId]);
  try {
    return await work();
  } finally {
    await client.query('ROLLBACK');
  }
}

describe('the second wall', () => {
  it('is around every table with company_id, for a role that owns nothing and can’t get past it [T4]', async () => {
    const tables = await tenantTables();
    expect(tables.length).toBeGreaterThan(45);
    expect(tables.filter((table) => !table.walled)).toEqual([]);
    expect(tables.filter(({ owner }) => owner === 'parlour_runtime')).toEqual([]);
    const { rows } = await client.query(
      `SELECT rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = 'parlour_runtime'`,
    );
    expect(new Set(Object.values(rows[0]))).toEqual(new Set([false]));
    const { rows: owned } = await client.query(
      `SELECT FROM pg_class WHERE relowner = 'parlour_runtime'::regrole`,
    );
    expect(owned).toEqual([]);
  });

  it('shows nothing without a company, and with one its own rows alone [T4]', async () => {
    for (const { name } of await tenantTables()) {
      const { rows } = await walled(null, () => client.query(`SELECT FROM ${name} LIMIT 1`));
      expect([name, rows.length]).toEqual([name, 0]);
    }
    const { rows } = await walled(company.id, () => client.query('SELECT DISTINCT company_id FROM contacts'));
    expect(rows).toEqual([{ company_id: company.id }]);
  });

  it('refuses rows of another company with 42501, and changes none [T4]', async () => {
    const insert = `INSERT INTO contacts (company_id, id, name) VALUES ($1, '01M8H8W81T786Q5C19VR900MXW', 'x')`;
    await expect(walled(company.id, () => client.query(insert, [other.id]))).rejects.toMatchObject({
      code: '42501',
    });
    await expect(walled(null, () => client.query(insert, [other.id]))).rejects.toMatchObject({
      code: '42501',
    });
    const move = () => client.query('UPDATE contacts SET company_id = $1', [other.id]);
    await expect(walled(company.id, move)).rejects.toMatchObject({ code: '42501' });
    const counts = await walled(company.id, async () => [
      (await client.query('UPDATE contacts SET name = $1 WHERE company_id = $2', ['x', other.id])).rowCount,
      (await client.query('DELETE FROM contacts WHERE company_id = $1', [other.id])).rowCount,
    ]);
    expect(counts).toEqual([0, 0]);
  });

  it('lets nobody change the audit log or read the history of migrations', async () => {
    for (const statement of [
      'DELETE FROM audit_logs',
      `UPDATE audit_logs SET action = 'x'`,
      'TRUNCATE audit_logs',
      'SELECT FROM _prisma_migrations',
      'CREATE TABLE mine ()',
      'ALTER TABLE contacts DISABLE ROW LEVEL SECURITY',
    ])
      await expect(walled(company.id, () => client.query(statement))).rejects.toMatchObject({
        code: '42501',
      });
  });

  it('is around every unit of work, which has the house’s rights only where it asks for them', async () => {
    expect(server().app.wall.stands).toBe(true);
    const ctx = await systemContext(server().app, company.id);
    const who = async (db: typeof ctx.db) =>
      (await db.$queryRaw<{ who: string }[]>`SELECT current_user::text AS who`)[0]?.who;
    const seen = await inTenant(company.id, () =>
      inUnitOfWork(ctx, async (work) => [
        await who(work.db),
        await asHouse(work, () => who(work.db)),
        await asHouse(work, () => asHouse(work, () => who(work.db))),
        await who(work.db),
      ]),
    );
    const owner = await who(ctx.db);
    expect(seen).toEqual(['parlour_runtime', owner, owner, 'parlour_runtime']);
    const foreign = inTenant(company.id, () =>
      inUnitOfWork(
        ctx,
        (work) => work.db.$executeRaw`
          INSERT INTO contacts (company_id, id, name) VALUES (${other.id}, '01M8H8W81T786Q5C19VR900MXW', 'x')`,
      ),
    );
    await expect(foreign).rejects.toThrow(/row-level security/);
  });
});

describe('references between companies', () => {
  it('are impossible: every foreign key between tenant tables starts with company_id [T6]', async () => {
    const { rows } = await client.query(`
      SELECT conname FROM pg_constraint k
      WHERE contype = 'f' AND connamespace = 'public'::regnamespace
        AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = conrelid AND attname = 'company_id')
        AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = confrelid AND attname = 'company_id')
        AND NOT EXISTS (
          SELECT FROM unnest(conkey, confkey) AS pair (own, other)
          JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = own AND a.attname = 'company_id'
          JOIN pg_attribute b ON b.attrelid = confrelid AND b.attnum = other AND b.attname = 'company_id')`);
    expect(rows).toEqual([]);
  });
});

describe('where the role can’t be had', () => {
  it('the house goes without, says so, and the doctor names what is to be done', async () => {
    const database = await createTestDatabase();
    const own = await connect(database.url);
    try {
      await own.query(
        'CREATE OR REPLACE FUNCTION wall_role_stands() RETURNS boolean LANGUAGE sql AS $$SELECT false$$',
      );
      await own.query('CREATE TABLE later (company_id text, id text)');
      const wrong = (await examine(own)).filter(({ count }) => count > 0);
      expect(wrong.map(({ name }) => name)).toEqual(['wall-stands']);
      expect(wrong[0]?.violations.map(({ id }) => id).sort()).toEqual(['later', 'parlour_runtime']);
      expect(wrong[0]?.violations.map(({ detail }) => detail).join()).toContain(
        'CREATE ROLE parlour_runtime',
      );
      const { rows } = await own.query('SELECT raise_wall() AS stands');
      expect(rows).toEqual([{ stands: false }]);
      expect((await own.query('SELECT wall_gaps()')).rows).toEqual([]);
    } finally {
      await own.end();
      await database.drop();
    }
  });
});
