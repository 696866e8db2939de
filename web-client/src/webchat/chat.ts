import type { Api } from './api.ts';
import { Link, Refusal } from './link.ts';
import { type Change, documents, type Session } from './documents.ts';
import { Outbox } from './outbox.ts';
import type { Store } from './store.ts';
import { Thread } from './thread.ts';
import type { Draft, Message, User } from './types.ts';

/** Times in milliseconds. */
const times = {
  /** Between two attempts to connect: doubles up to the most, and up to half of it at random. */
  retryFirst: 1_000,
  retryMost: 30_000,
  /** An agent's typing is told again every 10 seconds. */
  typing: 11_000,
  /** A token older than that is renewed when the page is opened. */
  renew: 86_400_000,
};

/** The visitor's thread: what is known of it, what is still to be sent, and the connection that keeps it up to date. */
export class Chat {
  readonly #api: Api;
  readonly #store: Store;
  readonly #outbox: Outbox;
  readonly #changed: () => void;
  readonly #thread = new Thread();
  #link: Link | undefined;
  #sequence: string | undefined;
  #attempts = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #typingTimer: ReturnType<typeof setTimeout> | undefined;
  #starting: Promise<void> | undefined;
  #marked = { delivered: '', read: '' };

  hasMore = false;
  seen = false;
  typing: string | null = null;
  /** Whether the connection is there, or not needed yet. */
  state: 'idle' | 'connecting' | 'online' | 'refused' = 'idle';
  /** Told of an answer that comes while the page is open. */
  arrived: (message: Message) => void = () => {};

  constructor(api: Api, store: Store, changed: () => void) {
    this.#api = api;
    this.#store = store;
    this.#changed = changed;
    this.#outbox = new Outbox(api, store, changed);
    addEventListener('online', () => this.#hurry());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.#hurry();
    });
    addEventListener('storage', ({ key }) => {
      if (key === store.key && store.reload()) this.restart();
    });
  }

  get started(): boolean {
    return this.#store.kept.token !== undefined;
  }

  /** In the order of the thread. */
  get messages(): readonly Message[] {
    return this.#thread.messages;
  }

  get drafts(): readonly Draft[] {
    return this.#outbox.drafts;
  }

  get unread(): number {
    return this.#thread.unread;
  }

  /** A session for this visitor, once. @throws Refusal */
  async start(
    who: { name?: string | undefined; email?: string | undefined; user?: User } = {},
  ): Promise<void> {
    this.#starting ??= this.#begin(who).finally(() => (this.#starting = undefined));
    await this.#starting;
  }

  async #begin(who: Parameters<Chat['start']>[0] = {}): Promise<void> {
    const { token } = await this.#api.start({ token: this.#store.kept.token, ...who });
    const user = who.user ? `${who.user.id} ${who.user.hash}` : this.#store.kept.user;
    const other = who.user !== undefined && user !== this.#store.kept.user;
    this.#store.set({ token, renewed: Date.now(), user, ...(other ? { drafts: [] } : {}) });
    if (other) this.restart();
    else this.connect();
  }

  /** Goes on with the session that is kept, if there is one. */
  resume(): void {
    const { token, renewed = 0 } = this.#store.kept;
    if (token === undefined) return;
    if (Date.now() - renewed > times.renew) this.start().catch(() => this.connect());
    else this.connect();
  }

  /** Forgets everything, on this device. */
  forget(): void {
    this.#store.set({ token: undefined, renewed: undefined, user: undefined, drafts: [] });
    this.restart();
  }

  /** Another session than before, or none. */
  restart(): void {
    this.#thread.clear();
    this.#sequence = undefined;
    this.#marked = { delivered: '', read: '' };
    this.typing = null;
    this.hasMore = this.seen = false;
    const link = this.#link;
    this.#link = undefined;
    link?.close();
    this.state = 'idle';
    this.connect();
    this.#changed();
  }

  connect(): void {
    const { token } = this.#store.kept;
    if (this.#link || token === undefined || this.state === 'refused') return;
    clearTimeout(this.#timer);
    this.state = 'connecting';
    const link: Link = new Link(
      this.#api.socketUrl,
      token,
      () => void this.#opened(link),
      (code) => this.#closed(link, code),
    );
    this.#link = link;
    this.#changed();
  }

  async #opened(link: Link): Promise<void> {
    try {
      this.#sequence ??= await this.#load(link);
    } catch {
      return link.close();
    }
    this.#attempts = 0;
    this.state = 'online';
    link.follow<Change>(
      documents.follow,
      { after: this.#sequence },
      (change) => this.#told(link, change),
      () => link.close(),
    );
    this.#changed();
    void this.#flush();
  }

  async #load(link: Link, before?: string): Promise<string> {
    const session = await link.ask<Session>(documents.session, { before });
    for (const message of session.messages) this.#keep(message);
    if (before === undefined || session.messages.length > 0) this.hasMore = session.hasMore;
    if (before === undefined) this.seen = session.seen;
    this.#acknowledge();
    return session.sequence;
  }

  /** Messages before the oldest one that is shown. */
  async older(): Promise<void> {
    const [oldest] = this.messages;
    if (!this.#link?.ready || !oldest) return;
    await this.#load(this.#link, oldest.id);
    this.#changed();
  }

  #closed(link: Link, code: number): void {
    if (this.#link !== link) return;
    this.#link = undefined;
    this.typing = null;
    if (code === 4401 || code === 4403) void this.#admitAnew();
    else this.#later();
    this.#changed();
  }

  /** The token has run out, or the channel does not want this page any more: asking for a session tells which. */
  async #admitAnew(): Promise<void> {
    try {
      this.state = 'connecting';
      if (this.#attempts++ > 3) throw new Refusal('forbidden', 'The session is refused again and again.');
      await this.start();
    } catch (error) {
      if (error instanceof Refusal && error.code !== 'rate_limited') this.state = 'refused';
      else this.#later();
      this.#changed();
    }
  }

  #later(): void {
    this.state = 'connecting';
    const delay = Math.min(times.retryFirst * 2 ** this.#attempts++, times.retryMost);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.connect(), delay * (0.5 + Math.random() / 2));
  }

  #hurry(): void {
    if (this.state !== 'connecting' || this.#link) return;
    this.#attempts = 0;
    this.connect();
  }

  #told(link: Link, { sequence, type, message, typing }: Change): void {
    if (sequence !== null) this.#sequence = sequence;
    if (type === 'resync') {
      // What was missed is gone from the log: from the top.
      this.#sequence = undefined;
      link.close();
    } else if (type === 'seen') this.seen = true;
    else if (typing) this.#showTyping(typing.active ? (typing.name ?? '') : null);
    else if (message) {
      const isNew = this.#keep(message);
      if (isNew) this.seen = !message.fromVisitor;
      if (isNew && !message.fromVisitor) {
        this.#showTyping(null);
        this.arrived(message);
      }
      this.#acknowledge();
    }
    this.#changed();
  }

  #keep(message: Message): boolean {
    if (message.clientId !== null) this.#outbox.confirm(message.clientId);
    return this.#thread.keep(message);
  }

  #showTyping(name: string | null): void {
    this.typing = name;
    clearTimeout(this.#typingTimer);
    if (name === null) return;
    this.#typingTimer = setTimeout(() => {
      this.typing = null;
      this.#changed();
    }, times.typing);
  }

  /** The newest answer is here. */
  #acknowledge(): void {
    const newest = this.#thread.newestAnswer;
    if (newest?.status === 'sent') this.#mark('delivered', newest.id);
  }

  /** The newest answer is on the screen. */
  markRead(): void {
    const newest = this.#thread.newestAnswer;
    if (!newest || this.unread === 0 || !this.#link?.ready) return;
    this.#mark('read', newest.id);
    this.#thread.markRead();
    this.#changed();
  }

  #mark(what: 'delivered' | 'read', message: string): void {
    if (!this.#link?.ready || this.#marked[what] === message) return;
    this.#marked[what] = message;
    this.#link.ask(documents[what], { message }).catch(() => (this.#marked[what] = ''));
  }

  tellTyping(typing: boolean): void {
    if (this.#link?.ready) this.#link.ask(documents.typing, { typing }).catch(() => {});
  }

  /** Keeps the message and sends it when that can be done. */
  send(content: { text: string } | { file: File }): void {
    const draft = this.#outbox.add(content);
    this.seen = false;
    if (this.started) this.connect();
    else this.start().catch((error: unknown) => this.#outbox.refuse(draft, error));
    void this.#flush();
  }

  retry(draft: Draft): void {
    this.#outbox.release(draft);
    if (!this.started) this.start().catch((error: unknown) => this.#outbox.refuse(draft, error));
    void this.#flush();
  }

  discard(draft: Draft): void {
    this.#outbox.remove(draft);
  }

  async #flush(): Promise<void> {
    const link = this.#link;
    if (!link?.ready) return;
    const sent = await this.#outbox.flush(async ({ clientId, text, media }) => {
      this.#keep(
        await link.ask<Message>(documents.send, { input: { clientId, text, mediaUrl: media?.url } }),
      );
    });
    // Without a connection they wait for the next one.
    if (!sent) link.close();
  }
}
