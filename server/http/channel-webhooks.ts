import { type NextFunction, type Request, type Response, Router } from 'express';
import { AppError } from '../platform/errors.ts';
import { rawBody } from './body.ts';
import { queryOf } from './query.ts';

/** Meta's calls have up to 3 MB. */
const maximumBodyBytes = 3 * 1024 * 1024;

/** A call as the channel's adapter reads it. */
interface Call {
  method: 'GET' | 'POST';
  query: URLSearchParams;
  header(name: string): string | undefined;
  body: Buffer;
}

export type ReceiveWebhook = (channelId: string, call: Call) => Promise<string>;

/** Where the providers of channels call. Without a key: a call proves by its signature who makes it. */
export function channelWebhooksRouter(receive: ReceiveWebhook): Router {
  const routes = Router({ caseSensitive: true, strict: true });
  routes.all('/:channel/webhook', (request: Request, response: Response, next: NextFunction) => {
    answer(receive, request, response).catch(next);
  });
  return routes;
}

async function answer(receive: ReceiveWebhook, request: Request, response: Response): Promise<void> {
  const { method } = request;
  if (method !== 'GET' && method !== 'POST') {
    response.setHeader('Allow', 'GET, POST');
    throw new AppError('method_not_allowed');
  }
  const body = method === 'POST' ? await rawBody(request, maximumBodyBytes) : Buffer.alloc(0);
  const text = await receive(String(request.params['channel']), {
    method,
    query: queryOf(request),
    header: (name) => request.get(name),
    body,
  });
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.status(200).end(text);
}
