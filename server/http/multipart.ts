import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { AppError, invalidField } from '../platform/errors.ts';
import { Upload } from '../platform/upload.ts';

const limits = {
  files: 1,
  parts: 10,
  headerPairs: 20,
  headerSize: 16_384,
  fieldNameSize: 100,
  fieldSize: 4_096,
};
/** What the form may hold beside the file, in bytes (decisions §0.10). */
const overhead = 1024 * 1024;
/** So long a refused body is read on, in milliseconds: a client that is cut off never sees the answer. */
const patience = 5_000;

interface MultipartOptions {
  /** Where temporary files go. */
  folder: string;
  /** The largest file, in bytes. */
  maximum: number;
}

/** A form that has been read to its end. */
interface Form {
  /** Digest of all parts; two bodies that differ in nothing but their boundary have the same. */
  bytes: Buffer;
  fields: Record<string, unknown>;
  /** To be discarded when the call has ended. */
  upload: Upload | undefined;
}

/**
 * Streams a form with one file, the part `file`, to a temporary place.
 * @throws AppError `bad_request` for a broken form, `payload_too_large` for a file or form over its limit
 */
export async function readMultipart(
  request: IncomingMessage,
  response: ServerResponse,
  options: MultipartOptions,
): Promise<Form> {
  const reader = new FormReader(request, options);
  try {
    return await reader.read();
  } catch (error) {
    await reader.discard();
    await drain(request, response);
    throw reader.reasonFor(error);
  }
}

class FormReader {
  readonly #request: IncomingMessage;
  readonly #options: MultipartOptions;
  readonly #abort = new AbortController();
  readonly #fields = new Map<string, string>();
  readonly #digest = createHash('sha256');
  #writing: Promise<void> | undefined;
  #file: { upload: Upload; truncated: boolean } | undefined;
  #refusal: AppError | undefined;

  constructor(request: IncomingMessage, options: MultipartOptions) {
    this.#request = request;
    this.#options = options;
  }

  async read(): Promise<Form> {
    const { maximum, folder } = this.#options;
    const type = this.#request.headers['content-type'] ?? '';
    if (!/^multipart\/form-data\s*;/i.test(type)) {
      throw new AppError('bad_request', 'Send the file as multipart/form-data, in the part "file".');
    }
    if (Number(this.#request.headers['content-length'] ?? 0) > maximum + overhead) throw tooLarge(maximum);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const written = Promise.withResolvers<never>();
    written.promise.catch(() => undefined);
    const form = new Busboy({
      headers: { ...this.#request.headers, 'content-type': type },
      limits: { ...limits, fileSize: maximum },
      isPartAFile: (name, contentType, filename) =>
        filename !== undefined ||
        contentType === 'application/octet-stream' ||
        (name === 'file' && contentType !== 'text/plain'),
    });
    form.on('file', (name, stream, filename: string | undefined, _encoding, mimeType) => {
      // A form that breaks off fails its open file as well: unheard, that error would end the process.
      stream.on('error', () => undefined);
      if (name !== 'file') stream.resume();
      else this.#writing = this.#write(stream, filename, mimeType);
      // The parser waits for a reader of the file that is gone: for ever, if nobody tells.
      this.#writing?.catch(written.reject);
    });
    form.on('field', (name, value, _nameTruncated, valueTruncated) => {
      if (valueTruncated) this.#refuse(invalidField(name, 'max', 'Is too long.'));
      if (this.#fields.has(name)) this.#refuse(invalidField(name, 'duplicate', 'Must be sent once.'));
      this.#fields.set(name, value);
    });
    form.on('filesLimit', () => this.#refuse(invalidField('file', 'max', 'Send exactly one file.')));
    form.on('partsLimit', () =>
      this.#refuse(new AppError('payload_too_large', 'The form has too many parts.')),
    );
    await Promise.race([this.#feed(form), written.promise]);
    await this.#writing;
    if (this.#file?.truncated) throw tooLarge(maximum);
    if (this.#refusal) throw this.#refusal;
    return this.#form();
  }

  /** Stops writing and removes what was written. */
  async discard(): Promise<void> {
    this.#abort.abort();
    await this.#writing?.catch(() => undefined);
    await this.#file?.upload.discard();
  }

  /** The parser's errors carry no status: what it can't read is a broken form. A full disk is our own fault. */
  reasonFor(error: unknown): unknown {
    if (this.#file?.truncated) return tooLarge(this.#options.maximum);
    const reason = this.#refusal ?? error;
    const code: unknown =
      typeof reason === 'object' && reason !== null ? Reflect.get(reason, 'code') : undefined;
    const ours = typeof code === 'string' && /^E(NOSPC|DQUOT|IO|MFILE|ACCES|ROFS|NOENT)$/.test(code);
    if (reason instanceof AppError || ours) return reason;
    return new AppError('bad_request', 'The form is broken or incomplete.', { cause: error });
  }

  #refuse(error: AppError): void {
    this.#refusal ??= error;
  }

  /** `pipeline` would destroy the request, and with it the connection that the answer needs. */
  #feed(form: Writable): Promise<void> {
    const request = this.#request;
    const counter = this.#counter();
    return new Promise((resolve, reject) => {
      form.once('finish', resolve).on('error', reject);
      counter.on('error', reject);
      request.once('error', reject);
      request.once('close', () => {
        if (!request.complete) reject(new Error('The request ended early.'));
      });
      request.pipe(counter).pipe(form);
    });
  }

  /** A form without a length is counted. */
  #counter(): Transform {
    const most = this.#options.maximum + overhead;
    let seen = 0;
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        seen += chunk.length;
        if (seen > most) done(tooLarge(this.#options.maximum));
        else done(null, chunk);
      },
    });
  }

  async #write(stream: BusboyFileStream, filename: string | undefined, mimeType: string): Promise<void> {
    const file = path.join(this.#options.folder, randomUUID());
    const hash = createHash('sha256');
    let size = 0;
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length;
        hash.update(chunk);
        done(null, chunk);
      },
    });
    const keep = (): void => {
      const facts = {
        path: file,
        size,
        sha256: hash.copy().digest(),
        filename,
        declaredType: mimeType.toLowerCase(),
      };
      this.#file = { upload: new Upload(facts), truncated: stream.truncated };
    };
    try {
      const target = createWriteStream(file, { flags: 'wx', mode: 0o600 });
      await pipeline(stream, measure, target, { signal: this.#abort.signal });
    } finally {
      keep();
    }
  }

  #form(): Form {
    const upload = this.#file?.upload;
    const parts = [...this.#fields].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#digest.update(JSON.stringify(parts));
    if (upload) {
      const { filename, declaredType, sha256 } = upload;
      this.#digest.update(JSON.stringify([filename ?? null, declaredType, sha256.toString('hex')]));
    }
    const fields = { ...Object.fromEntries(this.#fields), ...(upload ? { file: upload } : {}) };
    return { bytes: this.#digest.digest(), fields, upload };
  }
}

/** Reads on and throws away, for a while; what is still to come then ends with the connection. */
async function drain(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!request.readableEnded && !request.destroyed) {
    const ended = new Promise<void>((resolve) => {
      request
        .once('end', resolve)
        .once('close', resolve)
        .once('error', () => resolve());
    });
    request.unpipe();
    request.resume();
    await Promise.race([ended, wait(patience, undefined, { ref: false })]);
  }
  if (!request.readableEnded) response.setHeader('Connection', 'close');
}

function tooLarge(maximum: number): AppError {
  return new AppError('payload_too_large', `The file is over ${maximum} bytes.`);
}
