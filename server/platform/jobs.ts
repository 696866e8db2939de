import { fromPrisma, PgBoss } from 'pg-boss';
import type { Db } from './database.ts';
import type { Log } from './log.ts';

/** Every job by name, with its data. A job is enqueued in the transaction of the change that asks for it. */
export interface JobData {
  'idempotency.purge': Record<string, never>;
  'contacts.anonymise': Record<string, never>;
  /** Something waits to be sent in the conversation. */
  'messages.send': { companyId: string; conversationId: string };
}

export type JobName = keyof JobData;

interface EnqueueOptions {
  /** The open transaction; without it the job exists at once. */
  db?: Db;
  startAfter?: Date;
  singletonKey?: string;
}

const queueOptions = { heartbeatSeconds: 10 };

type Handler<N extends JobName> = (data: JobData[N]) => Promise<void>;

/** The queue, in the same PostgreSQL. A dead worker's jobs are taken over within seconds. */
export class Jobs {
  readonly #boss: PgBoss;
  readonly #log: Log;

  constructor(databaseUrl: string, log: Log) {
    this.#log = log;
    this.#boss = new PgBoss({
      connectionString: databaseUrl,
      max: 3,
      schema: 'jobs',
      application_name: 'parlour-jobs',
      useListenNotify: true,
      monitorIntervalSeconds: 5,
    });
    this.#boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  }

  async start(): Promise<void> {
    await this.#boss.start();
    // Requests enqueue it, also in a process that works on no queue.
    await this.#boss.createQueue('messages.send', queueOptions);
  }

  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: 20_000 });
  }

  /** Whether the queue answers. */
  async reachable(): Promise<boolean> {
    return (await this.#boss.schemaVersion()) !== null;
  }

  readonly enqueue = async <N extends JobName>(
    name: N,
    data: JobData[N],
    options: EnqueueOptions = {},
  ): Promise<void> => {
    const { db, startAfter, singletonKey } = options;
    await this.#boss.send(name, data, {
      ...(db ? { db: fromPrisma(db) } : {}),
      ...(startAfter ? { startAfter } : {}),
      ...(singletonKey ? { singletonKey } : {}),
    });
  };

  /** Many jobs of one kind in one statement. */
  readonly enqueueAll = async <N extends JobName>(
    name: N,
    all: readonly JobData[N][],
    { db }: Pick<EnqueueOptions, 'db'> = {},
  ): Promise<void> => {
    if (all.length === 0) return;
    const jobs = all.map((data) => ({ data }));
    await this.#boss.insert(name, jobs, db ? { db: fromPrisma(db) } : {});
  };

  /** Works on a queue in this process. Handlers are idempotent: a job may run again after a crash. */
  async work<N extends JobName>(name: N, handler: Handler<N>): Promise<void> {
    await this.#boss.createQueue(name, queueOptions);
    await this.#boss.work<JobData[N]>(name, async (jobs) => {
      for (const job of jobs) {
        await handler(job.data).catch((error: unknown) => {
          this.#log.error({ err: error, job: name, job_id: job.id }, 'job failed');
          throw error;
        });
      }
    });
  }

  /** Runs a job on a cron schedule, once over all processes. */
  async schedule(name: JobName, cron: string): Promise<void> {
    await this.#boss.schedule(name, cron);
  }
}
