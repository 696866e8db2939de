import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { useServer } from './support/server.ts';
import { addContact, addProduct, nobody, refused } from './support/shop.ts';

const server = useServer();
let api: Client;
let contact: string;
let mug: string;

beforeAll(async () => {
  api = await (await server().company()).client();
  contact = await addContact(api);
  mug = await addProduct(api);
});

describe('an order', () => {
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
});
