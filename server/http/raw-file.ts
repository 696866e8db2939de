import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import type { Request } from 'express';
import { AppError } from '../platform/errors.ts';
import { type Upload, writeFile } from '../platform/upload.ts';

interface Options {
  /** Where temporary files go. */
  folder: string;
  /** In bytes. */
  maximum: number;
}

/**
 * Writes a body to a temporary file as it comes.
 * @throws AppError `payload_too_large` over the limit, `bad_request` for a body that ends early or is compressed
 */
export async function readFile(request: Request, { folder, maximum }: Options): Promise<Upload> {
  const { 'content-length': declared, 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding.trim().toLowerCase() !== 'identity')
    throw new AppError('bad_request', 'Send the body as it is, without Content-Encoding.');
  if (Number(declared) > maximum)
    throw new AppError('payload_too_large', `The body is over ${maximum} bytes.`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // In between, so that a failure leaves the request whole: the answer needs its connection.
  const body = new PassThrough();
  const cut = () => {
    if (!request.complete) body.destroy(new AppError('bad_request', 'The body ended early.'));
  };
  request.once('close', cut);
  request.pipe(body);
  try {
    return await writeFile(body, path.join(folder, randomUUID()), maximum);
  } catch (error) {
    request.unpipe(body);
    request.resume();
    throw error;
  } finally {
    request.off('close', cut);
  }
}
