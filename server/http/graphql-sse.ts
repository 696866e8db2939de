import type { IncomingMessage } from 'node:http';
import type { ExecutionResult } from 'graphql';
import { type Context, followPrincipal, type Principal } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { App } from './app.ts';
import { bearerOf } from './authenticate.ts';
import type { HttpRequest, HttpResponse } from './exchange.ts';
import type { Answer } from './graphql-engine.ts';
import { graphqlError } from './graphql-errors.ts';
import { socketLimits } from './socket.ts';

/** Subscriptions over server-sent events: they keep to what sockets keep to. */
export class EventStreams {
  readonly #app: App;
  readonly #open = new Map<string, number>();

  constructor(app: App) {
    this.#app = app;
  }

  /** An answer that is a stream ends when its key is revoked or expires, and when the client leaves. */
  async guard(
    request: HttpRequest,
    response: HttpResponse,
    ctx: Context,
    answer: Promise<Answer>,
  ): Promise<Answer> {
    let principal: Principal = ctx.principal;
    followPrincipal(ctx, () => principal);
    const stream = await answer;
    if (!(Symbol.asyncIterator in stream)) return stream;
    const iterator = stream[Symbol.asyncIterator]();
    const key = principal.id ?? '';
    const count = (this.#open.get(key) ?? 0) + 1;
    if (count > socketLimits.perKey || !accepts(request)) {
      await iterator.return?.();
      const error =
        count > socketLimits.perKey
          ? new AppError('rate_limited', `Over ${socketLimits.perKey} streams at once.`)
          : new AppError('not_acceptable', 'Subscriptions need Accept: text/event-stream.');
      return { errors: [graphqlError(error, ctx)] };
    }
    this.#open.set(key, count);
    const timer = setInterval(() => {
      const check = async () => {
        const now = await bearerOf(this.#app, request.headersDistinct['authorization'], request);
        if (now) principal = now;
        else await iterator.return?.();
      };
      check().catch((error: unknown) => this.#app.log.warn({ err: error }, 'access of a stream not checked'));
    }, socketLimits.recheck).unref();
    response.once('close', () => {
      clearInterval(timer);
      const left = (this.#open.get(key) ?? 1) - 1;
      if (left > 0) this.#open.set(key, left);
      else this.#open.delete(key);
      void iterator.return?.();
    });
    return resumed(iterator);
  }
}

function accepts(request: IncomingMessage): boolean {
  return (request.headers.accept ?? '').includes('text/event-stream');
}

function resumed(iterator: AsyncIterator<ExecutionResult>): AsyncIterable<ExecutionResult> {
  return { [Symbol.asyncIterator]: () => iterator };
}
