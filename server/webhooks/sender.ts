import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Leases } from '../platform/leases.ts';
import type { Log } from '../platform/log.ts';
import type { Services } from '../platform/services.ts';
import { Lane, type LaneDeps } from './lane.ts';
import { findDueEndpoints, readDue, readTargets } from './queue.ts';
import { type AttemptRow, Recorder } from './record.ts';
import type { WebhookClient } from './request.ts';
import { switchOff } from './switch-off.ts';

export interface SenderDeps {
  app: Services;
  pool: Pool;
  databaseUrl: string;
  client: Pick<WebhookClient, 'post'>;
  /** Key of the signing secrets. */
  key: Buffer;
  log: Log;
  now(): Date;
}

const leases = { lockClass: 7_702, name: 'parlour-webhooks' };
/** Requests in flight in this process. */
const places = 512;
/**
 * A process that has just started may be one that dies again and again, and whatever it holds without a recorded
 * answer goes out twice: for its first ten seconds that is no more than two requests for each endpoint.
 */
const slowStart = { time: 10_000, most: 2 };
/** An endpoint without anything to do is given back after so many milliseconds. */
const idleLimit = 5_000;
/** How often the queue is looked at without being told, in milliseconds. */
const pollInterval = 1_000;
/** How long requests in flight get at the end, in milliseconds. */
const drainLimit = 16_000;

/**
 * Sends what is due. Every endpoint has one lane in one process, by a lease that ends with the process's connection,
 * so the order within a conversation and the limits of an endpoint hold over all processes, and a killed process holds
 * nothing back.
 */
export class Sender {
  readonly #deps: SenderDeps;
  readonly #leases: Leases;
  readonly #recorder: Recorder;
  readonly #lanes = new Map<string, Lane>();
  readonly #wanted = new Set<string>();
  readonly #unreadable = new Set<string>();
  #inFlight = 0;
  #crowded = false;
  #startedAt = 0;
  #opening = false;
  #stopped = false;
  #poll: NodeJS.Timeout | undefined;
  #polling = false;
  #early: NodeJS.Timeout | undefined;
  #earlyAt = Infinity;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    this.#recorder = new Recorder(deps.pool, deps.log);
    this.#leases = new Leases(deps.databaseUrl, leases, deps.log, () => this.#lost());
  }

  start(): void {
    this.#startedAt = performance.now();
    this.#poll = setInterval(() => void this.look(), pollInterval);
    this.#poll.unref();
    void this.look();
  }

  /** Finishes what is in flight and gives everything back. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#poll);
    clearTimeout(this.#early);
    for (const lane of this.#lanes.values()) lane.close();
    for (let waited = 0; this.#inFlight > 0 && waited < drainLimit; waited += 20) await wait(20);
    await this.#recorder.stop();
    await this.#leases.close();
  }

  /** These endpoints have something due. */
  due(endpointIds: readonly string[]): void {
    for (const id of endpointIds) {
      const lane = this.#lanes.get(id);
      if (lane && !lane.closed) lane.wake();
      else this.#wanted.add(id);
    }
    if (this.#wanted.size > 0) void this.#open();
  }

  /** The endpoint was changed. */
  changed(endpointId: string): void {
    this.#lanes.get(endpointId)?.changed();
    this.due([endpointId]);
  }

  /** Looks for what became due by time, and for what nobody told us of. */
  async look(): Promise<void> {
    if (this.#stopped || this.#polling) return;
    this.#polling = true;
    try {
      for (const lane of this.#lanes.values()) lane.pump();
      this.due(await findDueEndpoints(this.#deps.pool, this.#deps.now()));
      this.#sweep();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'webhook queue not read');
    } finally {
      this.#polling = false;
    }
  }

  /** Gives back the endpoints that have nothing to do. */
  #sweep(): void {
    const idle = [...this.#lanes].filter(
      ([, lane]) => lane.done || (lane.idle && performance.now() - lane.idleSince > idleLimit),
    );
    for (const [id, lane] of idle) {
      lane.close();
      this.#lanes.delete(id);
    }
    if (idle.length > 0) this.#leases.release(idle.map(([id]) => id));
  }

  async #open(): Promise<void> {
    if (this.#opening || this.#stopped) return;
    this.#opening = true;
    try {
      while (this.#wanted.size > 0 && !this.#stopped) {
        this.#sweep();
        // A lane that was closed and still has something in flight is looked for again later.
        const wanted = [...this.#wanted].filter((id) => !this.#lanes.has(id));
        this.#wanted.clear();
        await this.#openLanes(await this.#leases.take(wanted));
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'webhook endpoints not opened');
    } finally {
      this.#opening = false;
    }
  }

  async #openLanes(held: readonly string[]): Promise<void> {
    if (held.length === 0) return;
    const opened = new Set<string>();
    try {
      for (const target of await this.#readTargets(held)) {
        if (!target.enabled || this.#stopped) continue;
        const lane = new Lane(target, this.#laneDeps);
        this.#lanes.set(target.id, lane);
        opened.add(target.id);
        lane.pump();
      }
    } finally {
      const rest = held.filter((id) => !opened.has(id));
      if (rest.length > 0) this.#leases.release(rest);
    }
  }

  #readTargets(ids: readonly string[]) {
    return readTargets(this.#deps.pool, this.#deps.key, ids, (endpointId, error) => {
      if (this.#unreadable.has(endpointId)) return;
      this.#unreadable.add(endpointId);
      this.#deps.log.error({ err: error, endpoint_id: endpointId }, 'signing secret not readable');
    });
  }

  /** The connection that holds the leases is gone, and with it they are: others may send already. */
  #lost(): void {
    for (const lane of this.#lanes.values()) lane.close();
    this.#lanes.clear();
  }

  readonly #laneDeps: LaneDeps = {
    client: { post: (...request) => this.#deps.client.post(...request) },
    now: () => this.#deps.now(),
    read: (target, after, held) => readDue(this.#deps.pool, target, this.#deps.now(), after, held),
    reload: async (id) => (await this.#readTargets([id]))[0] ?? null,
    record: (row) => this.#record(row),
    recordHealth: (target) => this.#recorder.health(target),
    switchOff: (target, reason) => switchOff(this.#deps.app, target, reason),
    enter: () => {
      this.#crowded = this.#inFlight >= places;
      if (!this.#crowded) this.#inFlight++;
      return !this.#crowded;
    },
    leave: () => {
      this.#inFlight--;
      if (!this.#crowded) return;
      this.#crowded = false;
      // Those that found no place, after the lane that has just left one.
      setImmediate(() => {
        for (const lane of this.#lanes.values()) lane.pump();
      });
    },
    mostUnrecorded: () => (performance.now() - this.#startedAt < slowStart.time ? slowStart.most : Infinity),
    failed: (error) => this.#deps.log.warn({ err: error }, 'webhook lane'),
  };

  async #record(row: AttemptRow): Promise<void> {
    await this.#recorder.attempt(row);
    if (row.next_attempt_at) this.#lookAt(row.next_attempt_at);
  }

  /** Repeats that are due before long are not left to the next look. */
  #lookAt(at: Date): void {
    const time = at.getTime();
    const delay = time - this.#deps.now().getTime();
    if (time >= this.#earlyAt || delay > 60_000 || this.#stopped) return;
    clearTimeout(this.#early);
    this.#earlyAt = time;
    this.#early = setTimeout(
      () => {
        this.#earlyAt = Infinity;
        void this.look();
      },
      Math.max(delay, 0) + 5,
    );
    this.#early.unref();
  }
}
