import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import pg from 'pg';
import { execute } from '../../../server/platform/operation.ts';
import { systemContext } from '../../../server/platform/system-context.ts';
import { createWebhookEndpoint } from '../../../server/webhooks/service.ts';
import { cpuOf } from '../cpu.ts';
import { inHouse } from '../house.ts';
import { paced, Rest } from '../rest.ts';
import { readSamples } from '../samples.ts';
import { delaysOf, percentile, preciseNow, untilCame } from '../times.ts';
import type { Finding, Trial, TrialPlace } from '../trial.ts';

const loopback = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: '1' };
const endpoints = 4;

/** Events reach receivers on this machine: how many a second, how long after the commit, and beside one that hangs. */
export const webhooks: Trial = {
  name: 'webhooks',
  async run(place) {
    const receiver = await Receiver.start();
    const hanging = await startHanging();
    try {
      return await measure(place, receiver, hanging.url);
    } finally {
      await Promise.all([receiver.close(), hanging.close()]);
    }
  },
};

async function measure(place: TrialPlace, receiver: Receiver, hangingUrl: string): Promise<Finding[]> {
  const contacts = (await readSamples(place)).contacts.slice(0, 200);
  const server = await place.parlour(loopback);
  const rest = new Rest(server.url, place.key);
  let version = 0;
  const changes = async (count: number) => {
    receiver.forget();
    version++;
    await paced(count, 50, (n) =>
      rest.ask('PATCH', `/contacts/${contacts[n % contacts.length]}`, { name: `Changed ${version} ${n}` }),
    );
    await receiver.until(count);
    return delaysOf(place.url, place.company, receiver.arrivals);
  };
  const count = place.small ? 10 : 250;
  await add(place, receiver.url);
  await changes(count);
  const delays = await changes(count);
  await add(place, hangingUrl);
  // The endpoint that hangs has begun to when it counts.
  await changes(count);
  const beside = await changes(count);
  for (let n = 1; n < endpoints; n++) await add(place, `${receiver.url}/${n}`);
  await rest.close();
  const rate = await measureRate(place, receiver, server.pid);
  const p99 = percentile(delays, 0.99);
  return [
    ...rate,
    {
      name: 'webhooks, commit to arrival, p50',
      value: percentile(delays, 0.5),
      unit: 'ms',
      goal: { most: 50 },
    },
    { name: 'webhooks, commit to arrival, p99', value: p99, unit: 'ms', goal: { most: 250 } },
    {
      name: 'webhooks, p99 beside an endpoint that hangs',
      value: percentile(beside, 0.99) / p99,
      unit: '×',
      goal: { most: 1.2 },
      how: 'as a multiple of the p99 without it',
    },
  ];
}

/** Events of many transactions at once; they count once the attempts are recorded. */
async function measureRate(place: TrialPlace, receiver: Receiver, pid: number): Promise<Finding[]> {
  const events = place.small ? 50 : 5_000;
  const expected = events * endpoints;
  receiver.forget();
  const client = new pg.Client({ connectionString: place.url });
  await client.connect();
  const recorded = async () => {
    const { rows } = await client.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM webhook_deliveries WHERE company_id = $1 AND event_type = 'contact.created'
         AND status = 'succeeded'`,
      [place.company],
    );
    return rows[0]?.n ?? 0;
  };
  try {
    const before = await recorded();
    const cpu = cpuOf(pid);
    for (let first = 0; first < events; first += 1_000)
      await client.query(eventsStatement, [place.company, first, Math.min(first + 1_000, events)]);
    const started = performance.now();
    let done = 0;
    // What is left after half a minute does not change the rate.
    while (done < expected && performance.now() - started < 30_000) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      done = (await recorded()) - before;
    }
    const seconds = (performance.now() - started) / 1_000;
    return [
      {
        name: 'webhooks, claimed, delivered and recorded',
        value: done / seconds,
        unit: '/s',
        goal: { least: 5_000 },
        how: `${events.toLocaleString('en')} events for ${endpoints} endpoints, receiver on the same machine`,
      },
      { name: 'webhooks, server CPU of a delivery', value: (cpuOf(pid) - cpu) / done, unit: 'µs' },
    ];
  } finally {
    await client.end();
  }
}

/** As the log would have them, of contacts that nobody made. */
const eventsStatement = `
  WITH made AS (
    INSERT INTO events (company_id, id, sequence, type, family, conversation_id, contact_id, actor, cause, payload, livemode, created_at)
    SELECT $1, id, event_sequence_base() + n % 1000, 'contact.created', 'contact', NULL, id,
      '{"type":"system","id":null,"name":"Parlour","request_id":null}', NULL,
      jsonb_build_object('id', id, 'type', 'contact.created', 'api_version', 'v1', 'created_at', now(), 'livemode', true,
        'company', $1::text, 'actor', jsonb_build_object('type', 'system', 'id', NULL, 'name', 'Parlour', 'request_id', NULL),
        'cause', NULL, 'data', jsonb_build_object('object', jsonb_build_object('id', id, 'name', 'Nova ' || n,
          'email', 'nova-' || n || '@new.example', 'country', 'PT', 'subscribed', true, 'blocked', false))),
      true, now()
    FROM generate_series($2::int, $3::int - 1) AS n, LATERAL (SELECT '01JBENCHEVENT' || lpad(n::text, 13, '0') AS id) AS named
    RETURNING id
  )
  SELECT pg_notify('parlour_events', $1::text) FROM made LIMIT 1`;

async function add(place: TrialPlace, url: string): Promise<void> {
  const at = { databaseUrl: place.url, dataDir: place.folder, variables: loopback };
  await inHouse(at, async (app) => {
    const input = { url, events: ['contact.updated', 'contact.created'] as const };
    const ctx = await systemContext(app, place.company);
    await execute(createWebhookEndpoint, ctx, { ...input, events: [...input.events] });
  });
}

/** Takes calls and answers them at once. */
class Receiver {
  readonly arrivals: { event: string; at: number }[] = [];
  readonly #server: http.Server;
  #count = 0;

  private constructor() {
    this.#server = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      const event = String(request.headers['webhook-id'] ?? '');
      this.#count++;
      if (this.arrivals.length < 1_000) this.arrivals.push({ event, at: preciseNow() });
      request.resume().once('end', () => response.writeHead(200).end());
    });
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  forget(): void {
    this.arrivals.length = 0;
    this.#count = 0;
  }

  until(count: number): Promise<void> {
    return untilCame(() => this.#count, count, 'calls');
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Takes connections and never answers. */
async function startHanging(): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
