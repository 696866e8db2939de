import { beforeEach, describe, expect, test } from 'vitest';
import { importContacts } from '../server/contacts/import.ts';
import { exportOrders } from '../server/orders/export.ts';
import { importOrders } from '../server/orders/import.ts';
import { exportProducts } from '../server/products/export.ts';
import { importProducts } from '../server/products/import.ts';
import type { Client } from './support/client.ts';
import { counts, exporting, importing } from './support/csv.ts';
import { expectConsistent } from './support/ledgers.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addContact, addProduct, eventsOf, tally } from './support/shop.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeEach(async () => {
  company = await server().company();
  api = await company.client();
});

const loadProducts = (text: string, options?: Parameters<typeof importProducts>[2]) =>
  importing(server().app, company.id, importProducts, text, options);
const loadOrders = (text: string, options?: Parameters<typeof importOrders>[2]) =>
  importing(server().app, company.id, importOrders, text, options);

async function products(client = api) {
  const { data } = (await client.get('/products?limit=100&sort=name')).body;
  return data.map((row: Record<string, unknown>) => ({
    ...row,
    id: null,
    created_at: null,
    updated_at: null,
    version: null,
  }));
}

async function stockOf(sku: string): Promise<object> {
  const { rows } = await server().app.pool.query(
    'SELECT stock, reserved FROM products WHERE company_id = $1 AND sku = $2',
    [company.id, sku],
  );
  return rows[0];
}

describe('products', () => {
  test('a round trip into another company gives the same products; the second time nothing changes', async () => {
    await addProduct(api, { name: '=Mug', sku: '+1', price: 1990, stock: 7, description: 'a\r\n"b"' });
    await addProduct(api, { name: '-Plate', sku: '-2', price: 0, currency: 'USD', status: 'draft' });
    await addProduct(api, { name: 'Bowl', sku: "'3", price: 999_999_999_999, stock: 0, status: 'archived' });
    const text = await exporting(server().app, company.id, exportProducts);
    const other = await server().company();
    const first = await importing(server().app, other.id, importProducts, text);
    expect(counts(first.result)).toEqual({ rows: 3, created: 3, updated: 0, skipped: 0, failed: 0 });
    expect(await products(await other.client())).toEqual(await products());
    for (const id of [company.id, other.id]) {
      const { result } = await importing(server().app, id, importProducts, text);
      expect(counts(result)).toEqual({ rows: 3, created: 0, updated: 0, skipped: 3, failed: 0 });
      await expectConsistent(server().app, id);
    }
  });

  test('rows go through the service: recounts in the ledger, refusals with their reasons, an event for each change', async () => {
    await addProduct(api, { sku: 'A', price: 100, stock: 5 });
    const sold = await addProduct(api, { sku: 'SOLD', price: 100, stock: 5 });
    const contact = await addContact(api);
    await api.post('/orders', { contact, items: [{ product: sold, quantity: 1 }] });
    const told = (await eventsOf(server().app, company.id, 'product')).length;
    const { result, rejected } = await loadProducts(
      [
        'SKU;Name;Price;Stock;Status;Currency',
        'A;;120;8;;', // updated
        'B;Bowl;250;3;Draft;',
        'B;Bowl;250;3;Draft;', // as it is by now
        'C;Cup;19.90;;;',
        'D;;100;;;',
        ';No SKU;100;;;',
        'SOLD;;;;;JPY',
        'E;E;1;-1;;',
        'F;F;1;;gone;',
      ].join('\n'),
    );
    expect(counts(result)).toEqual({ rows: 9, created: 1, updated: 1, skipped: 1, failed: 6 });
    expect(result.errors.map(({ line, param, code }) => [line, param, code])).toEqual([
      [5, 'price', 'type'],
      [6, 'name', 'required'],
      [7, 'sku', 'required'],
      [8, null, 'conflict'],
      [9, 'stock', 'min'],
      [10, 'status', 'enum'],
    ]);
    expect(rejected.trimEnd().split('\r\n')).toHaveLength(7);
    expect(await stockOf('A')).toEqual({ stock: 8, reserved: 0 });
    const types = (await eventsOf(server().app, company.id, 'product')).slice(told).map(({ type }) => type);
    expect(tally(types)).toEqual({ 'product.created': 1, 'product.updated': 1 });
    await expectConsistent(server().app, company.id);
  });

  test('a dry run of several batches counts the same and changes nothing', async () => {
    const rows = Array.from({ length: 250 }, (_, n) => `S${n % 240},Mug ${n},100,${n}`);
    const text = `sku,name,price,stock\n${rows.join('\n')}\n`;
    const { result } = await loadProducts(text, { dryRun: true });
    expect(await products()).toEqual([]);
    expect(await eventsOf(server().app, company.id, 'product')).toEqual([]);
    const real = await loadProducts(text);
    expect(counts(result)).toEqual(counts(real.result));
    expect(counts(result)).toEqual({ rows: 250, created: 240, updated: 10, skipped: 0, failed: 0 });
  });
});

describe('orders', () => {
  const comparable = ({ body }: { body: { data: Record<string, unknown>[] } }) =>
    body.data
      .map(({ status, payment_status, currency, subtotal, discount, shipping_fee, tax, total, ...rest }) => ({
        status,
        payment_status,
        currency,
        subtotal,
        discount,
        shipping_fee,
        tax,
        total,
        address: rest['shipping_address'],
        notes: rest['notes'],
        tracking: rest['tracking'],
        cancel_reason: rest['cancel_reason'],
        external_id: rest['external_id'],
        items: (rest['items'] as Record<string, unknown>[]).map((item) => ({
          ...item,
          id: null,
          product: null,
        })),
      }))
      .sort((a, b) => String(a.external_id).localeCompare(String(b.external_id)));

  test('a round trip into another company gives the same orders, and the second time they are skipped', async () => {
    const mug = await addProduct(api, { name: 'Mug', sku: 'MUG', price: 1800, stock: 100 });
    const contact = await addContact(api, { name: '=Ana', phone: '+351912000001', email: 'ana@example.com' });
    const byMail = await addContact(api, { email: 'bo@example.com' });
    const items = [
      { product: mug, quantity: 2, unit_price: 1700 },
      { name: '=Gift wrap', unit_price: 100, quantity: 1 },
    ];
    const place = async (external_id: string, fields: object, ...steps: object[]) => {
      const { body } = await api.post('/orders', { contact, external_id, items, ...fields });
      for (const step of steps)
        expect((await api.post(`/orders/${body.data.id}/advance`, step)).status).toBe(200);
    };
    const shipping_address = { name: 'Ana', line1: '-1 Rua', city: 'Porto', country: 'pt', phone: '+351 9' };
    await place('A', { discount: 50, shipping_fee: 300, tax: 23, notes: '@home\n"soon"', shipping_address });
    await place('B', { contact: byMail, payment_status: 'paid' }, { status: 'confirmed' });
    await place('C', {}, { status: 'cancelled', cancel_reason: 'fraud' });
    await place('D', { payment_status: 'paid' }, { payment_status: 'refunded', status: 'cancelled' });
    const tracking = { carrier: 'CTT', number: '=1', url: null };
    await place('E', {}, { status: 'confirmed' }, { status: 'shipped', tracking });
    await place('F', {}, { status: 'confirmed' }, { status: 'completed' }, { status: 'returned' });
    const text = await exporting(server().app, company.id, exportOrders);
    const other = await server().company();
    const client = await other.client();
    await importing(server().app, other.id, importContacts, 'phone,email\n+351912000001,\n,bo@example.com\n');
    await importing(server().app, other.id, importProducts, 'sku,name,price,stock\nMUG,Mug,1800,100\n');
    const first = await importing(server().app, other.id, importOrders, text);
    expect(first.result.errors).toEqual([]);
    expect(counts(first.result)).toEqual({ rows: 12, created: 6, updated: 0, skipped: 0, failed: 0 });
    expect(comparable(await client.get('/orders'))).toEqual(comparable(await api.get('/orders')));
    await expectConsistent(server().app, other.id);
    for (const id of [company.id, other.id]) {
      const { result } = await importing(server().app, id, importOrders, text);
      expect(counts(result)).toEqual({ rows: 12, created: 0, updated: 0, skipped: 6, failed: 0 });
    }
  });

  test('an order without external_id is known by the id that it was exported with', async () => {
    const contact = await addContact(api, { phone: '+351912000001' });
    await api.post('/orders', { contact, items: [{ name: 'Wrap', unit_price: 5, quantity: 1 }] });
    const text = await exporting(server().app, company.id, exportOrders);
    const other = await server().company();
    await addContact(await other.client(), { phone: '+351912000001' });
    for (const [id, expected] of [
      [company.id, { created: 0, skipped: 1 }],
      [other.id, { created: 1, skipped: 0 }],
      [other.id, { created: 0, skipped: 1 }],
    ] as const)
      expect((await importing(server().app, id, importOrders, text)).result).toMatchObject(expected);
  });

  test('what is wrong with an order refuses all its lines, says where, and takes no stock and no number', async () => {
    await addProduct(api, { sku: 'A', price: 100, stock: 5 });
    await addProduct(api, { sku: 'B', price: 100, stock: 5 });
    await addContact(api, { phone: '+351912000001', email: 'ana@example.com' });
    const header =
      'external_id,contact_phone,contact_email,sku,item_name,quantity,unit_price,discount,status';
    const text = [
      header,
      '1,+351912000001,,A,,2,,,',
      '1,,,B,,2,,,',
      '2,+351912000001,,A,,1,,,', // line 4
      '2,,,B,,4,,,', // too many
      '3,+351912999999,,A,,1,,,',
      '4,,ana@example.com,NONE,,1,,,',
      '5,,ana@example.com,A,,one,,,',
      '6,,ana@example.com,A,,1,,500,',
      '7,,ana@example.com,,Wrap,1,,,',
      ',,ana@example.com,A,,1,,,',
      '8,,ana@example.com,A,,1,,,lost',
      '9,,ana@example.com,A,,1,,10,',
      '9,,,A,,1,,20,',
      '1,,ana@example.com,A,,1,,,', // line 15: not beside the others
      '10,,ana@example.com,,Wrap,1,5,,Confirmed',
      ...Array.from({ length: 101 }, () => '11,,ana@example.com,A,,1,,,'),
    ].join('\n');
    const trial = await loadOrders(text, { dryRun: true });
    expect(await stockOf('A')).toEqual({ stock: 5, reserved: 0 });
    const { result, rejected } = await loadOrders(text);
    expect(counts(trial.result)).toEqual(counts(result));
    expect(trial.rejected).toBe(rejected);
    expect(counts(result)).toEqual({ rows: 116, created: 2, updated: 0, skipped: 0, failed: 11 });
    expect(result.errors.map(({ line, param, code }) => [line, param, code])).toEqual([
      [5, 'quantity', 'insufficient_stock'],
      [6, 'contact_phone', 'unknown_id'],
      [7, 'sku', 'unknown_id'],
      [8, 'quantity', 'type'],
      [9, 'discount', 'max'],
      [10, 'unit_price', 'required'],
      [11, 'external_id', 'required'],
      [12, 'status', 'enum'],
      [13, 'discount', 'not_allowed'],
      [15, 'external_id', 'duplicate'],
      [17, 'items', 'max'],
    ]);
    expect(rejected).toContain('Line 5 of the same record: quantity: There is not enough in stock.');
    expect(rejected.trimEnd().split('\r\n')).toHaveLength(1 + 116 - 3);
    expect(await stockOf('A')).toEqual({ stock: 5, reserved: 2 });
    const { data } = (await api.get('/orders')).body;
    expect(data.map(({ number, status }: { number: number; status: string }) => [number, status])).toEqual([
      [2, 'confirmed'],
      [1, 'pending'],
    ]);
    await expectConsistent(server().app, company.id);
  });

  test('a dry run knows what the orders before would have taken', async () => {
    await addProduct(api, { sku: 'A', price: 100, stock: 5 });
    await addContact(api, { phone: '+351912000001' });
    const rows = Array.from({ length: 120 }, (_, n) => `X${n},+351912000001,A,1`);
    const text = `external_id,contact_phone,sku,quantity\n${rows.join('\n')}\n`;
    const trial = await loadOrders(text, { dryRun: true });
    expect(counts(trial.result)).toEqual({ rows: 120, created: 5, updated: 0, skipped: 0, failed: 115 });
    expect(await eventsOf(server().app, company.id, 'order')).toEqual([]);
    expect(counts((await loadOrders(text)).result)).toEqual(counts(trial.result));
  });

  test('an import and other orders for the same stock sell no more than there is', async () => {
    const product = await addProduct(api, { sku: 'A', price: 100, stock: 50 });
    const contact = await addContact(api, { phone: '+351912000001' });
    const rows = Array.from({ length: 60 }, (_, n) => `X${n},+351912000001,A,1`);
    const body = { contact, items: [{ product, quantity: 1 }] };
    const [{ result }, ...answers] = await Promise.all([
      loadOrders(`external_id,contact_phone,sku,quantity\n${rows.join('\n')}\n`),
      ...Array.from({ length: 40 }, () => api.post('/orders', body)),
    ]);
    const placed = answers.filter(({ status }) => status === 201).length;
    expect(result.created + placed).toBe(50);
    expect(answers.filter(({ status }) => status !== 201 && status !== 422)).toEqual([]);
    await expectConsistent(server().app, company.id);
  });
});
