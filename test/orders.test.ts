import { beforeAll, describe, expect, it } from 'vitest';
import { Order } from '../schema/orders.ts';
import type { Answer, Client } from './support/client.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addContact, addProduct, eventsOf, insertConversation, nobody } from './support/shop.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let contact: string;
let mug: string;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  contact = await addContact(api, { name: 'Ana Sousa', phone: '+351912345678', email: 'ana@example.com' });
  mug = await addProduct(api, { name: 'Mug', price: 1800, sku: 'MUG' });
});

async function place(fields: object): Promise<Order> {
  const answer = await api.post('/orders', { contact, items: [{ product: mug, quantity: 1 }], ...fields });
  expect(answer.status, answer.text).toBe(201);
  return Order.parse(answer.body.data);
}

function refused(answer: Answer, param: string, code: string, status = 422) {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.body.error.details[0]).toMatchObject({ param, code });
}

describe('an order', () => {
  it('has totals, snapshots and a running number', async () => {
    const { body, status } = await api.post('/orders', {
      contact,
      items: [
        { product: mug, quantity: 3 },
        { product: mug, quantity: 1, unit_price: 1500 },
        { name: 'Gift wrap', unit_price: 250, quantity: 2 },
      ],
      discount: 1000,
      shipping_fee: 490,
      tax: 77,
      notes: 'Ring twice.',
      external_id: 'shop-1',
      shipping_address: { name: 'Ana', line1: 'Rua 1', city: 'Lisboa', country: 'pt', planet: 'Earth' },
      number: 77,
      total: 1,
      status: 'completed',
    });
    expect(status).toBe(201);
    const order = Order.parse(body.data);
    expect(order).toMatchObject({
      number: 1,
      status: 'pending',
      payment_status: 'unpaid',
      contact: { id: contact, name: 'Ana Sousa', phone: '+351912345678' },
      conversation: null,
      currency: 'USD',
      subtotal: 3 * 1800 + 1500 + 500,
      discount: 1000,
      shipping_fee: 490,
      tax: 77,
      total: 7400 - 1000 + 490 + 77,
      shipping_address: {
        name: 'Ana',
        line1: 'Rua 1',
        line2: null,
        city: 'Lisboa',
        region: null,
        postal_code: null,
        country: 'PT',
        phone: null,
      },
      notes: 'Ring twice.',
      tracking: null,
      cancel_reason: null,
      external_id: 'shop-1',
      source: 'api',
      campaign: null,
      allowed_transitions: ['confirmed', 'cancelled'],
      completed_at: null,
      cancelled_at: null,
    });
    expect(order.items.map(({ id: _id, ...item }) => item)).toEqual([
      { product: mug, name: 'Mug', sku: 'MUG', quantity: 3, unit_price: 1800, total: 5400 },
      { product: mug, name: 'Mug', sku: 'MUG', quantity: 1, unit_price: 1500, total: 1500 },
      { product: null, name: 'Gift wrap', sku: null, quantity: 2, unit_price: 250, total: 500 },
    ]);
    expect(order.status_history).toMatchObject([
      { status: 'pending', at: order.placed_at, by: { type: 'api_key', name: 'tests' }, note: null },
    ]);
    expect((await api.get(`/orders/${order.id}`)).body.data).toEqual(body.data);
    expect((await place({})).number).toBe(2);
  });

  it('keeps its names and prices when the product changes', async () => {
    const product = await addProduct(api, { name: 'Old name', price: 100, sku: 'OLD' });
    const { id } = await place({ items: [{ product, quantity: 2 }] });
    await api.patch(`/products/${product}`, { name: 'New name', price: 999, sku: 'NEW' });
    expect((await api.get(`/orders/${id}`)).body.data.items[0]).toMatchObject({
      name: 'Old name',
      sku: 'OLD',
      unit_price: 100,
      total: 200,
    });
  });

  it('takes the currency of its products, else of the company; all are of one', async () => {
    const euro = await addProduct(api, { currency: 'EUR' });
    expect((await place({ items: [{ product: euro, quantity: 1 }] })).currency).toBe('EUR');
    expect((await place({ items: [{ name: 'Free', unit_price: 0, quantity: 1 }] })).currency).toBe('USD');
    const free = { items: [{ name: 'Free', unit_price: 0, quantity: 1 }], currency: 'brl' };
    expect((await place(free)).currency).toBe('BRL');
    const mixed = {
      contact,
      items: [
        { product: mug, quantity: 1 },
        { product: euro, quantity: 1 },
      ],
    };
    refused(await api.post('/orders', mixed), 'items.1.product', 'not_allowed');
    const other = { contact, items: [{ product: mug, quantity: 1 }], currency: 'EUR' };
    refused(await api.post('/orders', other), 'items.0.product', 'not_allowed');
  });

  it('may be paid from the start', async () => {
    const before = (await eventsOf(server().app, company.id, 'order')).length;
    expect((await place({ payment_status: 'paid' })).payment_status).toBe('paid');
    const events = await eventsOf(server().app, company.id, 'order');
    expect(events.slice(before).map(({ type }) => type)).toEqual(['order.created', 'order.paid']);
    for (const { data } of events) Order.parse(data.object);
  });

  it.each([
    [{ contact: undefined }, 'contact', 'required'],
    [{ contact: 'x'.repeat(27) }, 'contact', 'max'],
    [{ contact: nobody }, 'contact', 'unknown_id'],
    [{ contact: 'unknown' }, 'contact', 'unknown_id'],
    [{ conversation: nobody }, 'conversation', 'unknown_id'],
    [{ items: undefined }, 'items', 'required'],
    [{ items: [] }, 'items', 'min'],
    [
      { items: Array.from({ length: 101 }, () => ({ name: 'a', unit_price: 1, quantity: 1 })) },
      'items',
      'max',
    ],
    [{ items: [{ product: nobody, quantity: 1 }] }, 'items.0.product', 'unknown_id'],
    [
      {
        items: [
          { name: 'a', unit_price: 1, quantity: 1 },
          { product: 'x', quantity: 1 },
        ],
      },
      'items.1.product',
      'unknown_id',
    ],
    [{ items: [{ product: 'x'.repeat(27), quantity: 1 }] }, 'items.0.product', 'max'],
    [{ items: [{ quantity: 1 }] }, 'items.0.product', 'required'],
    [{ items: [{ name: 'a', quantity: 1 }] }, 'items.0.unit_price', 'required'],
    [{ items: [{ name: '', unit_price: 1, quantity: 1 }] }, 'items.0.name', 'required'],
    [{ items: [{ name: 'x'.repeat(192), unit_price: 1, quantity: 1 }] }, 'items.0.name', 'max'],
    [{ items: [{ product: 'p', name: 'a', quantity: 1 }] }, 'items.0.name', 'not_allowed'],
    [{ items: [{ name: 'a', unit_price: 1 }] }, 'items.0.quantity', 'required'],
    [{ items: [{ name: 'a', unit_price: 1, quantity: 0 }] }, 'items.0.quantity', 'min'],
    [{ items: [{ name: 'a', unit_price: 1, quantity: 10_000 }] }, 'items.0.quantity', 'max'],
    [{ items: [{ name: 'a', unit_price: 1, quantity: 1.5 }] }, 'items.0.quantity', 'type'],
    [{ items: [{ name: 'a', unit_price: -1, quantity: 1 }] }, 'items.0.unit_price', 'min'],
    [{ items: [{ name: 'a', unit_price: 0.5, quantity: 1 }] }, 'items.0.unit_price', 'type'],
    [{ items: [{ name: 'a', unit_price: 999_999_999_999, quantity: 2 }] }, 'items.0.unit_price', 'max'],
    [
      { items: Array.from({ length: 2 }, () => ({ name: 'a', unit_price: 999_999_999_999, quantity: 1 })) },
      'items',
      'max',
    ],
    [{ items: [{ name: 'a', unit_price: 10, quantity: 1 }], discount: 11 }, 'discount', 'max'],
    [{ items: [{ name: 'a', unit_price: 999_999_999_999, quantity: 1 }], tax: 1 }, 'tax', 'max'],
    [
      { items: [{ name: 'a', unit_price: 999_999_999_999, quantity: 1 }], shipping_fee: 1 },
      'shipping_fee',
      'max',
    ],
    [{ discount: -1 }, 'discount', 'min'],
    [{ shipping_fee: '1' }, 'shipping_fee', 'type'],
    [{ tax: 1_000_000_000_000 }, 'tax', 'max'],
    [{ currency: 'XQZ' }, 'currency', 'format'],
    [{ payment_status: 'refunded' }, 'payment_status', 'enum'],
    [{ shipping_address: { city: 'x'.repeat(192) } }, 'shipping_address.city', 'max'],
    [{ shipping_address: { country: 'PRT' } }, 'shipping_address.country', 'max'],
    [{ notes: 'x'.repeat(2001) }, 'notes', 'max'],
    [{ external_id: 'x'.repeat(65) }, 'external_id', 'max'],
    [{ external_id: '' }, 'external_id', 'required'],
  ])('is refused, case %#', async (fields, param, code) => {
    const items = [{ name: 'Line', unit_price: 100, quantity: 1 }];
    refused(await api.post('/orders', { contact, items, ...fields }), param, code);
  });

  it('has an external id of its own; the refusal names the order that has it', async () => {
    const items = [{ name: 'Line', unit_price: 100, quantity: 1 }];
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.post('/orders', { contact, items, external_id: 'race' })),
    );
    const [winner, ...others] = answers.filter(({ status }) => status === 201);
    expect(others).toEqual([]);
    for (const answer of answers.filter((one) => one !== winner)) {
      refused(answer, 'external_id', 'duplicate');
      expect(answer.body.error.details[0].existing).toBe(winner!.body.data.id);
    }
  });

  it.each(['draft', 'archived'])('of a product that is %s is refused', async (status) => {
    const product = await addProduct(api, { status });
    refused(
      await api.post('/orders', { contact, items: [{ product, quantity: 1 }] }),
      'items.0.product',
      'not_allowed',
    );
  });

  it('of records of another company, or of a deleted contact, is refused as of unknown ones', async () => {
    const foreign = await (await server().company()).client();
    const theirs = await addProduct(foreign);
    const their = await addContact(foreign);
    refused(
      await api.post('/orders', { contact: their, items: [{ product: mug, quantity: 1 }] }),
      'contact',
      'unknown_id',
    );
    refused(
      await api.post('/orders', { contact, items: [{ product: theirs, quantity: 1 }] }),
      'items.0.product',
      'unknown_id',
    );
    const deleted = await addContact(api);
    await api.delete(`/contacts/${deleted}`);
    refused(
      await api.post('/orders', { contact: deleted, items: [{ product: mug, quantity: 1 }] }),
      'contact',
      'unknown_id',
    );
  });

  it('still shows when its contact is deleted', async () => {
    const leaving = await addContact(api, { name: 'Leaving', phone: '+351912000001' });
    const { id } = await place({ contact: leaving });
    await api.delete(`/contacts/${leaving}`);
    expect((await api.get(`/orders/${id}`)).body.data.contact).toEqual({
      id: leaving,
      name: 'Deleted contact',
      phone: null,
    });
  });

  it('sums the lines of one product before it asks for stock, and names the first of them', async () => {
    const product = await addProduct(api, { stock: 5 });
    const two = (a: number, b: number) => [
      { name: 'Free', unit_price: 1, quantity: 1 },
      { product, quantity: a },
      { product, quantity: b },
    ];
    refused(
      await api.post('/orders', { contact, items: two(3, 3) }),
      'items.1.quantity',
      'insufficient_stock',
    );
    await place({ items: two(3, 2) });
    expect((await api.get(`/products/${product}`)).body.data).toMatchObject({
      stock: 5,
      reserved: 5,
      available: 0,
    });
  });

  it('is all or nothing: what another line lacks is reserved for none, and the number is not used up', async () => {
    const [much, little] = [await addProduct(api, { stock: 50 }), await addProduct(api, { stock: 1 })];
    const { number } = await place({});
    const items = [
      { product: much, quantity: 5 },
      { product: little, quantity: 2 },
    ];
    const answer = await api.post('/orders', { contact, items });
    expect(answer.body.error.details).toMatchObject([
      { param: 'items.1.quantity', code: 'insufficient_stock' },
    ]);
    expect((await api.get(`/products/${much}`)).body.data).toMatchObject({ reserved: 0, version: 1 });
    expect((await place({})).number).toBe(number + 1);
  });

  it('belongs to a conversation of its contact, and to the campaign that wrote there last', async () => {
    const { app, clock } = server();
    const plain = await insertConversation(app, company.id, contact);
    expect(await place({ conversation: plain.conversation })).toMatchObject({
      conversation: plain.conversation,
      source: 'api',
      campaign: null,
    });
    const fresh = await insertConversation(app, company.id, contact, { campaignAt: clock.now() });
    const sold = await place({ conversation: fresh.conversation });
    expect(sold).toMatchObject({ source: 'campaign', campaign: fresh.campaign });
    const old = new Date(clock.now().getTime() - 8 * 24 * 3_600_000);
    const stale = await insertConversation(app, company.id, contact, { campaignAt: old });
    expect(await place({ conversation: stale.conversation })).toMatchObject({
      source: 'api',
      campaign: null,
    });
    const figures = async () => {
      const { rows } = await app.pool.query('SELECT order_count, revenue FROM campaigns WHERE id = $1', [
        fresh.campaign,
      ]);
      return [rows[0].order_count, Number(rows[0].revenue)];
    };
    expect(await figures()).toEqual([1, sold.total]);
    await api.post(`/orders/${sold.id}/advance`, { status: 'cancelled' });
    expect(await figures()).toEqual([0, 0]);
    const stranger = await addContact(api);
    refused(
      await api.post('/orders', {
        contact: stranger,
        conversation: plain.conversation,
        items: [{ product: mug, quantity: 1 }],
      }),
      'conversation',
      'not_allowed',
    );
  });

  it('of a test key is answered as live, with its events, and leaves nothing; quantity 9999 shows a refusal', async () => {
    const sandbox = await company.client({ mode: 'test' });
    const { body: products } = await sandbox.get('/products', { status: 'active' });
    const { body: contacts } = await sandbox.get('/contacts');
    const product = products.data.find((one: { stock: number | null }) => one.stock === null);
    const make = (quantity: number) =>
      sandbox.post('/orders', { contact: contacts.data[0].id, items: [{ product: product.id, quantity }] });
    const answer = await make(2);
    expect(answer.status).toBe(201);
    expect(answer.body.data.number).toBe(4);
    expect(answer.body.meta.test.events.map(({ type }: { type: string }) => type)).toEqual([
      'order.created',
      'product.updated',
    ]);
    expect((await sandbox.get(`/orders/${answer.body.data.id}`)).status).toBe(404);
    refused(await make(9999), 'items.0.quantity', 'insufficient_stock');
  });
});

describe('numbers', () => {
  it('run without a gap, also among refused orders and many at once', async () => {
    const other = await server().company();
    const client = await other.client();
    const buyer = await addContact(client);
    const product = await addProduct(client, { stock: 30 });
    const answers = await Promise.all(
      Array.from({ length: 60 }, () =>
        client.post('/orders', { contact: buyer, items: [{ product, quantity: 1 }] }),
      ),
    );
    const numbers = answers.filter(({ status }) => status === 201).map(({ body }) => body.data.number);
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
  });
});

describe('the list', () => {
  let shop: Client;
  let ana: string;
  let rui: string;
  let orders: Order[];

  beforeAll(async () => {
    const other = await server().company();
    shop = await other.client();
    ana = await addContact(shop, { name: 'Ana Sousa', phone: '+351912345678', email: 'ana@example.com' });
    rui = await addContact(shop, { name: 'Rui 100%' });
    orders = [];
    for (let n = 0; n < 5; n++) {
      const items = [{ name: 'Line', unit_price: 100, quantity: n + 1 }];
      const answer = await shop.post('/orders', {
        contact: n % 2 ? rui : ana,
        items,
        payment_status: n === 4 ? 'paid' : 'unpaid',
      });
      orders.push(answer.body.data);
      server().clock.advance(1000);
    }
    await shop.post(`/orders/${orders[0]!.id}/advance`, {});
  });

  const numbers = async (query: Record<string, string> = {}) => {
    const answer = await shop.get('/orders', query);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.data.map((order: Order) => Order.parse(order).number);
  };

  it('is newest first and the same as each order shown', async () => {
    expect(await numbers()).toEqual([5, 4, 3, 2, 1]);
    const { body } = await shop.get('/orders');
    for (const order of body.data) expect((await shop.get(`/orders/${order.id}`)).body.data).toEqual(order);
  });

  it('is filtered', async () => {
    expect(await numbers({ status: 'confirmed' })).toEqual([1]);
    expect(await numbers({ payment_status: 'paid' })).toEqual([5]);
    expect(await numbers({ contact: rui })).toEqual([4, 2]);
    expect(await numbers({ contact: 'unknown' })).toEqual([]);
    expect(await numbers({ conversation: nobody })).toEqual([]);
    expect(await numbers({ q: '3' })).toEqual([5, 3, 1]); // the number, and the phone of Ana
    expect(await numbers({ q: '#4' })).toEqual([4]);
    expect(await numbers({ q: 'sousa' })).toEqual([5, 3, 1]);
    expect(await numbers({ q: '%' })).toEqual([4, 2]);
    expect(await numbers({ q: '99999999999' })).toEqual([]);
    expect(await numbers({ from: orders[1]!.created_at, to: orders[3]!.created_at })).toEqual([3, 2]);
    expect(await numbers({ from: '2020-01-01', status: 'pending', contact: ana })).toEqual([5, 3]);
  });

  it('is paged by cursor', async () => {
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const answer = await shop.get('/orders', { limit: 2, ...(cursor === null ? {} : { cursor }) });
      seen.push(...answer.body.data.map(({ number }: Order) => number));
      cursor = answer.body.meta.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual([5, 4, 3, 2, 1]);
  });

  it.each([
    [{ status: 'open' }, 'status', 'enum'],
    [{ payment_status: 'due' }, 'payment_status', 'enum'],
    [{ contact: 'x'.repeat(27) }, 'contact', 'max'],
    [{ conversation: 'x'.repeat(27) }, 'conversation', 'max'],
    [{ from: 'yesterday' }, 'from', 'format'],
    [{ to: '2026-02-30' }, 'to', 'format'],
    [{ q: 'x'.repeat(192) }, 'q', 'max'],
    [{ limit: '0' }, 'limit', 'min'],
  ] as [Record<string, string>, string, string][])('refuses %j', async (query, param, code) => {
    refused(await shop.get('/orders', query), param, code);
  });
});
