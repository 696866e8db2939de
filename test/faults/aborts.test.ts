import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { expectHealthy } from '../support/healthy.ts';
import { reached } from '../support/reached.ts';
import { scaled } from '../support/scale.ts';
import { useServer } from '../support/server.ts';
import { addContact, addProduct, flight } from '../support/shop.ts';

const server = useServer({ LOG_LEVEL: 'silent' });
const total = scaled(150, 1_000);

/** Sends so many bytes and hangs up, at once or while the answer is on its way. */
async function abort(bytes: Buffer, length: number): Promise<void> {
  const socket = connect(Number(new URL(server().url).port), '127.0.0.1');
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  await new Promise((resolve) => socket.write(bytes.subarray(0, length), resolve));
  await wait(Math.random() * 30);
  socket.resetAndDestroy();
}

it(`${total} orders whose client hangs up at a random byte are made whole or not at all, and asked for again once [F10]`, async () => {
  const api = await (await server().company()).client();
  const contact = await addContact(api);
  const product = await addProduct(api, { stock: 100_000 });
  const other = await addProduct(api, { stock: 100_000 });
  const body = { contact, items: [product, other].map((id) => ({ product: id, quantity: 1 })) };
  const text = JSON.stringify(body);
  const keys = Array.from({ length: total }, () => randomUUID());
  await flight(total, 8, async (n) => {
    const head = [
      'POST /api/v1/orders HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${api.key}`,
      'Content-Type: application/json',
      `Idempotency-Key: ${keys[n]}`,
      `Content-Length: ${Buffer.byteLength(text)}`,
    ];
    const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`);
    // Half of them are sent whole, so that what is cut off is the answer.
    await abort(bytes, n % 2 === 0 ? bytes.length : Math.floor(Math.random() * bytes.length));
  });
  await expectHealthy(server().databaseUrl);
  let replayed = 0;
  const finish = async (n: number) => {
    for (;;) {
      const answer = await api.post('/orders', body, { 'Idempotency-Key': keys[n]! });
      if (answer.headers.get('idempotency-replayed')) replayed++;
      if (answer.status === 201) return;
      // The one that was hung up on still runs; or there is too much to do, which is said as it is documented.
      const busy = answer.status === 500 && answer.headers.get('retry-after') !== null;
      expect(busy || answer.status === 409, answer.text).toBe(true);
      await wait(50);
    }
  };
  await flight(total, 8, finish);
  const { rows } = await server().app.pool.query<{ orders: number; reserved: number }>(
    'SELECT (SELECT count(DISTINCT order_id)::int FROM order_items WHERE product_id = $1) AS orders, (SELECT reserved::int FROM products WHERE id = $1) AS reserved',
    [product],
  );
  expect(rows).toEqual([{ orders: total, reserved: total }]);
  await expectHealthy(server().databaseUrl);
  reached('F10', `${total} aborts: ${replayed} had been done, each order once, 0 violations`);
});
