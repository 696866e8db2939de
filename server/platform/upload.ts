import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from './errors.ts';

/**
 * A file that a request brought, in a temporary place. Only the multipart reader makes one, so an input that demands
 * an instance can't be forged by JSON.
 */
export class Upload {
  /** Where the bytes are until they are kept or discarded. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: Buffer;
  /** As the client sent it; never a path. */
  readonly filename: string | undefined;
  /** Media type that the client declared, in lower case, without parameters. */
  readonly declaredType: string;

  constructor(facts: Pick<Upload, 'path' | 'size' | 'sha256' | 'filename' | 'declaredType'>) {
    this.path = facts.path;
    this.size = facts.size;
    this.sha256 = facts.sha256;
    this.filename = facts.filename;
    this.declaredType = facts.declaredType;
  }

  /** Removes the temporary file. Safe to repeat, and after the bytes were kept elsewhere. */
  async discard(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

/**
 * Writes bytes to a temporary file. Nothing is left when it fails.
 * @param most bytes
 * @throws AppError `payload_too_large` over that
 */
export async function writeFile(
  source: AsyncIterable<Uint8Array>,
  target: string,
  most: number,
  { filename, declaredType }: Pick<Upload, 'filename' | 'declaredType'> = {
    filename: undefined,
    declaredType: '',
  },
): Promise<Upload> {
  const digest = createHash('sha256');
  let size = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      digest.update(chunk);
      done(size > most ? new AppError('payload_too_large', `It is over ${most} bytes.`) : null, chunk);
    },
  });
  try {
    await pipeline(source, measure, createWriteStream(target, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
  return new Upload({ path: target, size, sha256: digest.digest(), filename, declaredType });
}
