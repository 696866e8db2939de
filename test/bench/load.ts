// The load generator, a process of its own: its parent sends what to ask, and is sent what came of it.
import { createHistogram } from 'node:perf_hooks';
import { Pool } from 'undici';

/** One request; `{n}` in its body and headers is a number that no other request has. */
export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

/** What to ask, over and over, in turn. */
export interface LoadOrder {
  url: string;
  key: string;
  connections: number;
  seconds: number;
  /** It goes on until so many requests are answered, however long that takes. */
  atLeast: number;
  requests: LoadRequest[];
  /** First value of `{n}`. */
  first: number;
}

export interface LoadResult {
  /** Requests that were answered with success. */
  count: number;
  seconds: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** The slowest. */
  most: number;
  /** Requests that were not, and one of the answers. */
  failures: number;
  failure: string | null;
  /** CPU that the asking took, in microseconds. */
  cpu: number;
}

/** Every so manieth body is read, because an error may be told with 200. */
const sampled = 50;

async function run(order: LoadOrder): Promise<LoadResult> {
  const pool = new Pool(order.url, { connections: order.connections, pipelining: 1 });
  const latency = createHistogram();
  const result = { count: 0, failures: 0, failure: null as string | null };
  let next = 0;
  const before = process.cpuUsage();
  const started = performance.now();
  const end = started + order.seconds * 1_000;
  const lane = async () => {
    while (performance.now() < end || next < order.atLeast) {
      const place = next++;
      const request = order.requests[place % order.requests.length];
      if (!request) throw new Error('There is nothing to ask.');
      const before = performance.now();
      const failure = await ask(pool, order, request, place);
      latency.record(Math.max(1, Math.round((performance.now() - before) * 1_000)));
      if (failure === null) result.count++;
      else {
        result.failures++;
        result.failure ??= failure;
      }
    }
  };
  await Promise.all(Array.from({ length: order.connections }, lane));
  const seconds = (performance.now() - started) / 1_000;
  await pool.close();
  const { user, system } = process.cpuUsage(before);
  const milliseconds = (percentile: number) => latency.percentile(percentile) / 1_000;
  return {
    ...result,
    seconds,
    p50: milliseconds(50),
    p99: milliseconds(99),
    most: latency.max / 1_000,
    cpu: user + system,
  };
}

/** Null, or what was answered instead. */
async function ask(
  pool: Pool,
  { key, first }: LoadOrder,
  { method, path, body, headers }: LoadRequest,
  place: number,
): Promise<string | null> {
  const numbered = (text: string) => text.replaceAll('{n}', String(first + place));
  const more = Object.entries(headers ?? {}).map(([name, value]) => [name, numbered(value)]);
  const response = await pool.request({
    method,
    path,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(more),
    },
    body: body === undefined ? null : numbered(body),
  });
  const text = await response.body.text();
  if (response.statusCode >= 300) return `${response.statusCode} ${text.slice(0, 500)}`;
  if (place % sampled !== 0) return null;
  const given = JSON.parse(text) as object;
  return ('data' in given || 'result' in given) && !('errors' in given) ? null : text.slice(0, 500);
}

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
