import { rm } from 'node:fs/promises';

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
