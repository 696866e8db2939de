import { beforeAll, describe, expect, it } from 'vitest';
import { Order, orderStatuses, type OrderStatus } from '../schema/orders.ts';
import type { Answer, Client } from './support/client.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addContact, addProduct, eventsOf } from './support/shop.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let contact: string;
let product: string;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  contact = await addContact(api);
  product = await addProduct(api, { stock: 100_000 });
});

/** The table of the document, written out again: the code's own must equal it. */
const table: Record<OrderStatus, Partial<Record<OrderStatus, 'next' | 'yes'>>> = {
  pending: { confirmed: 'next', cancelled: 'yes' },
  confirmed: { processing: 'next', shipped: 'yes', completed: 'yes', cancelled: 'yes' },
  processing: { shipped: 'next', completed: 'yes', cancelled: 'yes' },
  shipped: { delivered: 'next', completed: 'yes', returned: 'yes' },
  delivered: { completed: 'next', returned: 'yes' },
  completed: { returned: 'yes' },
  cancelled: {},
  returned: {},
};

/** How an order comes to a status. */
const ways: Record<OrderStatus, OrderStatus[]> = {
  pending: [],
  confirmed: ['confirmed'],
  processing: ['confirmed', 'processing'],
  shipped: ['confirmed', 'shipped'],
  delivered: ['confirmed', 'shipped', 'delivered'],
  completed: ['confirmed', 'completed'],
  cancelled: ['cancelled'],
  returned: ['confirmed', 'shipped', 'returned'],
};

const quantity = 3;

async function orderIn(status: OrderStatus, fields: object = {}): Promise<Order> {
  const { body } = await api.post('/orders', { contact, items: [{ product, quantity }], ...fields });
  let order = body.data;
  for (const step of ways[status]) order = (await advance(order.id, { status: step })).body.data;
  expect(order.status).toBe(status);
  return Order.parse(order);
}

const advance = (id: string, fields: object = {}): Promise<Answer> =>
  api.post(`/orders/${id}/advance`, fields);

async function stock(): Promise<{ stock: number; reserved: number }> {
  const { stock, reserved } = (await api.get(`/products/${product}`)).body.data;
  return { stock, reserved };
}

/** What each status holds of the stock of its order: of goods on hand, of goods reserved. */
const holds = (status: OrderStatus) => {
  if (['pending', 'confirmed', 'processing'].includes(status)) return { stock: 0, reserved: quantity };
  return ['shipped', 'delivered', 'completed'].includes(status)
    ? { stock: -quantity, reserved: 0 }
    : { stock: 0, reserved: 0 };
};

const pairs = orderStatuses.flatMap((from) => orderStatuses.map((to) => [from, to] as const));

describe('every pair of statuses', () => {
  it.each(pairs)('%s → %s', async (from, to) => {
    const order = await orderIn(from);
    expect(order.allowed_transitions).toEqual(orderStatuses.filter((status) => table[from][status]));
    const before = await stock();
    const answer = await advance(order.id, { status: to });
    const after = await stock();
    if (from === to) {
      expect(answer.status).toBe(200);
      expect(answer.body.data).toEqual(order);
      expect(after).toEqual(before);
    } else if (table[from][to]) {
      expect(answer.status).toBe(200);
      const moved = Order.parse(answer.body.data);
      expect(moved.status).toBe(to);
      expect(moved.status_history.map(({ status }) => status)).toEqual(['pending', ...ways[from], to]);
      expect(moved.completed_at !== null).toBe([...ways[from], to].includes('completed'));
      expect(moved.cancelled_at !== null).toBe(to === 'cancelled');
      expect(moved.cancel_reason).toBe(to === 'cancelled' ? 'other' : null);
      expect(after).toEqual({
        stock: before.stock + holds(to).stock - holds(from).stock,
        reserved: before.reserved + holds(to).reserved - holds(from).reserved,
      });
      expect((await api.get(`/orders/${order.id}`)).body.data).toEqual(answer.body.data);
    } else {
      expect(answer.status).toBe(409);
      expect(answer.body.error.code).toBe('conflict');
      expect((await api.get(`/orders/${order.id}`)).body.data).toEqual(order);
      expect(after).toEqual(before);
    }
  });

  it.each(orderStatuses)('%s takes its next step by default, or is 409', async (from) => {
    const { id } = await orderIn(from);
    const next = orderStatuses.find((status) => table[from][status] === 'next');
    const answer = await advance(id);
    if (next) expect(answer.body.data.status).toBe(next);
    else expect(answer.status).toBe(409);
  });
});

describe('payment', () => {
  it.each([
    ['unpaid', 'unpaid', 200],
    ['unpaid', 'paid', 200],
    ['unpaid', 'refunded', 409],
    ['paid', 'unpaid', 409],
    ['paid', 'paid', 200],
    ['paid', 'refunded', 200],
    ['refunded', 'unpaid', 409],
    ['refunded', 'paid', 409],
    ['refunded', 'refunded', 200],
  ])('%s → %s is %i, and moves no status', async (from, to, status) => {
    const { id } = await orderIn('shipped');
    if (from !== 'unpaid') await advance(id, { payment_status: 'paid' });
    if (from === 'refunded') await advance(id, { payment_status: 'refunded' });
    const answer = await advance(id, { payment_status: to });
    expect(answer.status).toBe(status);
    const { data } = (await api.get(`/orders/${id}`)).body;
    expect(data).toMatchObject({ status: 'shipped', payment_status: status === 200 ? to : from });
    expect(data.status_history).toHaveLength(3);
  });

  it('of a paid order is refunded in the call that cancels it, or it is 409', async () => {
    const { id } = await orderIn('confirmed', { payment_status: 'paid' });
    expect((await advance(id, { status: 'cancelled' })).status).toBe(409);
    expect((await advance(id, { status: 'cancelled', payment_status: 'paid' })).status).toBe(409);
    const { body, status } = await advance(id, {
      status: 'cancelled',
      payment_status: 'refunded',
      cancel_reason: 'fraud',
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      status: 'cancelled',
      payment_status: 'refunded',
      cancel_reason: 'fraud',
    });
  });

  it('of an unpaid order is not made in the call that cancels it, nor afterwards', async () => {
    const { id } = await orderIn('pending');
    expect((await advance(id, { status: 'cancelled', payment_status: 'paid' })).status).toBe(409);
    expect((await advance(id, { status: 'cancelled', payment_status: 'refunded' })).status).toBe(409);
    expect((await advance(id, { status: 'cancelled' })).status).toBe(200);
    expect((await advance(id, { payment_status: 'paid' })).status).toBe(409);
  });

  it('goes along with a step', async () => {
    const { id } = await orderIn('pending');
    expect((await advance(id, { status: 'confirmed', payment_status: 'paid' })).body.data).toMatchObject({
      status: 'confirmed',
      payment_status: 'paid',
    });
    expect((await advance(id, { status: 'confirmed', payment_status: 'refunded' })).body.data).toMatchObject({
      status: 'confirmed',
      payment_status: 'refunded',
    });
  });
});

describe('advance', () => {
  it('keeps tracking, note and reason', async () => {
    const { id } = await orderIn('processing', {});
    const tracking = { carrier: 'Post', number: 'X1', url: 'https://example.com/X1' };
    const { body } = await advance(id, {
      status: 'shipped',
      tracking,
      note: 'Two parcels.',
      cancel_reason: 'fraud',
    });
    expect(body.data).toMatchObject({ tracking, cancel_reason: null });
    expect(body.data.status_history.at(-1)).toMatchObject({ status: 'shipped', note: 'Two parcels.' });
    expect((await advance(id, { tracking: { carrier: 'Other' } })).body.data.tracking).toEqual({
      carrier: 'Other',
      number: null,
      url: null,
    });
  });

  it('puts returned goods back unless told not to', async () => {
    const before = await stock();
    const { id } = await orderIn('shipped');
    await advance(id, { status: 'returned', restock: false });
    expect(await stock()).toEqual({ stock: before.stock - quantity, reserved: before.reserved });
  });

  it('refuses to ship more than is on hand, and ships after a recount', async () => {
    const scarce = await addProduct(api, { stock: 5 });
    const { body } = await api.post('/orders', { contact, items: [{ product: scarce, quantity: 4 }] });
    await advance(body.data.id);
    await api.patch(`/products/${scarce}`, { stock: 3 });
    const answer = await advance(body.data.id, { status: 'shipped' });
    expect(answer.status).toBe(422);
    expect(answer.body.error.details[0]).toMatchObject({ param: 'status', code: 'insufficient_stock' });
    expect((await api.get(`/orders/${body.data.id}`)).body.data.status).toBe('confirmed');
    await api.patch(`/products/${scarce}`, { stock: 4 });
    expect((await advance(body.data.id, { status: 'shipped' })).status).toBe(200);
  });

  it.each([
    [{ status: 'open' }, 'status', 'enum'],
    [{ status: null }, 'status', 'enum'],
    [{ payment_status: 'due' }, 'payment_status', 'enum'],
    [{ note: 'x'.repeat(501) }, 'note', 'max'],
    [{ tracking: { carrier: 'x'.repeat(65) } }, 'tracking.carrier', 'max'],
    [{ tracking: { number: 'x'.repeat(65) } }, 'tracking.number', 'max'],
    [{ tracking: { url: `https://example.com/${'x'.repeat(2048)}` } }, 'tracking.url', 'max'],
    [{ tracking: { url: 'javascript:alert(1)' } }, 'tracking.url', 'format'],
    [{ tracking: 'X1' }, 'tracking', 'type'],
    [{ cancel_reason: 'bored' }, 'cancel_reason', 'enum'],
    [{ restock: 'yes' }, 'restock', 'type'],
  ])('refuses %j', async (fields, param, code) => {
    const { id } = await orderIn('pending');
    const answer = await advance(id, fields);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details[0]).toMatchObject({ param, code });
  });

  it('tells of each step, the payment and the end', async () => {
    const other = await server().company();
    const client = await other.client();
    const buyer = await addContact(client);
    const { body } = await client.post('/orders', {
      contact: buyer,
      items: [{ name: 'Line', unit_price: 100, quantity: 1 }],
    });
    const step = (fields: object) => client.post(`/orders/${body.data.id}/advance`, fields);
    await step({ payment_status: 'paid' });
    await step({});
    await step({ status: 'confirmed' });
    await step({ status: 'cancelled', payment_status: 'refunded' });
    const events = await eventsOf(server().app, other.id, 'order');
    expect(events.map(({ type }) => type)).toEqual([
      'order.created',
      'order.paid',
      'order.status_changed',
      'order.status_changed',
      'order.refunded',
      'order.cancelled',
    ]);
    for (const { data } of events) Order.parse(data.object);
    expect(events[1]!.data.previous).toEqual({ payment_status: 'unpaid' });
    expect(events[2]!.data.previous).toMatchObject({ status: 'pending' });
    expect(events[5]!.data.previous).toMatchObject({
      status: 'confirmed',
      payment_status: 'paid',
      cancel_reason: null,
    });
    expect(events.at(-1)!.data.object).toEqual((await client.get(`/orders/${body.data.id}`)).body.data);
  });
});
