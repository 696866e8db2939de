import { beforeAll, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { reached } from '../support/reached.ts';
import { scaled } from '../support/scale.ts';
import { useServer } from '../support/server.ts';
import { addContact, flight } from '../support/shop.ts';
import { percentile } from '../support/timing.ts';
import { createEndpoint, loopbackAllowed } from '../support/webhooks.ts';

const server = useServer({ ...loopbackAllowed, LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '1000000' });
const queued = scaled(500, 5_000);
const healthy = scaled(10, 50);
const each = 10;

let hanging: Receiver;
let receiver: Receiver;
let others: { id: string; api: Client }[];

beforeAll(async () => {
  hanging = await startReceiver();
  hanging.answer(() => {});
  receiver = await startReceiver();
  others = await flight(healthy, 4, async () => {
    const { id, client } = await server().company();
    await createEndpoint(server(), { id }, { url: receiver.url });
    return { id, api: await client() };
  });
  return async () => {
    await hanging.close();
    await receiver.close();
  };
});

it(
  `a receiver that hangs with ${queued} events queued delays ${healthy} others by less than a second [W9]`,
  async () => {
    const slow = await server().company();
    await createEndpoint(server(), slow, { url: hanging.url });
    const api = await slow.client();
    await flight(queued, 8, () => addContact(api));
    await expect.poll(() => hanging.received.length, { timeout: 30_000 }).toBeGreaterThan(0);
    const made = new Map<string, number>();
    const came: number[] = [];
    receiver.answer((response, { event }) => {
      came.push(performance.now() - (made.get(event.data.object.name) ?? 0));
      response.writeHead(200).end();
    });
    for (let n = 0; n < each; n++) {
      for (const { id, api: one } of others) {
        const name = `${id} ${n}`;
        made.set(name, performance.now());
        await addContact(one, { name });
      }
    }
    await expect.poll(() => came.length, { timeout: 60_000 }).toBe(healthy * each);
    const { rows } = await server().app.pool.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM webhook_deliveries WHERE company_id = $1 AND status <> 'succeeded'`,
      [slow.id],
    );
    expect(rows[0]?.waiting).toBeGreaterThan(0);
    const p95 = percentile(came, 0.95);
    expect(p95).toBeLessThan(1_000);
    reached(
      'W9',
      `${queued} events hang; ${came.length} of ${healthy} others ${Math.round(p95)} ms at the 95th percentile`,
    );
  },
  scaled(300_000, 900_000),
);
