import type { Draft } from './types.ts';

/** What outlives a page: the session, whether the window is open, and what is not sent yet. */
export interface Kept {
  token?: string | undefined;
  /** When the token was given, in milliseconds. */
  renewed?: number | undefined;
  /** Whom the page vouched for when it was given. */
  user?: string | undefined;
  open?: boolean | undefined;
  drafts: Draft[];
}

/** Kept in the page's own storage; in memory alone where there is none. */
export class Store {
  readonly key: string;
  #kept: Kept = { drafts: [] };

  constructor(channel: string) {
    this.key = `parlour:${channel}`;
    this.#load();
  }

  get kept(): Kept {
    return this.#kept;
  }

  set(news: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...news };
    try {
      // A file can't be kept; its message is lost with the page.
      const drafts = this.#kept.drafts.filter(({ file }) => file === undefined);
      localStorage.setItem(this.key, JSON.stringify({ ...this.#kept, drafts }));
    } catch {
      // Storage is switched off or full: the session ends with the page.
    }
  }

  /** Another tab has the session now. @returns whether it is another one */
  reload(): boolean {
    const { token, drafts } = this.#kept;
    this.#load();
    const files = drafts.filter(({ file }) => file !== undefined);
    if (token === this.#kept.token) this.#kept.drafts.push(...files);
    return token !== this.#kept.token;
  }

  #load(): void {
    try {
      const kept = JSON.parse(localStorage.getItem(this.key) ?? '{}') as Partial<Kept>;
      this.#kept = { ...kept, drafts: Array.isArray(kept.drafts) ? kept.drafts : [] };
    } catch {
      this.#kept = { drafts: [] };
    }
  }
}
