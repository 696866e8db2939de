import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientBase } from 'pg';
import { fromPrisma, type JobResult, PgBoss } from 'pg-boss';
import type { Db } from './database.ts';
import type { Log } from './log.ts';
import { type Facts, type InSpan, untraced } from './spans.ts';

/** Every job by name, with its data. A job is enqueued in the transaction of the change that asks for it. */
export interface JobData {
  'idempotency.purge': Record<string, never>;
  'contacts.anonymise': Record<string, never>;
  /** Somebody asked that nothing of the contact is kept. */
  'contacts.erase': { companyId: string; contactId: string };
  /** Removes what companies keep no longer. */
  'privacy.retain': Record<string, never>;
  /** Companies that were closed long enough ago. */
  'companies.erase': Record<string, never>;
  'audit.seal': Record<string, never>;
  'events.purge': Record<string, never>;
  'media.cleanup': Record<string, never>;
  'sessions.purge': Record<string, never>;
  /** A mail to a teammate. Its text is sealed: it may hold a link that opens an account. */
  'mail.send': { id: string; to: string; subject: string; sealed: string };
  'webhooks.tidy': Record<string, never>;
  'requests.purge': Record<string, never>;
  /** Something waits to be sent in the conversation. */
  'messages.send': { companyId: string; conversationId: string };
  /** A campaign's messages wait to be sent in these conversations. */
  'campaigns.send': { companyId: string; conversationIds: string[] };
  /** The hold of some message in the conversation has ended. */
  'messages.release': { companyId: string; conversationId: string };
  /** A contact was blocked: what is held for them is cancelled. */
  'messages.cancel': { companyId: string; contactId: string };
  /** Looks for holds whose job was lost. */
  'messages.sweep': Record<string, never>;
  /** The customer wrote: AI reads the conversation anew. */
  'ai.insights': { companyId: string; conversationId: string };
  /** Conversations wait for an agent, or an agent is free. */
  'automation.assign': { companyId: string };
  /** A customer wrote outside of the business hours. */
  'automation.away': { companyId: string; conversationId: string; messageId: string };
  /** A conversation was closed, at that moment; its customer may be asked for a rating. */
  'automation.rating': { companyId: string; conversationId: string; closedAt: string };
  /** Looks for what waits for an agent without a job that would tell. */
  'automation.sweep': Record<string, never>;
  /** Closes what customers left unanswered. */
  'automation.close': Record<string, never>;
  /** A provider told us something; what, only the channel's adapter can read. */
  'channels.received': { companyId: string; channelId: string; payload: object };
  /** A channel's provider, or that of every channel, is asked what templates it has approved. */
  'channels.templates': { channelId?: string };
  /** An e-mail came in, and lies in the store as it came. */
  'email.received': {
    companyId: string;
    channelId: string;
    letter: { key: string; size: number; sha256: string };
  };
  /** The file of a message that could not be had at once. */
  'channels.media': {
    companyId: string;
    channelId: string;
    messageId: string;
    media: { reference: string; mimeType: string; filename: string | null; sticker?: boolean };
    caption: string;
  };
  /** A customer wrote where AI answers by itself. */
  'ai.reply': { companyId: string; conversationId: string; messageId: string };
  'ai.expire': Record<string, never>;
}

export type JobName = keyof JobData;

/** Name of the job or timer that this asynchronous call belongs to; undefined in a request. */
export const runningJob = new AsyncLocalStorage<JobName | 'campaigns' | 'mailboxes'>();

interface EnqueueOptions {
  /** The open transaction; without it the job exists at once. */
  db?: Db;
  startAfter?: Date;
  singletonKey?: string;
}

/** Tried again after 1, 2, 4 … seconds, for about a quarter of an hour. */
const queueOptions = {
  heartbeatSeconds: 10,
  notify: true,
  retryLimit: 10,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 300,
};
const batchSize = 20;
/** Queues that requests and other jobs add to. */
export const enqueued = [
  'contacts.erase',
  'messages.send',
  'campaigns.send',
  'messages.release',
  'messages.cancel',
  'mail.send',
  'channels.received',
  'channels.media',
  'channels.templates',
  'email.received',
  'ai.insights',
  'ai.reply',
  'automation.assign',
  'automation.away',
  'automation.rating',
] as const satisfies JobName[];

interface WorkOptions {
  /** Jobs that this process works on at a time; with more than one, jobs are fetched in batches. */
  concurrency?: number;
  /** The queue has jobs that start at a moment; they start within a second of it. */
  timed?: boolean;
}

type Handler<N extends JobName> = (data: JobData[N]) => Promise<void>;

/** The queue, in the same PostgreSQL. A dead worker's jobs are taken over within seconds. */
export class Jobs {
  readonly #boss: PgBoss;
  readonly #log: Log;
  readonly #inSpan: InSpan;

  constructor(databaseUrl: string, log: Log, inSpan = untraced) {
    this.#log = log;
    this.#inSpan = inSpan;
    this.#boss = new PgBoss({
      connectionString: databaseUrl,
      max: 3,
      schema: 'jobs',
      application_name: 'parlour-jobs',
      // Each fetch goes through an index. A plan made while the queue was short would read all of it once it is long.
      options: '-c enable_seqscan=off',
      useListenNotify: true,
      monitorIntervalSeconds: 5,
    });
    this.#boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  }

  async start(): Promise<void> {
    await this.#boss.start();
    await this.#plan();
    // Requests enqueue these, also in a process that works on no queue.
    for (const name of enqueued) await this.#boss.createQueue(name, queueOptions);
  }

  /**
   * A queue is mostly empty, and statistics of that moment say that a name has no jobs: with thousands that come at once
   * a fetch then read all of them for each job, 168 ms instead of 1. Without statistics of names it looks jobs up by id.
   */
  async #plan(): Promise<void> {
    await this.#boss.getDb().executeSql(`DO $$ BEGIN
      IF (SELECT attstattarget FROM pg_attribute WHERE attrelid = 'jobs.job_common'::regclass AND attname = 'name')
        IS DISTINCT FROM 0 THEN
        ALTER TABLE jobs.job_common ALTER COLUMN name SET STATISTICS 0;
      END IF;
    END $$`);
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

  /** A job of a backup, in the open transaction of a client. */
  async restore(
    client: ClientBase,
    name: string,
    data: object,
    startAfter: Date,
    singletonKey: string | null,
  ): Promise<void> {
    const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
    await this.#boss.send(name, data, { db, startAfter, ...(singletonKey === null ? {} : { singletonKey }) });
  }

  /** Works on a queue in this process. Handlers are idempotent: a job may run again after a crash. */
  async work<N extends JobName>(
    name: N,
    handler: Handler<N>,
    { concurrency = 1, timed = false }: WorkOptions = {},
  ): Promise<void> {
    await this.#boss.createQueue(name, queueOptions);
    const options = {
      perJobResults: true as const,
      // Between two fetches it waits, unless a batch was full: so a batch is what makes a long queue short.
      batchSize: concurrency === 1 ? 1 : batchSize,
      burstWhenBatchFull: true,
      localConcurrency: Math.min(concurrency, 2),
      // Nobody is notified when the time of a job has come: those are looked for.
      ...(timed ? { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 1 } : {}),
    };
    await this.#boss.work<JobData[N]>(name, options, async (jobs) => {
      const waiting = [...jobs];
      const results: JobResult[] = [];
      const lane = async (): Promise<void> => {
        for (let job = waiting.shift(); job; job = waiting.shift())
          results.push(await this.#run(name, job, handler));
      };
      await Promise.all(Array.from({ length: Math.ceil(concurrency / 2) }, lane));
      return results;
    });
  }

  /** A job that fails is tried again by the queue; the others of its batch are done all the same. */
  async #run<N extends JobName>(
    name: N,
    { id, data }: { id: string; data: JobData[N] },
    handler: Handler<N>,
  ): Promise<JobResult> {
    const facts: Facts = { 'messaging.system': 'pg-boss', 'messaging.destination.name': name };
    if ('companyId' in data) facts['parlour.company_id'] = data.companyId;
    try {
      await this.#inSpan({ name: `job ${name}`, kind: 'consumer', facts }, () =>
        runningJob.run(name, () => handler(data)),
      );
      return { id, status: 'completed' };
    } catch (error) {
      this.#log.error({ err: error, job: name, job_id: id }, 'job failed');
      return {
        id,
        status: 'failed',
        output: { message: error instanceof Error ? error.message : String(error) },
      };
    }
  }

  /** Runs a job on a cron schedule, once over all processes. */
  async schedule(name: JobName, cron: string): Promise<void> {
    await this.#boss.schedule(name, cron, {});
  }
}
