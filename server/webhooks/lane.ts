import { newId } from '../platform/ids.ts';
import type { Outcome, WebhookClient } from './request.ts';
import type { AttemptRow } from './record.ts';
import type { Due, Target } from './queue.ts';
import { failed, isBeyondHope, nextAttempt, succeeded } from './schedule.ts';
import { signedHeaders } from './signature.ts';

/** What a lane needs of the house. */
export interface LaneDeps {
  client: Pick<WebhookClient, 'post'>;
  now(): Date;
  /** Reads what is due. */
  read(target: Target, after: bigint, held: readonly string[]): Promise<{ due: Due[]; more: boolean }>;
  /** The endpoint as it is now; null when it is gone. */
  reload(endpointId: string): Promise<Target | null>;
  record(row: AttemptRow): Promise<void>;
  recordHealth(target: Target): void;
  switchOff(target: Target, reason: 'gone' | 'failing'): Promise<void>;
  /** Takes one of the process's places for a request in flight; false when there is none. */
  enter(): boolean;
  leave(): void;
  /** Requests of one endpoint that may be without a recorded answer: as many are sent again after a kill. */
  mostUnrecorded(): number;
  /** Something failed that is nobody's fault outside; the lane goes on when it is woken again. */
  failed(error: unknown): void;
}

/** Requests in flight for one endpoint: grows by one with each success, is halved by each failure. */
const width = { first: 4, most: 16 };
/** From so many failures in a row on, one at a time. */
const troubled = 5;
const buffer = 400;
/** While all goes well, `last_success_at` is written no more often than this, in milliseconds. */
const healthInterval = 5_000;

/**
 * The one sender of an endpoint. It keeps the order of first attempts within a conversation, and what it does to a
 * receiver that fails or hangs concerns that receiver alone.
 */
export class Lane {
  readonly #deps: LaneDeps;
  #target: Target;
  #waiting: Due[] = [];
  /** Everything read and not yet recorded. */
  readonly #held = new Map<string, Due>();
  /** Conversations with a first attempt in flight. */
  readonly #threads = new Set<string>();
  #inFlight = 0;
  /** In flight, or answered and not yet recorded. */
  #unrecorded = 0;
  #width = width.first;
  #after = -1n;
  #more = true;
  #stale = false;
  #reading = false;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;
  #healthWritten = 0;
  /** When it last had something to do, by the process's own clock. */
  idleSince = performance.now();

  constructor(target: Target, deps: LaneDeps) {
    this.#target = target;
    this.#deps = deps;
  }

  get idle(): boolean {
    return this.#held.size === 0 && !this.#more && !this.#reading;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Closed, and everything it had begun is recorded. */
  get done(): boolean {
    return this.#closed && this.#held.size === 0 && !this.#reading;
  }

  /** Something may be due. */
  wake(): void {
    this.#more = true;
    this.pump();
  }

  /** The endpoint was changed: nothing more is sent by what was known of it. */
  changed(): void {
    this.#stale = true;
    this.wake();
  }

  /** Starts nothing more. What is in flight ends and is recorded. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const { id } of this.#waiting) this.#held.delete(id);
    this.#waiting = [];
  }

  /** Starts as much as may be started now. */
  pump(): void {
    if (this.#closed) return;
    if (this.#stale) return void this.#read();
    while (this.#mayStart()) {
      const next = this.#next();
      if (!next) break;
      if (!this.#deps.enter()) {
        this.#waiting.unshift(next);
        return;
      }
      void this.#send(next);
    }
    if (this.#more && this.#waiting.length < buffer && this.#mayStart()) void this.#read();
  }

  #mayStart(): boolean {
    const { failureCount, circuitOpenUntil } = this.#target;
    if (this.#inFlight >= (failureCount >= troubled ? 1 : this.#width)) return false;
    if (this.#unrecorded >= this.#deps.mostUnrecorded()) return false;
    const pause = circuitOpenUntil ? circuitOpenUntil.getTime() - this.#deps.now().getTime() : 0;
    if (pause <= 0) return true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.pump(), pause);
    return false;
  }

  #next(): Due | undefined {
    const index = this.#waiting.findIndex(
      ({ first, conversationId }) => !first || conversationId === null || !this.#threads.has(conversationId),
    );
    return index === -1 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  async #read(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    try {
      if (this.#stale) await this.#refresh();
      if (this.#closed) return;
      this.#more = false;
      const repeats = [...this.#held.values()].filter(({ first }) => !first).map(({ id }) => id);
      const { due, more } = await this.#deps.read(this.#target, this.#after, repeats);
      if (this.#closed) return;
      this.#more ||= more;
      for (const delivery of due) {
        if (this.#held.has(delivery.id)) continue;
        if (delivery.first) this.#after = delivery.sequence;
        this.#held.set(delivery.id, delivery);
        this.#waiting.push(delivery);
      }
    } catch (error) {
      this.#more = false;
      this.#deps.failed(error);
      return;
    } finally {
      this.#reading = false;
      this.idleSince = performance.now();
    }
    this.pump();
  }

  async #refresh(): Promise<void> {
    this.#stale = false;
    try {
      const target = await this.#deps.reload(this.#target.id);
      if (!target?.enabled) this.close();
      else this.#target = target;
    } catch (error) {
      this.#stale = true;
      throw error;
    }
  }

  async #send(delivery: Due): Promise<void> {
    const { first, conversationId } = delivery;
    const thread = first ? conversationId : null;
    if (thread !== null) this.#threads.add(thread);
    this.#inFlight++;
    this.#unrecorded++;
    const at = this.#deps.now();
    const { url } = this.#target;
    const headers = signedHeaders(
      {
        eventId: delivery.eventId,
        eventType: delivery.eventType,
        deliveryId: delivery.id,
        attempt: delivery.attempts + 1,
        body: delivery.body,
      },
      this.#secrets(at),
      at,
    );
    const outcome = await this.#deps.client.post(url, headers, delivery.body);
    this.#inFlight--;
    this.#deps.leave();
    this.#settle(outcome);
    const recorded = this.#deps.record(this.#rowOf(delivery, outcome, at, headers));
    if (thread !== null) this.#threads.delete(thread);
    this.idleSince = performance.now();
    this.pump();
    await recorded;
    this.#unrecorded--;
    this.#held.delete(delivery.id);
    this.pump();
  }

  #secrets(at: Date): string[] {
    return this.#target.secrets
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > at)
      .map(({ secret }) => secret);
  }

  /** What an attempt says about the endpoint. */
  #settle({ error, status }: Outcome): void {
    const now = this.#deps.now();
    const before = this.#target;
    this.#target = { ...before, ...(error === null ? succeeded(before, now) : failed(before, now)) };
    if (error === null) this.#width = Math.min(this.#width + 1, width.most);
    else this.#width = Math.max(1, Math.floor(this.#width / 2));
    if (error !== null || before.failureCount > 0 || now.getTime() - this.#healthWritten >= healthInterval) {
      this.#healthWritten = now.getTime();
      this.#deps.recordHealth(this.#target);
    }
    if (status === 410 || (error !== null && isBeyondHope(this.#target, now))) {
      this.close();
      this.#deps
        .switchOff(this.#target, status === 410 ? 'gone' : 'failing')
        .catch((reason: unknown) => this.#deps.failed(reason));
    }
  }

  #rowOf(delivery: Due, outcome: Outcome, at: Date, headers: Record<string, string>): AttemptRow {
    const number = delivery.attempts + 1;
    const now = this.#deps.now();
    const good = outcome.error === null;
    const gone = outcome.status === 410;
    const next = good || gone ? null : nextAttempt(number - delivery.scheduleFrom, now, outcome.retryAfter);
    const over = gone ? 'discarded' : 'exhausted';
    return {
      company_id: this.#target.companyId,
      delivery_id: delivery.id,
      attempt_id: newId(),
      number,
      trigger: delivery.resent ? 'manual' : 'schedule',
      at,
      duration_ms: outcome.durationMs,
      request_headers: headers,
      response_status: outcome.status,
      response_headers: outcome.headers,
      response_body: outcome.body,
      error: outcome.error,
      error_message: outcome.message,
      status: good ? 'succeeded' : next ? 'retrying' : over,
      next_attempt_at: next,
      completed_at: next ? null : now,
    };
  }
}
