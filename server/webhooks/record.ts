import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Log } from '../platform/log.ts';
import type { Health } from './schedule.ts';

/** What became of one attempt, as it is written. */
export interface AttemptRow {
  company_id: string;
  delivery_id: string;
  attempt_id: string;
  number: number;
  trigger: 'schedule' | 'manual';
  at: Date;
  duration_ms: number;
  request_headers: Record<string, string>;
  response_status: number | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
  error: string | null;
  error_message: string | null;
  /** What the delivery is now. */
  status: 'succeeded' | 'retrying' | 'exhausted' | 'discarded';
  next_attempt_at: Date | null;
  completed_at: Date | null;
}

interface HealthRow extends Health {
  companyId: string;
  id: string;
}

const batch = 500;
const delays = { first: 100, most: 5_000 };
/** Tries after the wish to stop. */
const lastTries = 3;

/**
 * Writes attempts as they end, as many in one statement as have gathered while the last one ran. What can't be written
 * is tried again: an attempt that was made and is not known would be made again.
 */
export class Recorder {
  readonly #pool: Pool;
  readonly #log: Log;
  #attempts: { row: AttemptRow; written: () => void }[] = [];
  #health = new Map<string, HealthRow>();
  #running: Promise<void> | null = null;
  #stopping = false;

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
  }

  /** Resolves when the attempt is written. */
  attempt(row: AttemptRow): Promise<void> {
    return new Promise((resolve) => {
      this.#attempts.push({ row, written: resolve });
      this.#start();
    });
  }

  /** The newest health of an endpoint is what counts. */
  health(row: HealthRow): void {
    const { companyId, id, lastSuccessAt, lastFailureAt, failingSince, failureCount, circuitOpenUntil } = row;
    const known = { lastSuccessAt, lastFailureAt, failingSince, failureCount, circuitOpenUntil };
    this.#health.set(id, { companyId, id, ...known });
    this.#start();
  }

  /** Writes what is left. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#running;
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  async #run(): Promise<void> {
    // Those that end in the same turn go together.
    await wait(0);
    let failures = 0;
    while (this.#attempts.length > 0 || this.#health.size > 0) {
      const attempts = this.#attempts.splice(0, batch);
      const health = this.#health;
      this.#health = new Map();
      try {
        await this.#write(
          attempts.map(({ row }) => row),
          [...health.values()],
        );
        failures = 0;
        for (const { written } of attempts) written();
      } catch (error) {
        this.#attempts.unshift(...attempts);
        for (const [id, row] of health) if (!this.#health.has(id)) this.#health.set(id, row);
        this.#log.warn({ err: error, attempts: this.#attempts.length }, 'webhook attempts not written');
        if (this.#stopping && ++failures >= lastTries) return;
        await wait(Math.min(delays.first * 2 ** Math.min(failures++, 10), delays.most));
      }
    }
  }

  async #write(attempts: AttemptRow[], health: HealthRow[]): Promise<void> {
    if (attempts.length > 0) {
      const values = [JSON.stringify(attempts)];
      await this.#pool.query({ name: 'webhooks-attempts', text: attemptsStatement, values });
    }
    if (health.length > 0) {
      const values = [JSON.stringify(health)];
      await this.#pool.query({ name: 'webhooks-health', text: healthStatement, values });
    }
  }
}

// An endpoint may have been switched off or deleted meanwhile: what was discarded stays so, unless it did arrive.
const attemptsStatement = `
  WITH given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS given (
      company_id text, delivery_id text, attempt_id text, number integer, trigger text, at timestamptz,
      duration_ms integer, request_headers jsonb, response_status integer, response_headers jsonb, response_body text, error text,
      error_message text, status text, next_attempt_at timestamptz, completed_at timestamptz
    )
  ), moved AS (
    UPDATE webhook_deliveries d SET
      status = CASE WHEN d.status = 'discarded' AND g.status <> 'succeeded' THEN d.status ELSE g.status END,
      next_attempt_at = CASE WHEN d.status = 'discarded' THEN NULL ELSE g.next_attempt_at END,
      completed_at = CASE WHEN d.status = 'discarded' AND g.status <> 'succeeded' THEN d.completed_at ELSE g.completed_at END,
      attempts = g.number, last_attempt_at = g.at, last_status = g.response_status, last_error = g.error
    FROM given g
    WHERE d.company_id = g.company_id AND d.id = g.delivery_id AND d.attempts = g.number - 1
    RETURNING d.company_id, d.id
  )
  INSERT INTO webhook_attempts (
    company_id, id, delivery_id, number, trigger, request_headers, response_status, response_body, response_headers, error,
    error_message, duration_ms, at
  )
  SELECT g.company_id, attempt_id, delivery_id, number, trigger, request_headers, response_status, response_body, response_headers, error,
    error_message, duration_ms, at
  FROM given g JOIN moved ON moved.company_id = g.company_id AND moved.id = g.delivery_id`;

const healthStatement = `
  UPDATE webhook_endpoints w SET
    last_success_at = g."lastSuccessAt", last_failure_at = g."lastFailureAt", failing_since = g."failingSince",
    failure_count = g."failureCount", circuit_open_until = g."circuitOpenUntil"
  FROM json_to_recordset($1::json) AS g (
    "companyId" text, id text, "lastSuccessAt" timestamptz, "lastFailureAt" timestamptz,
    "failingSince" timestamptz, "failureCount" integer, "circuitOpenUntil" timestamptz
  )
  WHERE w.company_id = g."companyId" AND w.id = g.id`;
