import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { ownerPage, type Page } from './support/page.ts';
import { addProduct, nobody } from './support/shop.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let page: Page;

beforeEach(async () => {
  company = await server().company();
  api = await company.client();
  page = await ownerPage(server().url, company);
});

const names = async (input: object) =>
  (await page.query('products.records', input)).body.result.data.data.map(
    ({ name }: { name: string }) => name,
  );

describe('products in the dashboard', () => {
  it('are found when few of them are left; the file has the same', async () => {
    await addProduct(api, { name: 'Uncounted' });
    await addProduct(api, { name: 'Many', stock: 6 });
    await addProduct(api, { name: 'Few', stock: 5 });
    await addProduct(api, { name: 'None', stock: 0 });
    expect(await names({ available_max: 5 })).toEqual(['None', 'Few']);
    expect(await names({ available_max: 5, in_stock: true })).toEqual(['Few']);
    expect(await names({ sort: 'name' })).toHaveLength(4);
    for (const available_max of [-1, 1.5, 'x'])
      expect((await page.query('products.records', { available_max })).status).toBe(422);
    const file = async (query: string) => {
      const headers = { Cookie: page.cookie, 'Sec-Fetch-Site': 'same-origin', Origin: server().url };
      return fetch(`${server().url}/csv/products?${query}`, { headers });
    };
    const text = await (await file('available_max=5')).text();
    expect(text.trim().split(/\r?\n/)).toHaveLength(3);
    expect((await file('available_max=few')).status).toBe(422);
  });

  it('get one status together: each that had another is told of once', async () => {
    const ids = [
      await addProduct(api, { name: 'Mug' }),
      await addProduct(api, { name: 'Bowl', status: 'archived' }),
    ];
    const foreign = await addProduct(await (await server().company()).client(), { name: 'Theirs' });
    const set = (product_ids: string[], status: string) =>
      page.mutate('products.setStatus', { product_ids, status });
    const answer = await set([...ids, foreign, nobody, 'x'], 'archived');
    expect(answer.body.result.data.data).toEqual({ requested: 5, affected: 1 });
    const again = await set(ids, 'archived');
    expect(again.body.result.data.data).toEqual({ requested: 2, affected: 0 });
    expect(await names({ status: 'archived' })).toHaveLength(2);
    const told = async () => {
      const { data } = (await api.get('/events', { limit: 100 })).body;
      return data.filter(({ type }: { type: string }) => type === 'product.updated').length;
    };
    await expect.poll(told).toBe(1);
    expect((await set([], 'archived')).status).toBe(422);
    expect((await set(ids, 'gone')).status).toBe(422);
    expect(
      (
        await set(
          Array.from({ length: 501 }, () => nobody),
          'active',
        )
      ).status,
    ).toBe(422);
    expect(
      (await api.trpc('mutation', 'products.setStatus', { product_ids: ids, status: 'draft' })).status,
    ).toBe(403);
  });
});
