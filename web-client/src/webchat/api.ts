import { Refusal } from './link.ts';
import type { Appearance, Media, User } from './types.ts';

/** What the server takes over plain HTTP, for one channel. */
export class Api {
  readonly #base: string;

  constructor(server: string, channel: string) {
    this.#base = `${server}/webchat/${channel}`;
  }

  get socketUrl(): string {
    return `${this.#base.replace(/^http/, 'ws')}/graphql`;
  }

  appearance(locale: string): Promise<Appearance> {
    return this.#call(`/appearance?locale=${encodeURIComponent(locale)}`, {});
  }

  start(body: {
    token?: string | undefined;
    name?: string | undefined;
    email?: string | undefined;
    user?: User | undefined;
  }) {
    return this.#call<{ token: string }>('/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  upload(token: string, file: File): Promise<Media> {
    const body = new FormData();
    body.append('file', file);
    return this.#call('/media', { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body });
  }

  async #call<T>(path: string, init: RequestInit): Promise<T> {
    const response = await fetch(this.#base + path, { ...init, credentials: 'omit' });
    const body = (await response.json()) as {
      data?: T;
      error?: { code: string; message: string; param: string | null };
    };
    if (response.ok && body.data !== undefined) return body.data;
    const { code = 'server_error', message = '', param = null } = body.error ?? {};
    throw new Refusal(code, message, param, Number(response.headers.get('Retry-After') ?? 0));
  }
}
