import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Context } from '../platform/context.ts';
import type { AppError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { outliveConnections } from '../platform/pool.ts';
import type { App } from './app.ts';
import type { HttpRequest, HttpResponse } from './exchange.ts';

/** One request as it is kept: figures and names. No body, no query string, and of the path only its pattern. */
interface RequestRow {
  company_id: string;
  id: string;
  api_key_id: string | null;
  user_id: string | null;
  surface: string;
  method: string;
  path: string;
  operation: string | null;
  status: number;
  code: string | null;
  param: string | null;
  duration_ms: number;
  livemode: boolean;
  replayed: boolean;
  idempotency_key: string | null;
  ip: string | null;
  user_agent: string | null;
  created_at: Date;
}

const batch = 500;
/** Rows that wait at most; what comes while there are so many is not kept. */
const kept = 5_000;
/** In milliseconds: from the first request to the statement, and at most after failures. */
const delays = { first: 250, most: 30_000 };

/**
 * Writes requests after they were answered, many in one statement on a connection of its own, so that none of them
 * waits for it. A process that is killed loses what has gathered since the last statement.
 */
export class RequestLog {
  readonly #pool: pg.Pool;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  #rows: RequestRow[] = [];
  #dropped = 0;
  #running: Promise<void> | null = null;

  constructor(databaseUrl: string, log: Log) {
    this.#log = log;
    this.#pool = new pg.Pool({
      connectionString: databaseUrl,
      max: 1,
      query_timeout: 10_000,
      connectionTimeoutMillis: 3_000,
      application_name: 'parlour-requests',
      allowExitOnIdle: true,
    });
    outliveConnections(this.#pool);
    this.#pool.on('error', ({ message }) => log.debug({ reason: message }, 'idle connection lost'));
  }

  add(row: RequestRow): void {
    if (this.#rows.length < kept) this.#rows.push(row);
    else this.#dropped++;
    if (this.#stopping.signal.aborted) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  /** Writes what is left, if that succeeds at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#pool.end();
  }

  async #run(): Promise<void> {
    let failures = 0;
    await this.#pause(delays.first);
    while (this.#rows.length > 0) {
      const rows = this.#rows.splice(0, batch);
      try {
        const companies = new Set(rows.map(({ company_id }) => company_id));
        await this.#pool.query({
          name: 'request-log',
          text: statement,
          values: [JSON.stringify(rows), [...companies]],
        });
        failures = 0;
        if (this.#dropped > 0) this.#log.warn({ requests: this.#dropped }, 'requests not in the log');
        this.#dropped = 0;
      } catch (error) {
        this.#log.warn({ err: error, requests: rows.length }, 'request log not written');
        this.#rows.unshift(...rows);
        if (this.#stopping.signal.aborted) return;
        await this.#pause(Math.min(delays.first * 2 ** Math.min(failures++, 10), delays.most));
      }
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    await wait(milliseconds, undefined, { ref: false, signal: this.#stopping.signal }).catch(() => {});
  }
}

/** Not of a company that is being erased: it waits for the end of that, and then there is none. */
const statement = `
  WITH there AS MATERIALIZED (SELECT id AS company_id FROM companies WHERE id = ANY($2) FOR KEY SHARE)
  INSERT INTO request_logs (
    company_id, id, api_key_id, user_id, surface, method, path, operation, status, code, param, duration_ms, livemode,
    replayed, idempotency_key, ip, user_agent, created_at
  )
  SELECT company_id, id, api_key_id, user_id, surface, method, path, operation, status, code, param, duration_ms,
    livemode, replayed, idempotency_key, ip, user_agent, created_at
  FROM json_to_recordset($1::json) AS given (
    company_id text, id text, api_key_id text, user_id text, surface text, method text, path text, operation text,
    status integer, code text, param text, duration_ms integer, livemode boolean, replayed boolean,
    idempotency_key text, ip text, user_agent text, created_at timestamptz
  )
  JOIN there USING (company_id)
  ON CONFLICT DO NOTHING`;

/** The surfaces that are kept, by the first part of the path. */
const surfaces: Readonly<Record<string, string>> = {
  api: 'rest',
  graphql: 'graphql',
  trpc: 'trpc',
  uploads: 'uploads',
  csv: 'csv',
};

/** Keeps what keys ask for; of the dashboard's own requests those that failed. */
export function requestLog(app: App) {
  return (request: HttpRequest, response: HttpResponse): void => {
    const path = request.path;
    const surface = surfaces[path.split('/', 2)[1] ?? ''];
    if (surface === undefined) return;
    const start = performance.now();
    response.once('close', () => {
      const ctx = response.locals['ctx'] as Context | undefined;
      const { error, operation, template } = response.locals as Told;
      if (!ctx || (ctx.principal.kind !== 'api_key' && !error && response.statusCode < 400)) return;
      app.requestLog.add({
        ...callerOf(ctx),
        id: ctx.requestId,
        surface,
        method: request.method ?? '',
        path: (template ?? path).slice(0, 200),
        operation: operation?.slice(0, 200) ?? null,
        // A batch of tRPC has one status for all its operations.
        status: error && surface === 'trpc' ? error.status : response.statusCode,
        code: error?.code ?? null,
        param: error?.param?.slice(0, 200) ?? null,
        duration_ms: Math.round(performance.now() - start),
        livemode: ctx.principal.livemode,
        replayed: response.getHeader('Idempotency-Replayed') === 'true',
        idempotency_key: headerOf(request, 'idempotency-key', 255),
        ip: ctx.address ?? null,
        user_agent: headerOf(request, 'user-agent', 300),
        created_at: app.clock.now(),
      });
    });
  };
}

/** What the surfaces tell of a request in `response.locals`. */
interface Told {
  /** Why it failed; the first reason where there are several. */
  error?: Pick<AppError, 'code' | 'param' | 'status'>;
  /** Names of what it asked for. */
  operation?: string;
  /** The pattern of its path. */
  template?: string;
}

/** Leaves word of what becomes of a request. */
export function tell(response: HttpResponse, told: Told): void {
  const before = response.locals as Told;
  Object.assign(before, told, before.error ? { error: before.error } : {});
}

function callerOf({ principal }: Context) {
  const byKey = principal.kind === 'api_key';
  return {
    company_id: principal.account.id,
    api_key_id: byKey ? principal.id : null,
    user_id: byKey ? null : principal.id,
  };
}

/** U+0000 can't be stored, and a header has no place for it. */
function headerOf({ headers }: HttpRequest, name: string, most: number): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value.replaceAll('\0', '').slice(0, most) : null;
}
