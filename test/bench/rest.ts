import { Pool } from 'undici';

/** Asks a server below /api/v1, over connections that are kept. */
export class Rest {
  readonly #pool: Pool;
  readonly #key: string;

  constructor(url: string, key: string, connections = 8) {
    this.#pool = new Pool(url, { connections, pipelining: 1 });
    this.#key = key;
  }

  /** @throws Error for an answer that is no success */
  async ask<T = unknown>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<T> {
    const response = await this.#pool.request({
      method,
      path: `/api/v1${path}`,
      headers: {
        authorization: `Bearer ${this.#key}`,
        accept: 'application/json',
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await response.body.text();
    if (response.statusCode >= 300)
      throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 500)}`);
    return JSON.parse(text) as T;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Calls at once: what is not answered holds back the next, so that a slow machine is asked less. */
const atOnce = 64;

/** Calls so many a second, as long as they are answered; resolves when all have ended. */
export async function paced(
  count: number,
  perSecond: number,
  call: (n: number) => Promise<unknown>,
): Promise<void> {
  const started = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const n = next++;
      const due = started + (n * 1_000) / perSecond - performance.now();
      if (due > 0) await new Promise((resolve) => setTimeout(resolve, due));
      await call(n);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane));
}
