import { beforeAll, describe, expect, it } from 'vitest';
import { Product } from '../schema/products.ts';
import type { Client } from './support/client.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addContact, addProduct, eventsOf, nobody } from './support/shop.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

const movementsOf = async (product: string) => {
  const { rows } = await server().app.pool.query(
    'SELECT kind, quantity, stock_after FROM stock_movements WHERE product_id = $1 ORDER BY id',
    [product],
  );
  return rows.map(({ kind, quantity, stock_after }) => [kind, quantity, stock_after]);
};

async function shown(id: string): Promise<Product> {
  return Product.parse((await api.get(`/products/${id}`)).body.data);
}

async function order(product: string, quantity: number): Promise<string> {
  const contact = await addContact(api);
  const answer = await api.post('/orders', { contact, items: [{ product, quantity }] });
  expect(answer.status).toBe(201);
  return answer.body.data.id;
}

describe('a product', () => {
  it('is created with defaults: active, not tracked, in the currency of the company', async () => {
    const answer = await api.post('/products', { name: 'Lamp', price: 8900 });
    expect(answer.status).toBe(201);
    expect(Product.parse(answer.body.data)).toMatchObject({
      name: 'Lamp',
      sku: null,
      description: null,
      price: 8900,
      currency: 'USD',
      status: 'active',
      stock: null,
      reserved: 0,
      available: null,
      image_url: null,
      version: 1,
    });
    expect(await shown(answer.body.data.id)).toEqual(answer.body.data);
    expect(await movementsOf(answer.body.data.id)).toEqual([]);
  });

  it('is created with every field, and its stock opens the ledger', async () => {
    const fields = {
      name: '🦜'.repeat(191),
      price: 999_999_999_999,
      currency: 'eur',
      status: 'draft',
      stock: 1_000_000_000,
      sku: 'x'.repeat(64),
      description: 'd'.repeat(5000),
    };
    const { status, body } = await api.post('/products', fields);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ ...fields, currency: 'EUR', available: 1_000_000_000 });
    expect(await movementsOf(body.data.id)).toEqual([['initial', 1_000_000_000, 1_000_000_000]]);
  });

  it.each([
    [{}, 'name', 'required'],
    [{ name: '', price: 1 }, 'name', 'required'],
    [{ name: 'x'.repeat(192), price: 1 }, 'name', 'max'],
    [{ name: 'a' }, 'price', 'required'],
    [{ name: 'a', price: -1 }, 'price', 'min'],
    [{ name: 'a', price: 1.5 }, 'price', 'type'],
    [{ name: 'a', price: '1' }, 'price', 'type'],
    [{ name: 'a', price: 1_000_000_000_000 }, 'price', 'max'],
    [{ name: 'a', price: 2 ** 53 + 2 }, 'price', 'max'],
    [{ name: 'a', price: 1, currency: 'EURO' }, 'currency', 'format'],
    [{ name: 'a', price: 1, currency: 'XQZ' }, 'currency', 'format'],
    [{ name: 'a', price: 1, status: 'gone' }, 'status', 'enum'],
    [{ name: 'a', price: 1, stock: -1 }, 'stock', 'min'],
    [{ name: 'a', price: 1, stock: 1_000_000_001 }, 'stock', 'max'],
    [{ name: 'a', price: 1, stock: true }, 'stock', 'type'],
    [{ name: 'a', price: 1, sku: '' }, 'sku', 'required'],
    [{ name: 'a', price: 1, sku: 'x'.repeat(65) }, 'sku', 'max'],
    [{ name: 'a', price: 1, description: 'x'.repeat(5001) }, 'description', 'max'],
    [{ name: 'a', price: 1, image_url: 'x'.repeat(2049) }, 'image_url', 'max'],
    [{ name: 'a', price: 1, image_url: 'https://example.com/a.png' }, 'image_url', 'not_allowed'],
    [{ name: 'a', price: 1, image_url: 'nonsense' }, 'image_url', 'not_allowed'],
    [{ name: 'a\0b', price: 1 }, 'name', 'format'],
  ])('is refused: %j', async (body, param, code) => {
    const answer = await api.post('/products', body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details[0]).toMatchObject({ param, code });
  });

  it('has a SKU of its own in its company, also when fifty are made at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api.post('/products', { name: 'a', price: 1, sku: 'RACE' })),
    );
    const winner = answers.filter(({ status }) => status === 201);
    expect(winner).toHaveLength(1);
    const existing = winner[0]!.body.data.id;
    for (const { status, body } of answers.filter((one) => one !== winner[0])) {
      expect(status).toBe(422);
      expect(body.error.details[0]).toMatchObject({ param: 'sku', code: 'duplicate', existing });
    }
    const other = await addProduct(api);
    expect((await api.patch(`/products/${other}`, { sku: 'RACE' })).status).toBe(422);
    expect((await api.patch(`/products/${existing}`, { sku: 'RACE', name: 'b' })).status).toBe(200);
    const elsewhere = await (await server().company()).client();
    expect((await elsewhere.post('/products', { name: 'a', price: 1, sku: 'RACE' })).status).toBe(201);
  });

  it('shows an uploaded image of its own company only, and the upload no longer expires', async () => {
    const token = 'abcdefghijklmnopqrstuv';
    const addMedia = (id: string, companyId: string, urlToken: string, kind = 'image') =>
      server().app.pool.query(
        `INSERT INTO media (company_id, id, kind, mime_type, size, filename, sha256, storage_key, url_token, expires_at)
         VALUES ($1, $2, $3, 'image/png', 1, 'a.png', decode(repeat('00', 32), 'hex'), 'k', $4, now() + interval '1 day')`,
        [companyId, id, kind, urlToken],
      );
    await addMedia('01JQZ7K3M9V5T2XH8C4B6N0DF1', company.id, token);
    await addMedia('01JQZ7K3M9V5T2XH8C4B6N0DF2', company.id, `${token}2`, 'document');
    const elsewhere = await server().company();
    const url = `${server().url}/media/${token}/a.png`;
    const answer = await api.post('/products', { name: 'a', price: 1, image_url: url });
    expect(answer.body.data.image_url).toBe(url);
    const { rows } = await server().app.pool.query('SELECT expires_at FROM media WHERE url_token = $1', [
      token,
    ]);
    expect(rows[0].expires_at).toBeNull();
    const document = `${server().url}/media/${token}2/a.pdf`;
    expect((await api.post('/products', { name: 'a', price: 1, image_url: document })).status).toBe(422);
    const foreign = await elsewhere.client();
    expect((await foreign.post('/products', { name: 'a', price: 1, image_url: url })).status).toBe(422);
    expect(
      (await api.patch(`/products/${answer.body.data.id}`, { image_url: null })).body.data.image_url,
    ).toBeNull();
  });
});

describe('an update', () => {
  it('changes what it names, clears with null, and ignores the rest', async () => {
    const id = await addProduct(api, { sku: 'OLD', description: 'old', stock: 3 });
    const { status, body } = await api.patch(`/products/${id}`, {
      name: 'New',
      price: 0,
      status: 'archived',
      sku: null,
      description: null,
      currency: 'eur',
      reserved: 7,
      id: nobody,
      created_at: '2020-01-01T00:00:00Z',
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id,
      name: 'New',
      price: 0,
      status: 'archived',
      sku: null,
      description: null,
      currency: 'EUR',
      stock: 3,
      reserved: 0,
      version: 2,
    });
    const unchanged = await api.patch(`/products/${id}`, { name: 'New', nothing: true });
    expect(unchanged.body).toEqual(body);
  });

  it.each([
    [{ stock: 1, stock_adjustment: 1 }, 'stock_adjustment', 'not_allowed'],
    [{ stock: null, stock_adjustment: 1 }, 'stock_adjustment', 'not_allowed'],
    [{ stock_adjustment: -4 }, 'stock_adjustment', 'min'],
    [{ stock_adjustment: -1_000_001 }, 'stock_adjustment', 'min'],
    [{ stock_adjustment: 1_000_001 }, 'stock_adjustment', 'max'],
    [{ stock_adjustment: '1' }, 'stock_adjustment', 'type'],
    [{ name: null }, 'name', 'type'],
    [{ price: null }, 'price', 'type'],
    [{ stock: 1.5 }, 'stock', 'type'],
  ])('is refused: %j', async (fields, param, code) => {
    const id = await addProduct(api, { stock: 3 });
    const answer = await api.patch(`/products/${id}`, fields);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details[0]).toMatchObject({ param, code });
    expect((await shown(id)).version).toBe(1);
  });

  it('of the stock writes the ledger: recount, adjustment, end and start of tracking', async () => {
    const id = await addProduct(api, { stock: 10 });
    const patch = async (fields: object) => (await api.patch(`/products/${id}`, fields)).body.data.stock;
    expect(await patch({ stock: 7 })).toBe(7);
    expect(await patch({ stock: 7 })).toBe(7);
    expect(await patch({ stock_adjustment: 5 })).toBe(12);
    expect(await patch({ stock_adjustment: 0 })).toBe(12);
    expect(await patch({ stock: null })).toBeNull();
    expect((await api.patch(`/products/${id}`, { stock_adjustment: 1 })).body.error.details[0]).toMatchObject(
      {
        param: 'stock_adjustment',
        code: 'not_allowed',
      },
    );
    expect(await patch({ stock: 4 })).toBe(4);
    expect(await movementsOf(id)).toEqual([
      ['initial', 10, 10],
      ['recount', -3, 7],
      ['adjustment', 5, 12],
      ['untracked', -12, null],
      ['recount', 4, 4],
    ]);
  });

  it('of the stock below what is reserved is allowed, and blocks new orders until it is raised', async () => {
    const id = await addProduct(api, { stock: 10 });
    await order(id, 6);
    const { body } = await api.patch(`/products/${id}`, { stock: 4 });
    expect(body.data).toMatchObject({ stock: 4, reserved: 6, available: -2 });
    const contact = await addContact(api);
    const refused = await api.post('/orders', { contact, items: [{ product: id, quantity: 1 }] });
    expect(refused.body.error.details[0]).toMatchObject({
      param: 'items.0.quantity',
      code: 'insufficient_stock',
    });
    await api.patch(`/products/${id}`, { stock_adjustment: 3 });
    await order(id, 1);
    expect(await shown(id)).toMatchObject({ stock: 7, reserved: 7, available: 0 });
  });

  it('loses no sale or adjustment made meanwhile', async () => {
    const id = await addProduct(api, { stock: 100 });
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 ? order(id, 1) : api.patch(`/products/${id}`, { stock_adjustment: 1 }),
      ),
    );
    expect(await shown(id)).toMatchObject({ stock: 120, reserved: 20, available: 100 });
  });

  it('of the currency is 409 once the product was ordered', async () => {
    const id = await addProduct(api);
    expect((await api.patch(`/products/${id}`, { currency: 'EUR' })).status).toBe(200);
    expect((await api.patch(`/products/${id}`, { currency: 'USD' })).status).toBe(200);
    await order(id, 1);
    const answer = await api.patch(`/products/${id}`, { currency: 'EUR' });
    expect(answer.status).toBe(409);
    expect(answer.body.error.code).toBe('conflict');
    expect((await api.patch(`/products/${id}`, { currency: 'USD', name: 'same' })).status).toBe(200);
  });

  it.each(['unknown', nobody])('of %s is 404, whatever the body', async (id) => {
    expect((await api.patch(`/products/${id}`, { name: 'a' })).status).toBe(404);
    expect((await api.patch(`/products/${id}`, { name: 7 })).status).toBe(404);
    expect((await api.get(`/products/${id}`)).status).toBe(404);
  });
});

describe('events', () => {
  it('tell of creation, change and the last one sold', async () => {
    const other = await server().company();
    const client = await other.client();
    const id = await addProduct(client, { stock: 2 });
    await client.patch(`/products/${id}`, { price: 5 });
    const contact = await addContact(client);
    await client.post('/orders', { contact, items: [{ product: id, quantity: 2 }] });
    const events = await eventsOf(server().app, other.id, 'product');
    expect(events.map(({ type }) => type)).toEqual([
      'product.created',
      'product.updated',
      'product.updated',
      'product.out_of_stock',
    ]);
    for (const { data } of events) Product.parse(data.object);
    expect(events[1]!.data.previous).toEqual({ price: 1800, version: 1 });
    expect(events[3]!.data).toMatchObject({
      object: { stock: 2, reserved: 2, available: 0 },
      previous: { reserved: 0, available: 2 },
    });
    await client.patch(`/products/${id}`, { stock: 1 });
    expect((await eventsOf(server().app, other.id, 'product')).slice(4).map(({ type }) => type)).toEqual([
      'product.updated',
    ]);
  });
});
