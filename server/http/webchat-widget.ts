import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { AppError } from '../platform/errors.ts';

const compress = promisify(gzip);

interface Built {
  mtimeMs: number;
  etag: string;
  plain: Buffer;
  packed: Buffer;
}

/** Seconds for which a page may use the script without asking. */
const fresh = 300;

/** The widget's script, under a path that never changes: browsers ask again and mostly hear that it is the same. */
export function widgetFile(file: string) {
  let built: Promise<Built> | undefined;
  const load = async (): Promise<Built> => {
    const { mtimeMs } = await stat(file);
    const known = await built?.catch(() => undefined);
    if (known?.mtimeMs === mtimeMs) return known;
    built = read(file, mtimeMs);
    return built;
  };
  return async (request: Request, response: Response): Promise<void> => {
    const { etag, plain, packed } = await load().catch((cause: unknown) => {
      throw new AppError('not_found', 'The widget is not built.', { cause });
    });
    // Any page may load it; which of them may use a channel is the channel's to say.
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    response.setHeader('Cache-Control', `public, max-age=${fresh}`);
    response.setHeader('ETag', etag);
    response.vary('Accept-Encoding');
    if (request.headers['if-none-match'] === etag) return void response.status(304).end();
    response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
    const small = request.acceptsEncodings('gzip') === 'gzip';
    if (small) response.setHeader('Content-Encoding', 'gzip');
    const body = small ? packed : plain;
    response.setHeader('Content-Length', body.length);
    response.end(body);
  };
}

async function read(file: string, mtimeMs: number): Promise<Built> {
  const plain = await readFile(file);
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`;
  return { mtimeMs, etag, plain, packed: await compress(plain, { level: 9 }) };
}
