import { randomUUID } from 'node:crypto';
import type { Redis } from './redis.ts';

/** In milliseconds: the one who relays says so this often, and counts as gone after a silence of that length. */
export const relayFigures = { beat: 250, silence: 1_500 } as const;

/** A notification on its way, a sign of life (without `to`), or the farewell of the one who relayed. */
interface Message {
  /** Of one process, from when it begins to relay. */
  epoch: string;
  /** Of the notification, from 1; of the last one in a sign of life. */
  number: number;
  to?: string;
  text?: string;
  gone?: true;
}

interface Ear {
  heard(to: string, text: string): void;
  /** Something may have been missed. */
  missed(): void;
  /** Nobody relays any more. */
  gone(): void;
}

/**
 * Carries notifications of PostgreSQL over Redis: one process listens and passes on, the others hear it there.
 * Numbers show what was lost on the way.
 */
export class Relay {
  readonly #redis: Redis;
  #own: { epoch: string; number: number } | null = null;
  #followed: { epoch: string; number: number; at: number } | null = null;
  #ear: Ear | null = null;
  #channel = '';

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Whether another process relays and what it sends arrives here. */
  get heard(): boolean {
    return (
      this.#redis.ready &&
      this.#followed !== null &&
      performance.now() - this.#followed.at < relayFigures.silence
    );
  }

  /** Whether this process could relay. */
  get ready(): boolean {
    return this.#redis.ready;
  }

  /** @param database what tells it from others: only its own processes hear each other */
  start(database: string, ear: Ear): void {
    this.#ear = ear;
    this.#channel = `relay:${database}`;
    this.#redis.subscribe(this.#channel, (text) => this.#received(text));
    this.#redis.onDown(() => this.#lost());
  }

  /** From now on this process passes on. */
  begin(): void {
    this.#own = { epoch: randomUUID(), number: 0 };
    this.#followed = null;
    this.beat();
  }

  beat(): void {
    if (this.#own) void this.#send({ ...this.#own });
  }

  pass(to: string, text: string): void {
    if (!this.#own) return;
    this.#own.number++;
    void this.#send({ ...this.#own, to, text });
  }

  /** No longer; the others need not wait for the silence. */
  async end(): Promise<void> {
    const own = this.#own;
    this.#own = null;
    if (own) await this.#send({ ...own, gone: true });
  }

  #send(message: Message): Promise<boolean> {
    return this.#redis.publish(this.#channel, JSON.stringify(message));
  }

  #received(text: string): void {
    // Only `#send` writes to this channel.
    const { epoch, number, to, text: body = '', gone } = JSON.parse(text) as Message;
    if (epoch === this.#own?.epoch) return;
    if (gone) {
      if (this.#followed?.epoch === epoch) this.#lost();
      return;
    }
    const before = this.#followed;
    const expected = (before?.number ?? 0) + (to === undefined ? 0 : 1);
    this.#followed = { epoch, number, at: performance.now() };
    if (before?.epoch !== epoch || number !== expected) this.#ear?.missed();
    if (to !== undefined) this.#ear?.heard(to, body);
  }

  #lost(): void {
    this.#followed = null;
    this.#ear?.gone();
  }
}
