import type { MessageMedia } from '../../../schema/entries.ts';
import { failureOf } from '../app/failure.ts';
import { newId } from './stored.ts';
import { upload } from './upload.ts';
import { sizeOf } from './words.ts';

/** A file that is on its way, or was refused. */
export interface Upload {
  key: string;
  name: string;
  size: number;
  /** Of its bytes that are sent, 0 to 1. */
  share: number;
  refusal: string | null;
}

interface Running {
  file: File;
  abort: AbortController;
}

/** The files of one draft that are not there yet; each is sent at once and alone, and outlives the page that began it. */
export class Uploads {
  readonly #done: (media: MessageMedia) => void;
  readonly #running = new Map<string, Running>();
  readonly #listeners = new Set<() => void>();
  #list: readonly Upload[] = [];

  /** @param done told of each file that is there */
  constructor(done: (media: MessageMedia) => void) {
    this.#done = done;
  }

  readonly list = () => this.#list;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  add(files: readonly File[]): void {
    const added = files.map((file) => ({ file, key: newId() }));
    this.#change([
      ...this.#list,
      ...added.map(({ key, file: { name, size } }) => ({ key, name, size, share: 0, refusal: null })),
    ]);
    for (const { key, file } of added) this.#start(key, file);
  }

  retry(key: string): void {
    const file = this.#running.get(key)?.file;
    if (!file) return;
    this.#edit(key, { refusal: null, share: 0 });
    this.#start(key, file);
  }

  remove(key: string): void {
    this.#running.get(key)?.abort.abort();
    this.#forget(key);
  }

  #start(key: string, file: File): void {
    const abort = new AbortController();
    this.#running.set(key, { file, abort });
    upload(file, (share) => this.#edit(key, { share }), abort.signal).then(
      (media) => this.#finish(key, media),
      (error: unknown) => this.#edit(key, { refusal: inWords(failureOf(error).message) }),
    );
  }

  #finish(key: string, media: MessageMedia): void {
    if (!this.#running.has(key)) return;
    this.#done(media);
    this.#forget(key);
  }

  #edit(key: string, news: Partial<Upload>): void {
    this.#change(this.#list.map((one) => (one.key === key ? { ...one, ...news } : one)));
  }

  #forget(key: string): void {
    this.#running.delete(key);
    this.#change(this.#list.filter((one) => one.key !== key));
  }

  #change(list: readonly Upload[]): void {
    this.#list = list;
    for (const listener of this.#listeners) listener();
  }
}

/** The server counts bytes; people don’t. */
function inWords(refusal: string): string {
  return refusal.replace(/(\d+) bytes/, (_all, bytes: string) => sizeOf(Number(bytes)));
}
