import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError } from '../platform/errors.ts';
import { parseJson } from './json.ts';

/** JSON bodies over 1 MiB are refused with 413, counted after inflation (decisions §0.10). */
const maximumBodyBytes = 1024 * 1024;

/** JSON that has not arrived after this long is given up, in milliseconds; files may take longer. */
const patience = 30_000;
/** Then the connection is ended, after so many milliseconds for the answer. */
const goodbye = 1_000;

/** How many bytes one compressed byte may stand for. */
const maximumRatio = 20;

const inflaters: Record<string, () => Transform> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

interface Body {
  bytes: Buffer;
  /** Fields of the JSON object; empty when there is no body. */
  fields: Record<string, unknown>;
}

/**
 * Reads the body of a request whose caller is known already; before that no byte of it is read.
 * Without a body and without a content type an action is fine.
 */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const bytes = await rawBody(request);
  if (bytes.length === 0) return { bytes, fields: {} };
  requireJson(request.headers['content-type']);
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('bad_request', 'The body must be a JSON object.');
  }
  return { bytes, fields: value as Record<string, unknown> };
}

/** The same where a form may come as well: what Pusher clients send. */
export async function readBodyOrForm(request: IncomingMessage): Promise<Body> {
  if (!isForm(request.headers['content-type'])) return readBody(request);
  const bytes = await rawBody(request);
  return { bytes, fields: formFields(bytes) };
}

/** The bytes as they are meant. One that is too large is answered at once: what is still to come is thrown away unread. */
export function rawBody(request: IncomingMessage, maximum = maximumBodyBytes): Promise<Buffer> {
  const { 'content-length': declared, 'transfer-encoding': transfer } = request.headers;
  if (transfer === undefined && (declared === undefined || declared === '0'))
    return Promise.resolve(Buffer.alloc(0));
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  if (Number(declared) > maximum) {
    reject(tooLarge(`The body is over ${maximum} bytes.`));
    return promise;
  }
  const inflater = inflaterFor(request);
  const source = inflater ? request.pipe(inflater) : request;
  const chunks: Buffer[] = [];
  let received = 0;
  let size = 0;
  const fail = (error: AppError) => {
    if (inflater) request.unpipe(inflater);
    inflater?.destroy();
    source.removeAllListeners('data');
    request.resume();
    reject(error);
  };
  const unread = (cause: unknown) =>
    fail(new AppError('bad_request', 'The body could not be read.', { cause }));
  const timer = setTimeout(() => {
    fail(new AppError('bad_request', 'The body took too long to arrive.'));
    // The rest is not waited for either, once that is said.
    setTimeout(() => request.destroy(), goodbye).unref();
  }, patience).unref();
  if (inflater) request.on('data', (chunk: Buffer) => (received += chunk.length));
  source.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maximum) fail(tooLarge(`The body is over ${maximum} bytes.`));
    else if (inflater && size > received * maximumRatio)
      fail(tooLarge(`The body is over ${maximumRatio} times its compressed size.`));
  });
  source.on('end', () => resolve(Buffer.concat(chunks)));
  source.on('error', unread);
  request.on('error', unread);
  return promise.finally(() => clearTimeout(timer));
}

function inflaterFor(request: IncomingMessage): Transform | null {
  const encoding = (request.headers['content-encoding'] || 'identity').trim().toLowerCase();
  if (encoding === 'identity') return null;
  const make = Object.hasOwn(inflaters, encoding) ? inflaters[encoding] : undefined;
  if (!make) throw new AppError('bad_request', 'Content-Encoding is gzip, deflate or br.');
  return make();
}

function tooLarge(message: string): AppError {
  return new AppError('payload_too_large', message);
}

function isForm(contentType: string | undefined): boolean {
  const [type = ''] = (contentType ?? '').split(';');
  return type.trim().toLowerCase() === 'application/x-www-form-urlencoded';
}

/** A field given twice is a list, which no field of a form may be. */
function formFields(bytes: Buffer): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of new URLSearchParams(bytes.toString()))
    fields.set(name, fields.has(name) ? [fields.get(name), value] : value);
  return Object.fromEntries(fields);
}

function requireJson(contentType: string | undefined): void {
  if (contentType === undefined) return;
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (!/^application\/(json|[\w.-]+\+json)$/.test(type)) {
    throw new AppError('bad_request', 'Send JSON with Content-Type: application/json.');
  }
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new AppError('bad_request', 'JSON is read as UTF-8 only.');
  }
}
