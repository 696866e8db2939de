import { beforeAll, describe, expect, it } from 'vitest';
import { Order } from '../schema/orders.ts';
import type { Client } from './support/client.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addContact, addProduct, eventsOf, insertConversation, refused } from './support/shop.ts';

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

  it('sums the lines of one product before it asks for stock, and names the first of them [S2]', async () => {
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
