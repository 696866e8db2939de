import { createReadStream } from 'node:fs';
import { mkdir, statfs } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { S3Driver } from 'flydrive/drivers/s3';

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A disk with less is full, in bytes. */
const leastRoom = 1024 * 1024;

/** Where files are kept: a local folder or an S3-compatible bucket. Keys are ours, never a client's name. */
export class Storage {
  readonly #disk: Disk;
  readonly #prefix: string;
  /** Null for a bucket. */
  readonly #folder: string | null;
  readonly #openRange: (key: string, range: ByteRange) => Promise<Readable>;

  /** @param url `file:/folder`, `s3://key:secret@host/bucket`, or http(s) likewise; `?region=` for a bucket */
  constructor(url: string) {
    const { driver, prefix, openRange, location } = url.startsWith('file:') ? folder(url) : bucket(url);
    this.#folder = location;
    this.#disk = new Disk(driver);
    this.#prefix = prefix;
    this.#openRange = openRange;
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

function folder(url: string) {
  const location = decodeURIComponent(new URL(url).pathname);
  return {
    location,
    driver: new FSDriver({ location, visibility: 'private' }),
    prefix: '',
    openRange: async (key: string, range: ByteRange): Promise<Readable> =>
      createReadStream(path.join(location, key), range),
  };
}

function bucket(text: string) {
  const url = new URL(text.replace(/^s3:/, 'https:'));
  const [name = '', ...below] = decodeURIComponent(url.pathname).split('/').filter(Boolean);
  const client = new S3Client({
    endpoint: `${url.protocol}//${url.host}`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    forcePathStyle: true,
    credentials: {
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
    },
    // Stores that are only compatible don't know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return {
    location: null,
    driver: new S3Driver({ client, bucket: name, visibility: 'private', supportsACL: false }),
    prefix: below.map((part) => `${part}/`).join(''),
    async openRange(key: string, { start, end }: ByteRange): Promise<Readable> {
      const answer = await client.send(
        new GetObjectCommand({ Bucket: name, Key: key, Range: `bytes=${start}-${end}` }),
      );
      if (!(answer.Body instanceof Readable)) throw new Error('The store answered without a body.');
      return answer.Body;
    },
  };
}
