import { pipeline } from 'node:stream/promises';
import { type NextFunction, type Request, type Response, Router } from 'express';
import { AppError } from '../platform/errors.ts';
import type { ByteRange } from '../platform/storage.ts';
import type { Readable } from 'node:stream';
import { sendError } from './responses.ts';

/** A file that a URL stands for. */
interface Served {
  mimeType: string;
  size: number;
  filename: string;
  sha256: string;
  inline: boolean;
  ranges: boolean;
  open(range?: ByteRange): Promise<Readable>;
}

export type FindMedia = (token: string) => Promise<Served | null>;

/**
 * Uploaded files, under unguessable URLs: no key, no cookie. Whatever a file holds, a browser runs none of it: the
 * type is the one decided at upload, and the sandbox takes away scripts, forms and our origin.
 */
export function mediaRouter(find: FindMedia): Router {
  const routes = Router({ caseSensitive: true, strict: true });
  routes.get('/:token/:filename', (request: Request, response: Response, next: NextFunction) => {
    serve(find, request, response).catch(next);
  });
  routes.use((request: Request, response: Response) => {
    if (request.method === 'GET' || request.method === 'HEAD')
      return sendError(response, new AppError('not_found'));
    response.setHeader('Allow', 'GET, HEAD');
    sendError(response, new AppError('method_not_allowed'));
  });
  return routes;
}

async function serve(find: FindMedia, request: Request, response: Response): Promise<void> {
  const file = await find(String(request.params['token']));
  if (!file) throw new AppError('not_found', 'No such file.');
  const etag = `"${file.sha256}"`;
  response.setHeader('Content-Type', file.mimeType);
  response.setHeader('Content-Disposition', disposition(file));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', "sandbox; default-src 'none'");
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.setHeader('Cache-Control', 'private, max-age=3600');
  response.setHeader('ETag', etag);
  if (file.ranges) response.setHeader('Accept-Ranges', 'bytes');
  if (request.headers['if-none-match'] === etag) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const range = file.ranges ? rangeOf(request, file.size, etag) : undefined;
  if (range === 'impossible') {
    response.statusCode = 416;
    response.setHeader('Content-Range', `bytes */${file.size}`);
    response.end();
    return;
  }
  if (range) {
    response.statusCode = 206;
    response.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
  }
  response.setHeader('Content-Length', range ? range.end - range.start + 1 : file.size);
  if (request.method === 'HEAD') return void response.end();
  await send(await file.open(range), response);
}

/** A reader that goes away in the middle is no fault. */
async function send(body: Readable, response: Response): Promise<void> {
  try {
    await pipeline(body, response);
  } catch (error) {
    if (!response.headersSent) throw error;
    response.destroy();
  }
}

function disposition({ inline, filename }: Served): string {
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\%;]/g, '_');
  const exact = encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${exact}`;
}

/** The one range that is asked for; several, or one of another unit, get the whole file. */
function rangeOf(request: Request, size: number, etag: string): ByteRange | 'impossible' | undefined {
  const header = request.headers.range;
  const [, from = '', to = ''] = (header === undefined ? null : /^bytes=(\d*)-(\d*)$/.exec(header)) ?? [];
  if (from === '' && to === '') return undefined;
  const unless = request.headers['if-range'];
  if (unless !== undefined && unless !== etag) return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start > end || start >= size ? 'impossible' : { start, end };
}
