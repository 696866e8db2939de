import type { Pool } from 'pg';
import type { Log } from '../platform/log.ts';
import { acrossTenants } from '../platform/tenancy.ts';

/** Between two looks, in milliseconds; a scrape shows the last one and never waits for the database. */
const interval = 15_000;

/** What waits for its turn: how many, and for how long the first of them in seconds. */
interface Waiting {
  name: string;
  depth: number;
  age: number;
}

const jobs = `
  SELECT name, count(*)::int AS depth, extract(epoch FROM now() - min(start_after))::float AS age
  FROM jobs.job WHERE state < 'active' AND NOT blocked AND start_after <= now() GROUP BY name`;

const deliveries = `
  SELECT 'webhooks' AS name, count(*)::int AS depth,
    coalesce(extract(epoch FROM now() - min(next_attempt_at)), 0)::float AS age
  FROM (
    SELECT next_attempt_at FROM webhook_deliveries WHERE status = 'pending' AND next_attempt_at <= now()
    UNION ALL
    SELECT next_attempt_at FROM webhook_deliveries WHERE status = 'retrying' AND next_attempt_at <= now()
  ) AS due`;

/** Looks now and then at what waits in the database: jobs by queue, and deliveries of webhooks. */
export class Backlog {
  readonly #pool: Pool;
  readonly #log: Log;
  #queues: Waiting[] = [];
  #webhooks: Waiting | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
  }

  get queues(): readonly Waiting[] {
    return this.#queues;
  }

  /** Null before the first look. */
  get webhooks(): Waiting | null {
    return this.#webhooks;
  }

  start(): void {
    const look = () =>
      void this.look().catch((error: unknown) => this.#log.debug({ err: error }, 'backlog not read'));
    this.#timer = setInterval(look, interval).unref();
    look();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async look(): Promise<void> {
    await acrossTenants(async () => {
      this.#queues = (await this.#pool.query<Waiting>(jobs)).rows;
      this.#webhooks = (await this.#pool.query<Waiting>(deliveries)).rows[0] ?? null;
    });
  }
}
