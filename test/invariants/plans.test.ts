import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { planOf, recordQueries } from '../support/queries.ts';
import { insertContacts } from '../support/rows.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
let api: Client;

beforeAll(async () => {
  const company = await server().company();
  api = await company.client();
  const countries = ['PT', 'BR', 'ES', 'US', 'DE'];
  for (let batch = 0; batch < 10; batch++) {
    await insertContacts(server().app, company.id, 10_000, (n) => ({
      name: n % 50 === 0 ? null : `Person ${(n * 7919 + batch) % 100_000} of ${n % 97}`,
      phone: `+3519${String(batch * 10_000 + n).padStart(8, '0')}`,
      email: `person${batch}-${n}@example.com`,
      country: countries[n % countries.length],
      created_at: new Date(Date.UTC(2026, 0, 1) + (batch * 10_000 + n) * 1_000),
    }));
  }
  for (let n = 0; n < 400; n++) await api.post('/tags', { name: `tag ${n}` });
  await server().app.pool.query('VACUUM ANALYZE contacts, tags');
}, 300_000);

/** Walks two pages, so that the plan with a cursor is seen too. */
async function statementsOf(path: string, query: Record<string, string>) {
  return recordQueries(server().app, async () => {
    const first = await api.get(path, query);
    expect(first.status).toBe(200);
    const cursor: string | null = first.body.meta.next_cursor;
    if (cursor !== null) await api.get(path, { ...query, cursor });
  });
}

describe('lists are served by an index, without a scan or a sort of a tenant table', () => {
  it.each([
    ['/contacts', {}],
    ['/contacts', { limit: '100' }],
    ['/contacts', { sort: 'name' }],
    ['/contacts', { country: 'PT' }],
    ['/contacts', { country: 'PT', sort: 'name' }],
    ['/contacts', { blocked: 'false' }],
    ['/contacts', { blocked: 'true' }],
    ['/contacts', { subscribed: 'false' }],
    ['/contacts', { phone: '+351900000042' }],
    ['/contacts', { q: 'person4-4242' }],
    ['/contacts', { q: 'person 4' }],
    ['/tags', {}],
  ] as [string, Record<string, string>][])('%s %j', async (path, query) => {
    const statements = await statementsOf(path, query);
    expect(statements.length).toBeGreaterThan(0);
    for (const statement of statements) {
      for (const node of await planOf(server().app, statement)) {
        const name = `${node['Node Type']} ${node['Relation Name'] ?? ''}`;
        expect(name).not.toMatch(/^Seq Scan (contacts|tags)/);
        // Rare words are found by trigrams, a phone by its key, and then sorted; everything else comes in order.
        if (!('q' in query || 'phone' in query)) expect(name).not.toMatch(/Sort/);
      }
    }
  });
});

describe('a page is one statement', () => {
  it.each(['1', '10', '100'])('of %s contacts', async (limit) => {
    const statements = await recordQueries(server().app, () => api.get('/contacts', { limit }));
    expect(statements).toHaveLength(1);
  });

  it('and so is one contact', async () => {
    const { id } = (await api.get('/contacts', { limit: '1' })).body.data[0];
    expect(await recordQueries(server().app, () => api.get(`/contacts/${id}`))).toHaveLength(1);
  });
});
