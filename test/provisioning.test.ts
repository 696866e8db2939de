import { describe, expect, test } from 'vitest';
import { createAgent } from '../server/account/agents.ts';
import { createCompany } from '../server/account/companies.ts';
import { parsePhone } from '../server/contacts/phone.ts';
import { isId, newId } from '../server/platform/ids.ts';
import { acrossTenants } from '../server/platform/tenancy.ts';
import { sandboxFixtures } from '../server/sandbox/fixtures.ts';
import { expectConsistent } from './support/ledgers.ts';
import { useServer } from './support/server.ts';

const server = useServer();
let number = 0;

function newCompany(more: Partial<Parameters<typeof createCompany>[1]> = {}) {
  const ownerEmail = `provisioning-${++number}@example.com`;
  return createCompany(server().app, { name: 'Shop', ownerEmail, ownerPassword: 'correct horse', ...more });
}

function rowsOf<T>(sql: string, ...values: unknown[]): Promise<T[]> {
  return server()
    .app.pool.query(sql, values)
    .then((result) => result.rows as T[]);
}

const twin = {
  liveCompanyId: '01JQZ7K3M9V5T2XH8C4B6N0DFG',
  companyId: '01JQZ7K3M9V5T2XH8C4B6N0DFH',
  currency: 'EUR',
  owner: { type: 'agent' as const, id: '01JQZ7K3M9V5T2XH8C4B6N0DFJ', name: 'Ana', email: 'ana@example.com' },
};

describe('fixtures', () => {
  test('the same company gives the same ids and values', () => {
    expect(sandboxFixtures(twin)).toEqual(sandboxFixtures(twin));
  });

  test('another company has other ids and the same story', () => {
    const other = sandboxFixtures({ ...twin, liveCompanyId: newId() });
    const here = sandboxFixtures(twin);
    expect(other.contacts.map(({ id }) => id)).not.toEqual(here.contacts.map(({ id }) => id));
    expect(other.messages.map(({ text }) => text)).toEqual(here.messages.map(({ text }) => text));
  });

  test('are as many of each as documented, with the magic phones', () => {
    const { contacts, conversations, products, orders, campaigns, ...rows } = sandboxFixtures(twin);
    const counts = [contacts, conversations, products, orders, campaigns].map((list) => list.length);
    expect(counts).toEqual([7, 5, 4, 3, 3]);
    const magic = contacts.map(({ phone }) => phone).filter((phone) => String(phone).startsWith('+1500555'));
    expect(magic).toEqual([1, 2, 3, 4, 5].map((n) => `+1500555000${n}`));
    for (const { phone } of contacts) expect(parsePhone(String(phone))?.number).toBe(phone);
    expect(rows.suggestions.filter(({ status }) => status === 'pending').length).toBeGreaterThan(0);
    expect(rows.quickReplies.length).toBeGreaterThan(0);
    expect(rows.tags.filter(({ system }) => system)).toHaveLength(1);
  });

  test('have valid ids, each once', () => {
    const ids = Object.values(sandboxFixtures(twin))
      .flat()
      .flatMap((row: object) => ('id' in row ? [String(row.id)] : []));
    expect(ids.filter((id) => !isId(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('a new company', () => {
  test('has its twin with mirrored roles and Owner, fixtures that agree, and nothing else of its own', async () => {
    const { company, owner } = await newCompany({ timezone: 'europe/lisbon', currency: 'eur' });
    const [live] = await rowsOf<{ timezone: string; currency: string }>(
      'SELECT * FROM companies WHERE id = $1',
      company,
    );
    expect(live).toMatchObject({ timezone: 'Europe/Lisbon', currency: 'EUR', sandbox_of: null });
    const [sandbox] = await rowsOf<{ id: string }>('SELECT id FROM companies WHERE sandbox_of = $1', company);
    const sandboxId = sandbox?.id ?? '';
    const roles = (id: string) =>
      rowsOf('SELECT key, name, permissions FROM roles WHERE company_id = $1 ORDER BY key', id);
    expect(await roles(company)).toHaveLength(3);
    expect(await roles(sandboxId)).toEqual(await roles(company));
    expect(await rowsOf('SELECT mirror_of, login_id FROM users WHERE company_id = $1', sandboxId)).toEqual([
      { mirror_of: owner, login_id: null },
    ]);
    expect(await rowsOf('SELECT id FROM contacts WHERE company_id = $1', sandboxId)).toHaveLength(7);
    expect(await rowsOf('SELECT id FROM channels WHERE company_id = $1', company)).toEqual([]);
    await expectConsistent(server().app, sandboxId);
  });

  test('keeps the password as an Argon2id hash in the credential of the login', async () => {
    const { owner } = await newCompany();
    const [login] = await rowsOf(
      `SELECT a.provider_id, a.password LIKE '$argon2id$%' AS hashed, a.account_id = l.id AS own, l.email_verified
       FROM users u JOIN logins l ON l.id = u.login_id JOIN accounts a ON a.user_id = l.id WHERE u.id = $1`,
      owner,
    );
    expect(login).toEqual({ provider_id: 'credential', hashed: true, own: true, email_verified: true });
  });

  test.each([
    ['ownerEmail', { ownerEmail: 'nobody' }],
    ['ownerPassword', { ownerPassword: 'short' }],
    ['name', { name: '' }],
    ['timezone', { timezone: 'Mars/Base' }],
    ['timezone', { timezone: '+02:00' }],
    ['currency', { currency: 'EURO' }],
  ])('is refused for a wrong %s, and nothing is left', async (param, wrong) => {
    const before = await rowsOf('SELECT count(*) FROM companies');
    await expect(newCompany(wrong)).rejects.toMatchObject({ code: 'validation_failed', param });
    expect(await rowsOf('SELECT count(*) FROM companies')).toEqual(before);
  });

  test('is refused when somebody signs in with the e-mail already', async () => {
    await newCompany({ ownerEmail: 'taken@example.com' });
    await expect(newCompany({ ownerEmail: 'TAKEN@example.com' })).rejects.toMatchObject({
      param: 'ownerEmail',
      details: [{ code: 'duplicate' }],
    });
  });
});

describe('a new agent', () => {
  test('is mirrored in the twin under the same role', async () => {
    const { company } = await newCompany();
    const email = `agent-${number}@example.com`;
    const agent = await createAgent(server().app, { company, email, name: 'Bo', role: 'admin' });
    const rows = await rowsOf(
      `SELECT u.mirror_of, r.key, u.display_name, u.login_id FROM users u
       JOIN roles r ON r.company_id = u.company_id AND r.id = u.role_id
       WHERE u.id = $1 OR u.mirror_of = $1 ORDER BY u.mirror_of NULLS FIRST`,
      agent.id,
    );
    const common = { key: 'admin', display_name: 'Bo', login_id: null };
    expect(rows).toEqual([
      { mirror_of: null, ...common },
      { mirror_of: agent.id, ...common },
    ]);
    await expect(createAgent(server().app, { company, email, name: 'Bo' })).rejects.toMatchObject({
      param: 'email',
    });
  });

  test('is refused for a company that is unknown, or a twin', async () => {
    const { company } = await newCompany();
    const sandbox = await acrossTenants(() =>
      server().app.prisma.company.findUniqueOrThrow({ where: { sandboxOf: company } }),
    );
    for (const id of [newId(), sandbox.id]) {
      const agent = { company: id, email: `nobody-${number}@example.com`, name: 'Bo' };
      await expect(createAgent(server().app, agent)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

test('a test key sees the fixtures', async () => {
  const company = await server().company();
  const client = await company.client({ mode: 'test' });
  const { status, body } = await client.get('/contacts');
  expect(status).toBe(200);
  expect(body.data).toHaveLength(7);
});
