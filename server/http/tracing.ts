import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { RequestHandler } from 'express';
import type pg from 'pg';
import type { Context } from '../platform/context.ts';
import type { Log } from '../platform/log.ts';
import { SpanSender } from './span-sender.ts';

type Value = string | number;

/** A piece of work with a beginning and an end, in the words of OpenTelemetry. */
export interface Span {
  traceId: string;
  id: string;
  parentId: string | undefined;
  name: string;
  kind: 'server' | 'client';
  /** In microseconds since 1970. */
  start: number;
  end: number;
  attributes: Record<string, Value>;
  failed: boolean;
}

interface Target {
  /** Base address of an OTLP receiver; spans go to `/v1/traces` below it. */
  url: string;
  /** Sent with every request to it. */
  headers: Record<string, string>;
  /** What this program is called there. */
  service: string;
}

/**
 * Tells an OpenTelemetry collector of requests and the statements they run. Of a request it has the route, not the path or
 * the query; of a statement its text with all literals left out, never a value: no body, no person and no secret leaves.
 */
export class Tracing {
  readonly #current = new AsyncLocalStorage<Span>();
  readonly #sender: SpanSender;

  constructor(target: Target, log: Log) {
    this.#sender = new SpanSender(target, log);
  }

  /** One span for each request, from its first byte to the last of the answer. */
  readonly observe: RequestHandler = (request, response, next) => {
    const span = begin(request.method, 'server', parentOf(request.headers['traceparent']));
    response.once('close', () => {
      const { ctx, route } = response.locals as { ctx?: Context; route?: unknown };
      if (typeof route === 'string') span.name = `${request.method} ${route}`;
      const facts: Record<string, unknown> = {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': response.statusCode,
        'parlour.request_id': response.getHeader('X-Request-Id'),
        'parlour.company_id': ctx?.principal.account.id,
      };
      for (const [name, fact] of Object.entries(facts))
        if (typeof fact === 'string' || typeof fact === 'number') span.attributes[name] = fact;
      this.#end(span, response.statusCode >= 500 || !response.writableFinished);
    });
    this.#current.run(span, next);
  };

  /** Every statement that a connection of the pool runs for a request is a span within that of the request. */
  watch(pool: pg.Pool): void {
    pool.on('connect', (client) => {
      const query: unknown = client.query;
      if (typeof query !== 'function') return;
      const traced = (...given: unknown[]): unknown => {
        const parent = this.#current.getStore();
        if (!parent) return Reflect.apply(query, client, given);
        const span = begin('statement', 'client', { traceId: parent.traceId, id: parent.id });
        const text = textOf(given[0]);
        span.name = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? span.name;
        span.attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
        const callback = given.at(-1);
        if (typeof callback === 'function') {
          const told = (error: unknown, ...rest: unknown[]): unknown => {
            this.#end(span, error != null);
            return Reflect.apply(callback, undefined, [error, ...rest]);
          };
          return Reflect.apply(query, client, [...given.slice(0, -1), told]);
        }
        const answer: unknown = Reflect.apply(query, client, given);
        if (answer instanceof Promise)
          answer.then(
            () => this.#end(span, false),
            () => this.#end(span, true),
          );
        return answer;
      };
      Reflect.set(client, 'query', traced);
    });
  }

  /** Sends what has gathered. */
  close(): Promise<void> {
    return this.#sender.close();
  }

  #end(span: Span, failed: boolean): void {
    span.end = now();
    span.failed = failed;
    this.#sender.add(span);
  }
}

function begin(name: string, kind: Span['kind'], parent: { traceId: string; id: string } | undefined): Span {
  return {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    id: randomBytes(8).toString('hex'),
    parentId: parent?.id,
    name,
    kind,
    start: now(),
    end: 0,
    attributes: {},
    failed: false,
  };
}

const now = () => Math.round((performance.timeOrigin + performance.now()) * 1_000);

/** The span of the caller, as W3C Trace Context has it. */
function parentOf(header: string | string[] | undefined): { traceId: string; id: string } | undefined {
  const match = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/.exec(String(header));
  return match?.[1] !== undefined && match[2] !== undefined ? { traceId: match[1], id: match[2] } : undefined;
}

/** Longer statements are cut. */
const mostText = 2_000;

/** The text of a statement without its literals. */
function textOf(query: unknown): string {
  const text: unknown = typeof query === 'object' && query !== null && 'text' in query ? query.text : query;
  return typeof text === 'string' ? text.replaceAll(/'(?:[^']|'')*'/g, '?').slice(0, mostText) : '';
}
