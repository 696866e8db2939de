import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import pg from 'pg';
import { cpuOf, machineCpu, PostgresCpu } from './cpu.ts';
import type { LoadOrder, LoadRequest, LoadResult } from './load.ts';

export interface Side {
  name: string;
  url: string;
  pid: number;
  /** `application_name` of its connections to PostgreSQL begins so. */
  application: string;
}

/** One side in one round. CPU is in microseconds for each request. */
export interface Sample {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  /** The slowest of all. */
  most: number;
  server: number;
  postgres: number;
  /** Share of the machine that was busy with something else, 0 to 1. */
  foreign: number;
}

export interface Effort {
  connections: number;
  /** Of one round of one side. */
  seconds: number;
  rounds: number;
  /**
   * Requests of the round before, which does not count: so many, at least, until code is compiled and caches
   * are warm. There is no such round when it is 0.
   */
  warmUp: number;
}

/** Asks servers in turn and counts what each request costs. */
export class Meter {
  readonly #client: pg.Client;
  readonly #postgres: PostgresCpu;
  readonly #key: string;
  readonly #generator = fork(path.join(import.meta.dirname, 'load.ts'));
  /** Requests so far, so that what is numbered is never numbered twice. */
  #asked = 0;

  private constructor(client: pg.Client, postgres: PostgresCpu, key: string) {
    this.#client = client;
    this.#postgres = postgres;
    this.#key = key;
  }

  static async open(databaseUrl: string, key: string): Promise<Meter> {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'benchmark' });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return new Meter(client, new PostgresCpu(rows[0]?.pid ?? 0), key);
  }

  async close(): Promise<void> {
    this.#generator.kill();
    await this.#client.end();
  }

  /**
   * Rounds in which every side has its turn, each time in the other order, after a round that does not count.
   * @returns the samples of each side, in the order of `sides`
   */
  async compare(
    sides: readonly (Side & { requests: LoadRequest[] })[],
    { rounds, warmUp, ...effort }: Effort,
  ): Promise<Sample[][]> {
    const samples = sides.map((): Sample[] => []);
    for (let round = warmUp === 0 ? 1 : 0; round <= rounds; round++) {
      const order = [...sides.entries()];
      if (round % 2 === 1) order.reverse();
      for (const [place, side] of order) {
        const sample = await this.#measure(side, side.requests, {
          ...effort,
          atLeast: round === 0 ? warmUp : 1,
        });
        if (round > 0) samples[place]?.push(sample);
      }
    }
    return samples;
  }

  async #measure(
    side: Side,
    requests: LoadRequest[],
    effort: Pick<LoadOrder, 'connections' | 'seconds' | 'atLeast'>,
  ): Promise<Sample> {
    const others = await this.#connectionsOfOthers(side);
    const before = this.#read(side, others);
    const order = { url: side.url, key: this.#key, requests, first: this.#asked, ...effort };
    const result = await load(this.#generator, order);
    const after = this.#read(side, others);
    this.#asked += result.count + result.failures;
    if (result.failures > 0 || result.count === 0)
      throw new Error(
        `${side.name} failed ${result.failures} of ${result.count + result.failures} requests such as ` +
          `${requests[0]?.method} ${requests[0]?.path}: ${result.failure}`,
      );
    const spent = (name: keyof typeof before) => after[name] - before[name];
    const ours = spent('server') + spent('cluster') + spent('self') + result.cpu;
    return {
      requests: result.count,
      perSecond: result.count / result.seconds,
      p50: result.p50,
      p99: result.p99,
      most: result.most,
      server: spent('server') / result.count,
      postgres: spent('postgres') / result.count,
      foreign: Math.max(0, spent('busy') - ours) / Math.max(1, spent('all')),
    };
  }

  #read(side: Side, others: ReadonlySet<number>) {
    return {
      server: cpuOf(side.pid),
      postgres: this.#postgres.total(others),
      cluster: this.#postgres.total(),
      self: cpuOf(process.pid),
      ...machineCpu(),
    };
  }

  /** What the servers that are not measured do meanwhile is not on the bill. */
  async #connectionsOfOthers({ application }: Side): Promise<Set<number>> {
    const { rows } = await this.#client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE backend_type = 'client backend' AND NOT starts_with(application_name, $1)`,
      [application],
    );
    return new Set(rows.map(({ pid }) => pid));
  }
}

/** Has the load generator do one order; it ends only when something is wrong with it. */
export function load(generator: ChildProcess, order: LoadOrder): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('The load generator ended.'));
    generator.once('exit', ended);
    generator.once('message', (result: LoadResult) => {
      generator.off('exit', ended);
      resolve(result);
    });
    generator.send(order);
  });
}
