import type { ServerResponse } from 'node:http';
import express, { type Request } from 'express';
import { AppError } from '../platform/errors.ts';
import { parseJson } from './json.ts';

/** JSON bodies over 1 MiB are refused with 413, counted after inflation (decisions §0.10). */
export const maximumBodyBytes = 1024 * 1024;

const read = express.raw({ type: () => true, limit: maximumBodyBytes });

interface Body {
  bytes: Buffer;
  /** Fields of the JSON object; empty when there is no body. */
  fields: Record<string, unknown>;
}

/**
 * Reads the body of a request whose caller is known already; before that no byte of it is read.
 * Without a body and without a content type an action is fine.
 */
export async function readBody(request: Request, response: ServerResponse): Promise<Body> {
  const bytes = await rawBody(request, response);
  if (bytes.length === 0) return { bytes, fields: {} };
  requireJson(request.headers['content-type']);
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('bad_request', 'The body must be a JSON object.');
  }
  return { bytes, fields: value as Record<string, unknown> };
}

/** The same where a form may come as well: what Pusher clients send. */
export async function readBodyOrForm(request: Request, response: ServerResponse): Promise<Body> {
  if (!isForm(request.headers['content-type'])) return readBody(request, response);
  const bytes = await rawBody(request, response);
  return { bytes, fields: formFields(bytes) };
}

function rawBody(request: Request, response: ServerResponse): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    read(request, response, (error: unknown) => {
      if (error) reject(readError(error));
      else resolve(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
    });
  });
}

function readError(error: unknown): AppError {
  const type: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'type') : undefined;
  if (type === 'entity.too.large') {
    return new AppError('payload_too_large', `The body is over ${maximumBodyBytes} bytes.`);
  }
  return new AppError('bad_request', 'The body could not be read.', { cause: error });
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
