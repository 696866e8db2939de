import { createHmac } from 'node:crypto';
import { newId } from './ids.ts';

/** A request that was caught. */
export interface Caught {
  id: string;
  at: Date;
  headers: Record<string, string>;
  body: string;
}

/** Requests of a company that are kept, the bytes of their bodies, and companies. The oldest go first. */
const most = { requests: 50, bytes: 2 * 1024 * 1024, companies: 20 };

/**
 * A receiver of webhooks in our own house, to try them without another one: in the demo alone, and in the memory of the
 * process. Each company has an address of its own that nobody guesses.
 */
export class Catcher {
  readonly #key: Buffer;
  readonly #base: () => string;
  readonly #caught = new Map<string, Caught[]>();

  /** @param base the public URL, without a final slash */
  constructor(key: Buffer, base: () => string) {
    this.#key = key;
    this.#base = base;
  }

  urlOf(companyId: string): string {
    const token = createHmac('sha256', this.#key).update(companyId).digest('base64url').slice(0, 22);
    return `${this.#base()}/webhook-catcher/${companyId}/${token}`;
  }

  /** Whether a URL is one of ours. */
  owns(url: string): boolean {
    const company = /\/webhook-catcher\/(\w+)\/[\w-]+$/.exec(url)?.[1];
    return company !== undefined && this.urlOf(company) === url;
  }

  /** Keeps a request that came in at an address of ours. @returns whether there is such an address */
  take(companyId: string, token: string, given: Omit<Caught, 'id'>): boolean {
    if (!this.urlOf(companyId).endsWith(`/${companyId}/${token}`)) return false;
    const caught = [{ id: newId(), ...given }, ...this.list(companyId)].slice(0, most.requests);
    let bytes = 0;
    const kept = caught.filter(({ body }) => (bytes += body.length) <= most.bytes);
    this.#caught.delete(companyId);
    this.#caught.set(companyId, kept);
    for (const oldest of [...this.#caught.keys()].slice(0, -most.companies)) this.#caught.delete(oldest);
    return true;
  }

  /** Newest first. */
  list(companyId: string): readonly Caught[] {
    return this.#caught.get(companyId) ?? [];
  }
}
