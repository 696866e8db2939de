import path from 'node:path';
import { type NextFunction, type Request, type Response, Router } from 'express';
import type { Config } from '../platform/config.ts';
import { AppError } from '../platform/errors.ts';
import type { Upload } from '../platform/upload.ts';
import { rawBody } from './body.ts';
import { queryOf } from './query.ts';
import { readFile } from './raw-file.ts';

/** Meta's calls have up to 3 MB. */
const maximumBodyBytes = 3 * 1024 * 1024;

/** A call as the channel's adapter reads it. */
interface Call {
  method: 'GET' | 'POST';
  query: URLSearchParams;
  header(name: string): string | undefined;
  body(): Promise<Buffer>;
  file(): Promise<Upload>;
}

export type ReceiveWebhook = (channelId: string, call: Call) => Promise<string>;

/** Where the providers of channels call. Without a key: a call proves by its signature who makes it. */
export function channelWebhooksRouter(
  config: Pick<Config, 'dataDir' | 'mediaMaxBytes'>,
  receive: ReceiveWebhook,
): Router {
  const routes = Router({ caseSensitive: true, strict: true });
  const files = { folder: path.join(config.dataDir, 'uploads'), maximum: config.mediaMaxBytes };
  routes.all('/:channel/webhook', (request: Request, response: Response, next: NextFunction) => {
    const { method } = request;
    if (method !== 'GET' && method !== 'POST') {
      response.setHeader('Allow', 'GET, POST');
      throw new AppError('method_not_allowed');
    }
    const call = {
      method,
      query: queryOf(request),
      header: (name: string) => request.get(name),
      body: () => rawBody(request, maximumBodyBytes),
      file: () => readFile(request, files),
    } as const;
    answer(receive, String(request.params['channel']), call, response).catch(next);
  });
  return routes;
}

async function answer(
  receive: ReceiveWebhook,
  channel: string,
  call: Call,
  response: Response,
): Promise<void> {
  const text = await receive(channel, call);
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.status(200).end(text);
}
