import type { Api } from './api.ts';
import { Refusal } from './link.ts';
import type { Store } from './store.ts';
import type { Draft } from './types.ts';

/** What the visitor wrote and the server has not confirmed, oldest first. Kept over reloads. */
export class Outbox {
  readonly #api: Api;
  readonly #store: Store;
  readonly #changed: () => void;
  #flushing = false;

  constructor(api: Api, store: Store, changed: () => void) {
    this.#api = api;
    this.#store = store;
    this.#changed = changed;
  }

  get drafts(): readonly Draft[] {
    return this.#store.kept.drafts;
  }

  add(content: { text: string } | { file: File }): Draft {
    const draft = { clientId: newId(), text: '', at: new Date().toISOString(), ...content };
    this.#set([...this.drafts, draft]);
    return draft;
  }

  remove({ clientId }: Draft): void {
    this.#set(this.drafts.filter((one) => one.clientId !== clientId));
  }

  /** The server has it. */
  confirm(clientId: string): void {
    if (this.drafts.some((one) => one.clientId === clientId)) this.remove({ clientId, text: '', at: '' });
  }

  /** To be tried again. */
  release({ clientId }: Draft): void {
    this.#edit(clientId, { refused: undefined });
  }

  refuse({ clientId }: Draft, error: unknown): void {
    this.#edit(clientId, { refused: error instanceof Refusal ? error.code : 'offline' });
  }

  /**
   * One after the other, in the order they were written; each until it is confirmed or refused.
   * @returns false when the connection was lost
   */
  async flush(send: (draft: Draft) => Promise<void>): Promise<boolean> {
    if (this.#flushing) return true;
    this.#flushing = true;
    try {
      for (;;) {
        const draft = this.drafts.find(({ refused }) => refused === undefined);
        if (!draft) return true;
        const ready = draft.file ? await this.#upload(draft, draft.file) : draft;
        if (ready) await send(ready).catch((error: unknown) => this.#settle(ready, error));
      }
    } catch {
      return false;
    } finally {
      this.#flushing = false;
    }
  }

  #settle(draft: Draft, error: unknown): void {
    if (!(error instanceof Refusal)) throw error;
    this.refuse(draft, error);
  }

  async #upload(draft: Draft, file: File): Promise<Draft | null> {
    try {
      const media = await this.#api.upload(this.#store.kept.token ?? '', file);
      this.#edit(draft.clientId, { media, file: undefined });
      return { ...draft, media, file: undefined };
    } catch (error) {
      this.refuse(draft, error);
      return null;
    }
  }

  #edit(clientId: string, news: Partial<Draft>): void {
    this.#set(this.drafts.map((one) => (one.clientId === clientId ? { ...one, ...news } : one)));
  }

  #set(drafts: Draft[]): void {
    this.#store.set({ drafts });
    this.#changed();
  }
}

/** 128 random bits; `randomUUID` is missing on pages without TLS. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
