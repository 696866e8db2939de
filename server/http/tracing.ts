import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context as SpanContext,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type pg from 'pg';
import type { Context } from '../platform/context.ts';
import type { Log } from '../platform/log.ts';
import type { InSpan } from '../platform/spans.ts';
import type { HttpRequest, HttpResponse } from './exchange.ts';
import { SpanExport, type Target } from './span-export.ts';

const kinds = { consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT };

/**
 * Tells an OpenTelemetry collector of requests, jobs and webhook deliveries, and the statements they run. Of a request it has
 * the route, not the path or the query; of a statement its text with all literals left out, never a value: no body, no person
 * and no secret leaves.
 */
export class Tracing {
  readonly #current = new AsyncLocalStorage<SpanContext>();
  readonly #propagator = new W3CTraceContextPropagator();
  readonly #export: SpanExport;
  readonly #tracer: Tracer;

  constructor(target: Target, log: Log) {
    this.#export = new SpanExport(target, log);
    this.#tracer = this.#export.provider.getTracer('parlour');
  }

  /** One span for each request, from its first byte to the last of the answer; it continues the trace of the caller. */
  observe(request: HttpRequest, response: HttpResponse, serve: () => void): void {
    const caller = this.#propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
    const span = this.#tracer.startSpan(request.method ?? '', { kind: SpanKind.SERVER }, caller);
    response.once('close', () => {
      const { ctx, route } = response.locals as { ctx?: Context; route?: unknown };
      if (typeof route === 'string') span.updateName(`${request.method} ${route}`);
      const facts: Record<string, unknown> = {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': response.statusCode,
        'parlour.request_id': response.getHeader('X-Request-Id'),
        'parlour.company_id': ctx?.principal.account.id,
      };
      for (const [name, fact] of Object.entries(facts))
        if (typeof fact === 'string' || typeof fact === 'number') span.setAttribute(name, fact);
      end(span, response.statusCode >= 500 || !response.writableFinished);
    });
    this.#current.run(trace.setSpan(caller, span), serve);
  }

  /** Every statement that a connection of the pool runs for a span is a span within it. */
  watch(pool: pg.Pool): void {
    pool.on('connect', (client) => {
      const query: unknown = client.query;
      if (typeof query !== 'function') return;
      const traced = (...given: unknown[]): unknown => {
        const parent = this.#current.getStore();
        // What is not sampled is not sampled in part.
        if (!parent || !trace.getSpan(parent)?.isRecording()) return Reflect.apply(query, client, given);
        const text = textOf(given[0]);
        const name = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'statement';
        const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
        const span = this.#tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
        const callback = given.at(-1);
        if (typeof callback === 'function') {
          const told = (error: unknown, ...rest: unknown[]): unknown => {
            end(span, error != null);
            return Reflect.apply(callback, undefined, [error, ...rest]);
          };
          return Reflect.apply(query, client, [...given.slice(0, -1), told]);
        }
        const answer: unknown = Reflect.apply(query, client, given);
        if (answer instanceof Promise)
          answer.then(
            () => end(span, false),
            () => end(span, true),
          );
        return answer;
      };
      Reflect.set(client, 'query', traced);
    });
  }

  /** One span for what no request asks for. */
  readonly inSpan: InSpan = async ({ name, kind, facts }, run) => {
    const parent = this.#current.getStore() ?? ROOT_CONTEXT;
    const span = this.#tracer.startSpan(name, { kind: kinds[kind], attributes: facts }, parent);
    let failed = true;
    try {
      let told = false;
      const answer = await this.#current.run(trace.setSpan(parent, span), () =>
        run((more, bad) => {
          span.setAttributes(more);
          told = bad;
        }),
      );
      failed = told;
      return answer;
    } finally {
      end(span, failed);
    }
  };

  /** Sends what has gathered. */
  close(): Promise<void> {
    return this.#export.close();
  }
}

function end(span: Span, failed: boolean): void {
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Longer statements are cut. */
const mostText = 2_000;

/** The text of a statement without its literals. */
function textOf(query: unknown): string {
  const text: unknown = typeof query === 'object' && query !== null && 'text' in query ? query.text : query;
  return typeof text === 'string' ? text.replaceAll(/'(?:[^']|'')*'/g, '?').slice(0, mostText) : '';
}
