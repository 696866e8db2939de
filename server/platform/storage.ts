import { createReadStream } from 'node:fs';
import { mkdir, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { DriverContract } from 'flydrive/types';

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Where files are kept, opened. */
export interface Place {
  driver: DriverContract;
  /** Goes before every key. */
  prefix: string;
  /** Null for a bucket. */
  location: string | null;
  openRange(key: string, range: ByteRange): Promise<Readable>;
}

/** A disk with less is full, in bytes. */
const leastRoom = 1024 * 1024;

/** Where files are kept: a local folder or an S3-compatible bucket. Keys are ours, never a client's name. */
export class Storage {
  readonly #disk: Disk;
  readonly #prefix: string;
  readonly #folder: string | null;
  readonly #openRange: Place['openRange'];

  private constructor({ driver, prefix, openRange, location }: Place) {
    this.#folder = location;
    this.#disk = new Disk(driver);
    this.#prefix = prefix;
    this.#openRange = openRange;
  }

  /**
   * The library for buckets is loaded only where there is one.
   * @param url `file:/folder`, `s3://key:secret@host/bucket`, or http(s) likewise; `?region=` for a bucket
   */
  static async open(url: string): Promise<Storage> {
    if (url.startsWith('file:')) return new Storage(folder(url));
    const { bucket } = await import('./storage-s3.ts');
    return new Storage(bucket(url));
  }

  /** Keeps a copy of a local file. Nothing is left when it fails. */
  async keep(source: string, key: string, facts: { type: string; size: number }): Promise<void> {
    try {
      await this.#disk.copyFromFs(source, this.#prefix + key, {
        contentType: facts.type,
        contentLength: facts.size,
      });
    } catch (error) {
      await this.remove(key).catch(() => undefined);
      throw error;
    }
  }

  open(key: string, range?: ByteRange): Promise<Readable> {
    return range ? this.#openRange(this.#prefix + key, range) : this.#disk.getStream(this.#prefix + key);
  }

  /** Writes a file that is streamed. */
  async write(key: string, content: Readable): Promise<void> {
    await this.#disk.putStream(this.#prefix + key, content);
  }

  /** Every file there is, with its size in bytes. */
  async *list(): AsyncGenerator<{ key: string; size: number }> {
    let paginationToken: string | undefined;
    do {
      const page = await this.#disk.listAll(this.#prefix, {
        recursive: true,
        ...(paginationToken ? { paginationToken } : {}),
      });
      for (const object of page.objects) {
        if (!object.isFile) continue;
        const { contentLength: size } = await this.#disk.getMetaData(object.key);
        yield { key: object.key.slice(this.#prefix.length), size };
      }
      paginationToken = page.paginationToken;
    } while (paginationToken);
  }

  /** Whether files can still be kept: a folder's disk has some megabytes left. A bucket is said to have room. */
  async hasRoom(): Promise<boolean> {
    if (this.#folder === null) return true;
    // Until the first file it may not be there.
    await mkdir(this.#folder, { recursive: true });
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize >= leastRoom;
  }

  /** No error when it is gone already. */
  async remove(key: string): Promise<void> {
    await this.#disk.delete(this.#prefix + key);
  }
}

function folder(url: string): Place {
  const location = decodeURIComponent(new URL(url).pathname);
  return {
    location,
    driver: new FSDriver({ location, visibility: 'private' }),
    prefix: '',
    openRange: async (key: string, range: ByteRange): Promise<Readable> =>
      createReadStream(path.join(location, key), range),
  };
}
