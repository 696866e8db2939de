import { beforeAll, describe, expect, it } from 'vitest';
import type { Contact } from '../schema/contacts.ts';
import type { Client } from './support/client.ts';
import { insertContacts } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

/** Walks a list to its end and checks what every page promises. */
async function walk(
  client: Client,
  path: string,
  query: Record<string, string | number>,
): Promise<Contact[]> {
  const all: Contact[] = [];
  let cursor: string | null = null;
  do {
    const answer = await client.get(path, { ...query, ...(cursor === null ? {} : { cursor }) });
    expect(answer.status).toBe(200);
    const { data, meta } = answer.body;
    expect(Object.keys(meta)).toEqual(['next_cursor', 'has_more']);
    expect(meta.has_more).toBe(meta.next_cursor !== null);
    expect(data.length).toBeLessThanOrEqual(Number(query['limit'] ?? 25));
    all.push(...data);
    cursor = meta.next_cursor;
  } while (cursor !== null);
  return all;
}

describe('paging', () => {
  let big: Client;

  beforeAll(async () => {
    const other = await server().company();
    big = await other.client();
    // A thousand share one moment and one name; some have no name.
    await insertContacts(server().app, other.id, 5_000, (n) => ({
      name: n % 7 === 0 ? null : n < 1_000 ? 'Same' : `Name ${(n * 7919) % 5_000}`,
      created_at: new Date(Date.UTC(2026, 0, 1) + (n < 1_000 ? 0 : n * 1_000)),
    }));
  });

  it.each([
    ['created_at', 100],
    ['created_at', 25],
    ['name', 100],
  ])('sort=%s limit=%i gives every contact exactly once, in order', async (sort, limit) => {
    const rows = await walk(big, '/contacts', { sort, limit });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(5_000);
    expect(rows).toHaveLength(5_000);
    const moments = rows.map((row) => row.created_at);
    if (sort === 'created_at') expect(moments).toEqual([...moments].sort().reverse());
    const names = rows.map(({ name }) => name);
    if (sort === 'name') expect(names.indexOf(null)).toBe(names.filter((name) => name !== null).length);
  });

  it.each([1, 2])('limit=%i works at the start and at the very end', async (limit) => {
    const name = `zzzz only one ${limit}`;
    const { id } = (await big.post('/contacts', { name })).body.data;
    const rows = await walk(big, '/contacts', { q: name, limit });
    expect(rows.map((row) => row.id)).toEqual([id]);
  });

  it('says that there is no more when exactly limit rows are left', async () => {
    const own = await (await server().company()).client();
    for (let n = 0; n < 4; n++) await own.post('/contacts', { name: `n${n}` });
    const first = await own.get('/contacts', { limit: 2 });
    expect(first.body.meta.has_more).toBe(true);
    const second = await own.get('/contacts', { limit: 2, cursor: first.body.meta.next_cursor });
    expect(second.body.meta).toEqual({ next_cursor: null, has_more: false });
  });

  it('refuses a cursor that was changed, or comes from elsewhere [P3]', async () => {
    const { next_cursor: cursor } = (await big.get('/contacts', { limit: 1 })).body.meta;
    const foreign = await (await server().company()).client();
    const tries: [Client, Record<string, string>][] = [
      [big, { cursor: `${cursor}A` }],
      [big, { cursor: cursor.slice(0, -1) }],
      [big, { cursor: cursor.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A')) }],
      [big, { cursor: 'nonsense' }],
      [big, { cursor: '' }],
      [big, { cursor, sort: 'name' }],
      [big, { cursor, q: 'x' }],
      [big, { cursor, blocked: 'true' }],
      [foreign, { cursor }],
    ];
    for (const [client, query] of tries) {
      const answer = await client.get('/contacts', query);
      expect(answer.status).toBe(422);
      expect(answer.body.error.param).toBe('cursor');
    }
    expect((await big.get('/tags', { cursor })).status).toBe(422);
    expect((await big.get('/contacts', { cursor, limit: 7 })).status).toBe(200);
  });
});

describe('filters [F6]', () => {
  const ids = async (query: Record<string, string>) =>
    (await walk(api, '/contacts', query)).map(({ name }) => String(name)).sort();

  beforeAll(async () => {
    for (const body of [
      { name: 'Ana 100% Ltda', phone: '+5511987654321', email: 'ana@example.com', country: 'BR' },
      { name: 'Bo_Under', country: 'PT', subscribed: false },
      { name: 'Çelik Öz', email: 'celik@EXAMPLE.org', country: 'TR' },
      { name: 'back\\slash', country: 'PT' },
    ]) {
      await api.post('/contacts', body);
    }
    const { id } = (await api.post('/contacts', { name: 'Blocked' })).body.data;
    await api.patch(`/contacts/${id}`, { blocked: true });
  });

  it.each([
    [{ q: '%' }, ['Ana 100% Ltda']],
    [{ q: '％' }, ['Ana 100% Ltda']],
    [{ q: 'CELIK' }, ['Çelik Öz']],
    [{ q: '_' }, ['Bo_Under']],
    [{ q: '\\' }, ['back\\slash']],
    [{ q: 'ANA' }, ['Ana 100% Ltda']],
    [{ q: 'example' }, ['Ana 100% Ltda', 'Çelik Öz']],
    [{ q: 'çelik' }, ['Çelik Öz']],
    [{ q: '98765' }, ['Ana 100% Ltda']],
    [{ q: '98765-4321' }, ['Ana 100% Ltda']],
    [{ q: '+55 11 98765' }, ['Ana 100% Ltda']],
    [{ q: 'b' }, ['Blocked', 'Bo_Under', 'back\\slash']],
    [{ q: 'nobody' }, []],
    [{ phone: '+55 11 8765-4321' }, ['Ana 100% Ltda']],
    [{ phone: ' 5511987654321' }, ['Ana 100% Ltda']],
    [{ q: ' 5511987654321' }, ['Ana 100% Ltda']],
    [{ phone: 'nonsense' }, []],
    [{ country: 'PT' }, ['Bo_Under', 'back\\slash']],
    [{ country: 'pt' }, ['Bo_Under', 'back\\slash']],
    [{ blocked: '1' }, ['Blocked']],
    [{ blocked: 'true', subscribed: '0' }, []],
    [{ subscribed: 'false' }, ['Bo_Under']],
    [{ q: '' }, ['Ana 100% Ltda', 'Blocked', 'Bo_Under', 'back\\slash', 'Çelik Öz']],
  ] as const)('%j', async (query, names) => {
    expect(await ids(query as unknown as Record<string, string>)).toEqual([...names].sort());
  });

  it.each([
    ['q', 'x'.repeat(192)],
    ['q', '\0'],
    ['phone', '1'.repeat(33)],
    ['country', 'PRT'],
    ['sort', 'id'],
    ['sort', ''],
  ])('refuses %s=%j', async (name, value) => {
    const answer = await api.get('/contacts', { [name]: value });
    expect(answer.status).toBe(422);
    expect(answer.body.error.param).toBe(name);
  });
});
