import { beforeAll, describe, expect, it } from 'vitest';
import { Product } from '../schema/products.ts';
import type { Client } from './support/client.ts';
import { useServer } from './support/server.ts';
import { addContact, addProduct } from './support/shop.ts';

const server = useServer();

describe('the list', () => {
  let shop: Client;

  beforeAll(async () => {
    shop = await (await server().company()).client();
    const contact = await addContact(shop);
    await addProduct(shop, { name: 'Beta 100%', sku: 'B-1', stock: 0 });
    await addProduct(shop, { name: 'alpha', sku: 'A_1', status: 'draft' });
    const gone = await addProduct(shop, { name: 'Çedilla', stock: 1 });
    await addProduct(shop, { name: 'delta', status: 'archived', stock: 5 });
    await shop.post('/orders', { contact, items: [{ product: gone, quantity: 1 }] });
  });

  const names = async (query: Record<string, string> = {}) => {
    const answer = await shop.get('/products', query);
    expect(answer.status).toBe(200);
    return answer.body.data.map((product: Product) => Product.parse(product).name);
  };

  it('is newest first, or by name', async () => {
    expect(await names()).toEqual(['delta', 'Çedilla', 'alpha', 'Beta 100%']);
    expect(await names({ sort: 'name' })).toEqual(['alpha', 'Beta 100%', 'Çedilla', 'delta']);
  });

  it.each([
    [{ q: 'CED' }, ['Çedilla']],
    [{ q: '%' }, ['Beta 100%']],
    [{ q: 'a_1' }, ['alpha']],
    [{ q: 'nothing' }, []],
    [{ status: 'draft' }, ['alpha']],
    [{ status: 'active' }, ['Çedilla', 'Beta 100%']],
    [{ in_stock: 'true' }, ['delta', 'alpha']],
    [{ in_stock: '0' }, ['Çedilla', 'Beta 100%']],
    [{ in_stock: '1', status: 'archived' }, ['delta']],
  ] as [Record<string, string>, string[]][])('filters by %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('is paged by cursor in both orders', async () => {
    for (const sort of ['created_at', 'name']) {
      const all = await names({ sort });
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const answer = await shop.get('/products', {
          sort,
          limit: 3,
          ...(cursor === null ? {} : { cursor }),
        });
        seen.push(...answer.body.data.map(({ name }: Product) => name));
        cursor = answer.body.meta.next_cursor;
      } while (cursor !== null);
      expect(seen).toEqual(all);
    }
  });

  it.each([
    [{ status: 'gone' }, 'status', 'enum'],
    [{ in_stock: 'yes' }, 'in_stock', 'type'],
    [{ sort: 'price' }, 'sort', 'enum'],
    [{ limit: '101' }, 'limit', 'max'],
    [{ q: 'x'.repeat(192) }, 'q', 'max'],
    [{ cursor: 'x' }, 'cursor', 'format'],
  ] as [Record<string, string>, string, string][])('refuses %j', async (query, param, code) => {
    const answer = await shop.get('/products', query);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details[0]).toMatchObject({ param, code });
  });
});
