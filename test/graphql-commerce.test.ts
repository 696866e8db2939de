import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { recordQueries } from './support/queries.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addContact, addProduct, insertConversation } from './support/shop.ts';

const server = useServer();
let company: TestCompany;
let client: Client;
let contact: string;
let product: string;

beforeAll(async () => {
  company = await server().company();
  client = await company.client();
  contact = await addContact(client, { phone: '+351912345678', email: 'ana@example.com' });
  product = await addProduct(client, { sku: 'MUG', stock: 100 });
});

async function data(query: string, variables: Record<string, unknown> = {}, as = client) {
  const { status, body } = await as.graphql(query, variables);
  expect(body.errors).toBeUndefined();
  expect(status).toBe(200);
  return body.data;
}

/** A REST record as GraphQL spells it. */
function camel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camel);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      camel(inner),
    ]),
  );
}

const productFields =
  'id name sku description price currency status stock reserved available imageUrl version createdAt updatedAt';
const orderFields = `id number status paymentStatus contact { id name phone } conversation
  items { id product { id } name sku quantity unitPrice total } currency subtotal discount shippingFee tax total
  shippingAddress { name line1 line2 city region postalCode country phone } notes tracking { carrier number url }
  cancelReason externalId source campaign statusHistory { status at by { type id name } note } allowedTransitions
  placedAt completedAt cancelledAt createdAt updatedAt`;
const bookingFields = `id title status startsAt endsAt durationMinutes timezone agent { name email } agentEmail
  contact { id name phone email } conversation attendee { name email phone } location notes cancelReason
  rescheduledFrom { startsAt endsAt } createdBy { name email } createdAt updatedAt`;

/** The order as GraphQL gives it, with products of lines as ids again. */
const flat = (order: { items: { product: { id: string } | null }[] }) => ({
  ...order,
  items: order.items.map((item) => ({ ...item, product: item.product?.id ?? null })),
});

let hours = 0;
const slot = () => ({
  startsAt: new Date(Date.UTC(2031, 2, 4) + hours++ * 3_600_000).toISOString(),
  durationMinutes: 60,
});

describe('one record, three surfaces', () => {
  it('a product', async () => {
    const { createProduct } = await data(
      `mutation($input: ProductCreateInput!) { createProduct(input: $input) { ${productFields} } }`,
      { input: { name: 'Lamp', price: 999_999_999_999, stock: 3, status: 'draft' } },
    );
    const shown = await client.get(`/products/${createProduct.id}`);
    expect(createProduct).toEqual(camel(shown.body.data));
    const trpc = await client.trpc('query', 'products.show', { product: createProduct.id });
    expect(trpc.body.result.data).toEqual(shown.body);
    const { updateProduct } = await data(
      'mutation($id: ID!) { updateProduct(product: $id, input: { stockAdjustment: -1 }) { stock available version } }',
      createProduct,
    );
    expect(updateProduct).toEqual({ stock: 2, available: 2, version: 2 });
    const { products } = await data(
      `{ products(q: "lamp", status: draft, inStock: true) { items { ${productFields} } } }`,
    );
    expect(products.items).toEqual([camel((await client.get(`/products/${createProduct.id}`)).body.data)]);
  });

  it('an order', async () => {
    const { createOrder } = await data(
      `mutation($input: OrderCreateInput!) { createOrder(input: $input) { ${orderFields} } }`,
      {
        input: {
          contact,
          items: [
            { product, quantity: 2 },
            { name: 'Gift wrap', unitPrice: 250, quantity: 1 },
          ],
          shippingFee: 490,
          shippingAddress: { postalCode: '1000-001', country: 'PT' },
        },
      },
    );
    const shown = await client.get(`/orders/${createOrder.id}`);
    expect(flat(createOrder)).toEqual(camel(shown.body.data));
    const trpc = await client.trpc('query', 'orders.show', { order: createOrder.id });
    expect(trpc.body.result.data).toEqual(shown.body);
    const { advanceOrder } = await data(
      'mutation($id: ID!) { advanceOrder(order: $id, input: { paymentStatus: paid, status: confirmed }) { status paymentStatus } }',
      createOrder,
    );
    expect(advanceOrder).toEqual({ status: 'confirmed', paymentStatus: 'paid' });
    const { body } = await client.graphql(
      'mutation($id: ID!) { advanceOrder(order: $id, input: { status: cancelled }) { status } }',
      createOrder,
    );
    expect(body.errors[0].extensions).toMatchObject({ code: 'conflict' });
    const { orders } = await data(
      `query($id: ID!) { orders(contact: $id, status: confirmed) { items { ${orderFields} } } }`,
      { id: contact },
    );
    expect(orders.items.map(flat)).toEqual([
      camel((await client.get(`/orders/${createOrder.id}`)).body.data),
    ]);
  });

  it('names fields in errors as GraphQL spells them', async () => {
    const { body } = await client.graphql(
      'mutation($input: OrderCreateInput!) { createOrder(input: $input) { id } }',
      {
        input: { contact, items: [{ product, quantity: 1, unitPrice: -1 }] },
      },
    );
    expect(body.errors[0].extensions).toMatchObject({
      code: 'validation_failed',
      param: 'items.0.unitPrice',
    });
  });

  it('a booking and the availability of its agent', async () => {
    const times = slot();
    const { createBooking } = await data(
      `mutation($input: BookingCreateInput!) { createBooking(input: $input) { ${bookingFields} } }`,
      { input: { title: 'Fitting', contact, ...times, attendee: { name: 'Rui' } } },
    );
    const shown = await client.get(`/bookings/${createBooking.id}`);
    expect(createBooking).toEqual(camel(shown.body.data));
    const trpc = await client.trpc('query', 'bookings.show', { booking: createBooking.id });
    expect(trpc.body.result.data).toEqual(shown.body);
    const { availability, bookings } = await data(
      `query($agent: String!) {
        availability(agentEmail: $agent, from: "2031-03-04", to: "2031-03-05") { startsAt endsAt }
        bookings(from: "2031-03-04", status: "confirmed") { id }
      }`,
      { agent: company.owner.email },
    );
    expect(availability).toEqual([{ startsAt: createBooking.startsAt, endsAt: createBooking.endsAt }]);
    expect(bookings).toEqual([{ id: createBooking.id }]);
    const { updateBooking } = await data(
      'mutation($id: ID!) { updateBooking(booking: $id, input: { status: cancelled, cancelReason: "Rain." }) { status cancelReason } }',
      createBooking,
    );
    expect(updateBooking).toEqual({ status: 'cancelled', cancelReason: 'Rain.' });
    const { deleteBooking } = await data(
      'mutation($id: ID!) { deleteBooking(booking: $id) { id deleted } }',
      createBooking,
    );
    expect(deleteBooking).toEqual({ id: createBooking.id, deleted: true });
  });
});

describe('scopes', () => {
  const query = 'query($id: ID!) { contact(contact: $id) { id orders { id } bookings { id } } }';
  const denied = async (as: Client) => {
    const { body } = await as.graphql(query, { id: contact });
    expect(body.data.contact.id).toBe(contact);
    return (body.errors ?? []).map(
      ({ path, extensions }: { path: string[]; extensions: { code: string } }) => [
        path.at(-1),
        extensions.code,
      ],
    );
  };

  it('are asked for by each relation', async () => {
    expect(await denied(await company.client({ scopes: ['contacts.view'] }))).toEqual([
      ['orders', 'forbidden'],
      ['bookings', 'forbidden'],
    ]);
    expect(await denied(await company.client({ scopes: ['contacts.view', 'commerce.view'] }))).toEqual([
      ['bookings', 'forbidden'],
    ]);
    expect(await denied(await company.client({ scopes: ['contacts.view', 'calendar.view'] }))).toEqual([
      ['orders', 'forbidden'],
    ]);
    const commerce = await company.client({ scopes: ['commerce.view'] });
    const { body } = await commerce.graphql(
      '{ orders(first: 1) { items { contact { name profile { email } } } } }',
    );
    expect(body.errors[0]).toMatchObject({ extensions: { code: 'forbidden' } });
    expect(body.data.orders.items[0].contact).toEqual({ name: 'Ana Sousa', profile: null });
  });

  it('give a test key no booking at all', async () => {
    const sandbox = await company.client({ mode: 'test' });
    const { body } = await sandbox.graphql(
      '{ contacts(first: 1) { items { orders { id } bookings { id } } } bookings { id } }',
    );
    expect(body.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toEqual([
      'forbidden',
      'forbidden',
    ]);
    expect(body.data.bookings).toBeNull();
    expect(body.data.contacts.items[0].bookings).toBeNull();
  });
});

describe('statements', () => {
  it('are as many for one contact as for many: orders, their products, bookings', async () => {
    const other = await server().company();
    const shop = await other.client();
    const mugs = [await addProduct(shop), await addProduct(shop)];
    for (let n = 0; n < 20; n++) {
      const buyer = await addContact(shop);
      for (let order = 0; order < 2; order++)
        await shop.post('/orders', {
          contact: buyer,
          items: mugs.map((mug) => ({ product: mug, quantity: 1 })),
        });
      const times = slot();
      await shop.post('/bookings', {
        title: 'a',
        contact: buyer,
        starts_at: times.startsAt,
        duration_minutes: 60,
      });
    }
    const query = `query($first: Int) { contacts(first: $first) { items {
      orders(first: 3) { number items(first: 2) { name product { name } } contact { profile { name } } }
      bookings(first: 2) { title contact { name profile { id } } }
    } } }`;
    const counts: number[] = [];
    for (const first of [1, 10, 20]) {
      const statements = await recordQueries(server().app, async () => {
        const { contacts } = await data(query, { first }, shop);
        expect(contacts.items).toHaveLength(first);
        expect(contacts.items[0].orders).toHaveLength(2);
        expect(contacts.items[0].orders[0].items).toHaveLength(2);
        expect(contacts.items[0].bookings).toHaveLength(1);
      });
      counts.push(statements.length);
    }
    expect(new Set(counts).size).toBe(1);
    expect(counts[0]).toBeLessThanOrEqual(6);
  });

  it('are as many for one conversation as for many, with their orders', async () => {
    const other = await server().company();
    const shop = await other.client();
    for (let n = 0; n < 10; n++) {
      const buyer = await addContact(shop);
      const { conversation } = await insertConversation(server().app, other.id, buyer);
      const items = [{ name: 'Line', unit_price: 100, quantity: 1 }];
      await shop.post('/orders', { contact: buyer, conversation, items });
      await shop.post('/orders', { contact: buyer, items });
    }
    const query =
      'query($first: Int) { conversations(first: $first) { items { id orders(first: 5) { conversation } } } }';
    const counts: number[] = [];
    for (const first of [1, 10]) {
      const statements = await recordQueries(server().app, async () => {
        const { conversations } = await data(query, { first }, shop);
        expect(conversations.items).toHaveLength(first);
        for (const { id, orders } of conversations.items) expect(orders).toEqual([{ conversation: id }]);
      });
      counts.push(statements.length);
    }
    expect(new Set(counts).size).toBe(1);
    const inbox = await other.client({ scopes: ['inbox.access'] });
    const { body } = await inbox.graphql(query, { first: 1 });
    expect(body.errors[0]).toMatchObject({ extensions: { code: 'forbidden' } });
    expect(body.data.conversations.items[0].orders).toBeNull();
  });
});
