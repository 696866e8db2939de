import { beforeEach, describe, expect, test } from 'vitest';
import { countContacts, exportContacts } from '../server/contacts/export.ts';
import { importContacts } from '../server/contacts/import.ts';
import { execute } from '../server/platform/operation.ts';
import { systemContext } from '../server/platform/system-context.ts';
import type { Client } from './support/client.ts';
import { counts, exporting, importing } from './support/csv.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { eventsOf, tally } from './support/shop.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeEach(async () => {
  company = await server().company();
  api = await company.client();
});

const load = (text: string | Uint8Array, options?: Parameters<typeof importContacts>[2]) =>
  importing(server().app, company.id, importContacts, text, options);

/** All contacts by phone, without what each company has of its own. */
async function contacts(client = api) {
  const { data } = (await client.get('/contacts?limit=100')).body;
  return data
    .map(({ id: _i, created_at: _c, updated_at: _u, ...rest }: Record<string, unknown>) => rest)
    .sort((a: { phone: string | null }, b: { phone: string | null }) =>
      (a.phone ?? '~').localeCompare(b.phone ?? '~'),
    );
}

async function rowCount(): Promise<Record<string, number>> {
  const { rows } = await server().app.pool.query(
    `SELECT (SELECT count(*)::int FROM contacts WHERE company_id = $1) AS contacts,
      (SELECT count(*)::int FROM events WHERE company_id = $1) AS events`,
    [company.id],
  );
  return rows[0];
}

const odd = [
  '=cmd()',
  "'=cmd()",
  '+1',
  '-1',
  '@x',
  '\tx',
  ' "q", x;y ',
  'multi\r\nline',
  "it's",
  '😀 José',
  "''",
];

test('a round trip into another company gives the same contacts, formulas and all', async () => {
  for (const [n, name] of odd.entries()) {
    const fields = {
      name,
      phone: `+3519120000${10 + n}`,
      email: `a${n}@example.com`,
      country: 'PT',
      source: 'shop',
    };
    const { body } = await api.post('/contacts', { ...fields, subscribed: n % 2 === 0 });
    if (n % 3 === 0) await api.patch(`/contacts/${body.data.id}`, { blocked: true });
  }
  const text = await exporting(server().app, company.id, exportContacts);
  expect(text).toContain("'=cmd()");
  expect(text).not.toMatch(/(^|,|")[=@]/m);
  const other = await server().company();
  const { result } = await importing(server().app, other.id, importContacts, text);
  expect(counts(result)).toEqual({ rows: 11, created: 11, updated: 0, skipped: 0, failed: 0 });
  expect(await contacts(await other.client())).toEqual(await contacts());
  const again = await load(text);
  expect(counts(again.result)).toEqual({ rows: 11, created: 0, updated: 0, skipped: 11, failed: 0 });
});

test('5,000 rows with 120 bad ones: exact counts, reasons and a file that can be mended and imported again', async () => {
  const lines = ['Full Name;Mobile;E-Mail;Country;Subscribed;Shoe size'];
  const bad = new Map<number, string>();
  const badRows: [string, string][] = [
    ['Ana;12;;;;', 'phone format'],
    ['Ana;;not an e-mail;;;', 'email format'],
    ['Ana;;;PT;;', 'null required'],
    [`${'x'.repeat(192)};+351912345678;;;;`, 'name max'],
    ['Ana;+351912345678;;Portugal;;', 'country max'],
    ['Ana;+351912345678;;PT;perhaps;', 'subscribed type'],
  ];
  for (let n = 1; n <= 5_000; n++) {
    const [row, reason] = n % 40 === 0 && bad.size < 120 ? badRows[(n / 40) % 6]! : [];
    if (row && reason) bad.set(n + 1, reason);
    lines.push(row ?? `Person ${n};+35191${String(n).padStart(7, '0')};p${n}@example.com;pt;yes;42`);
  }
  const { result, rejected } = await load(`\uFEFF${lines.join('\r\n')}`);
  expect(counts(result)).toEqual({ rows: 5_000, created: 4_880, updated: 0, skipped: 0, failed: 120 });
  expect(result.ignored_columns).toEqual(['Shoe size']);
  expect(result.errors).toHaveLength(20);
  for (const { line, param, code } of result.errors) expect(`${param} ${code}`).toBe(bad.get(line));
  expect(tally([...bad.values()])).toEqual(Object.fromEntries(badRows.map(([, reason]) => [reason, 20])));
  const [header, ...rows] = rejected.trimEnd().split('\r\n');
  expect(header).toBe(
    'Full Name,Mobile,E-Mail,Country,Subscribed,Shoe size,rejected_line,rejected_code,rejected_reason',
  );
  expect(rows).toHaveLength(120);
  expect(rows[0]).toMatch(/,41,format,/);
  expect(await rowCount()).toEqual({ contacts: 4_880, events: 4_880 });

  const mended = rejected.replaceAll('not an e-mail', 'fine@example.com');
  const second = await load(mended);
  expect(counts(second.result)).toEqual({ rows: 120, created: 1, updated: 0, skipped: 19, failed: 100 });
  expect(second.result.ignored_columns).toEqual(['Shoe size']);
  expect(second.rejected.split('\r\n')[0]).toBe(header);
});

describe('rows and records', () => {
  test('are matched by id, phone or e-mail; empty cells say nothing; one event tells of each change', async () => {
    const { id } = (
      await api.post('/contacts', { name: 'Ana', phone: '+351912000001', email: 'ana@example.com' })
    ).body.data;
    await api.post('/contacts', { name: 'Bo', email: 'bo@example.com', country: 'PT' });
    const { result } = await load(
      [
        'id,name,phone,email,subscribed',
        `,Ana Sousa,+351 912 000 001,,`,
        `,,,BO@example.com,no`,
        `${id},,+351912000002,,`,
        `,Cy,+351912000003,,`,
        `,Cy,+351912000003,,`,
        `,Cy Young,+351912000003,cy@example.com,`,
      ].join('\n'),
    );
    expect(counts(result)).toEqual({ rows: 6, created: 1, updated: 4, skipped: 1, failed: 0 });
    expect(await contacts()).toMatchObject([
      { name: 'Ana Sousa', phone: '+351912000002', email: 'ana@example.com', source: 'api' },
      {
        name: 'Cy Young',
        phone: '+351912000003',
        email: 'cy@example.com',
        subscribed: true,
        source: 'import',
      },
      { name: 'Bo', phone: null, email: 'BO@example.com', subscribed: false, country: 'PT' },
    ]);
    const told = (await eventsOf(server().app, company.id, 'contact')).slice(2);
    expect(tally(told.map(({ type }) => type))).toEqual({
      'contact.created': 1,
      'contact.updated': 4,
      'contact.unsubscribed': 1,
    });
  });

  test('that would join two contacts are refused, with the one in the way', async () => {
    await api.post('/contacts', { phone: '+351912000001' });
    const { id } = (await api.post('/contacts', { email: 'bo@example.com' })).body.data;
    const { result, rejected } = await load('phone,email\n+351912000001,bo@example.com\n');
    expect(counts(result)).toEqual({ rows: 1, created: 0, updated: 0, skipped: 0, failed: 1 });
    expect(result.errors).toMatchObject([{ line: 2, code: 'duplicate', param: 'email' }]);
    expect(rejected).toContain(id);
  });

  test('give the outcome of row after row, wherever a batch ends', async () => {
    const rows = Array.from({ length: 2_500 }, (_, n) => `N${n},+35191200${String(n % 7).padStart(4, '0')}`);
    const { result } = await load(`name,phone\n${rows.join('\n')}`);
    expect(counts(result)).toEqual({ rows: 2_500, created: 7, updated: 2_493, skipped: 0, failed: 0 });
    const names = (await contacts()).map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual(['N2493', 'N2494', 'N2495', 'N2496', 'N2497', 'N2498', 'N2499']);
  });

  test('have first and last names, and national numbers of a country that is named', async () => {
    const { result } = await load('First Name,Last Name,Phone\nAna,Sousa,912 000 001\n', { country: 'PT' });
    expect(result.created).toBe(1);
    expect(await contacts()).toMatchObject([{ name: 'Ana Sousa', phone: '+351912000001', country: null }]);
  });
});

test('a dry run counts the same and changes nothing, over batches too', async () => {
  await api.post('/contacts', { phone: '+351912000000', name: 'N0' });
  const rows = Array.from(
    { length: 2_500 },
    (_, n) => `N${n},+35191${String(2_000_000 + (n % 2_100)).padStart(7, '0')}`,
  );
  const text = `name,phone\n${rows.join('\n')}\nbad,1\n`;
  const before = await rowCount();
  const { result, rejected } = await load(text, { dryRun: true });
  expect(await rowCount()).toEqual(before);
  const real = await load(text);
  expect(counts(result)).toEqual(counts(real.result));
  expect(counts(result)).toEqual({ rows: 2_501, created: 2_099, updated: 400, skipped: 1, failed: 1 });
  expect(rejected).toBe(real.rejected);
  expect(result.dry_run).toBe(true);
});

test('a file that can’t be imported changes nothing', async () => {
  const good = 'phone\n'.concat(
    ...Array.from({ length: 3_000 }, (_, n) => `+35191${String(n).padStart(7, '0')}\n`),
  );
  await expect(load(Buffer.concat([Buffer.from(good), Buffer.from([0xe9, 10])]))).rejects.toThrow(
    'not UTF-8 (line 3002)',
  );
  await expect(load('name,age\nAna,4\n')).rejects.toThrow('needs a column phone or email or id');
  expect(await rowCount()).toEqual({ contacts: 0, events: 0 });
});

test('two imports of one file at once make each contact once', async () => {
  const rows = Array.from({ length: 3_000 }, (_, n) => `N${n},+35191${String(n).padStart(7, '0')}`);
  const text = `name,phone\n${rows.join('\n')}`;
  const results = await Promise.all([load(text), load(text)]);
  expect(results[0].result.created + results[1].result.created).toBe(3_000);
  expect(results[0].result.failed + results[1].result.failed).toBe(0);
  expect(await rowCount()).toEqual({ contacts: 3_000, events: 3_000 });
});

test('an import can be stopped between batches, and done again', async () => {
  const rows = Array.from({ length: 4_000 }, (_, n) => `+35191${String(n).padStart(7, '0')}`);
  const text = `phone\n${rows.join('\n')}`;
  const stop = new AbortController();
  await expect(load(text, { signal: stop.signal, onProgress: () => stop.abort() })).rejects.toThrow(
    'aborted',
  );
  const { contacts: there } = await rowCount();
  expect(there).toBeGreaterThan(0);
  expect(there).toBeLessThan(4_000);
  expect(counts((await load(text)).result)).toMatchObject({ created: 4_000 - there!, skipped: there });
});

test('an export has what the list with the filters has, and keys may not import', async () => {
  await load(
    `name,phone,country\n${Array.from({ length: 250 }, (_, n) => `N${n},+35191${2_000_000 + n},${n % 5 ? 'PT' : 'ES'}`).join('\n')}`,
  );
  const text = await exporting(server().app, company.id, exportContacts, { country: 'ES', sort: 'name' });
  const names = text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[1]);
  expect(names).toHaveLength(50);
  expect(names.toSorted()).toEqual(names);
  const ctx = await systemContext(server().app, company.id);
  expect(await execute(countContacts, ctx, { country: 'ES' })).toBe(50);
  const { principal } = ctx;
  const key = { ...ctx, principal: { ...principal, kind: 'api_key' as const } };
  await expect(importContacts(key, { read: async function* () {} })).rejects.toMatchObject({
    code: 'forbidden',
  });
});
