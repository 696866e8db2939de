import { beforeAll, describe, expect, it } from 'vitest';
import { Order } from '../schema/orders.ts';
import type { Client } from './support/client.ts';
import { useServer } from './support/server.ts';
import { addContact, addProduct, nobody, refused } from './support/shop.ts';

const server = useServer();

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
