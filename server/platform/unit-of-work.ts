import { setTimeout as wait } from 'node:timers/promises';
import type { Prisma } from '../../prisma/generated/client/client.ts';
import type { Event } from '../../schema/events.ts';
import type { Context } from './context.ts';
import { databaseFault } from './database-errors.ts';
import type { Db } from './database.ts';
import {
  append,
  type Appending,
  appendingOf,
  type EventDraft,
  eventsChannel,
  type Notice,
} from './events.ts';
import { claimIdempotencyKey, lockOfKey, storeResponse } from './idempotency.ts';
import type { Jobs } from './jobs.ts';
import { type Ending, inTransaction } from './transaction.ts';

/** One open transaction and what will become true with it. */
export interface UnitOfWork {
  db: Db;
  /** Bodies of the events recorded so far, in order. */
  events: Event[];
  /** What is announced once it is committed. */
  notices: Notice[];
}

/** The context of a mutation. `emit` and `enqueue` take effect with the commit, or not at all. */
export interface WorkContext extends Context {
  work: UnitOfWork;
  emit(draft: EventDraft): void;
  enqueue: Jobs['enqueue'];
  enqueueAll: Jobs['enqueueAll'];
  /** A statement that writes, sent with the events at the end of the effect: no round trip of its own. */
  attach(statement: Prisma.Sql): void;
  /** What is announced to all processes by the commit itself: what may not be lost. No round trip of its own either. */
  notify(...notices: readonly Notice[]): void;
  /** What is announced to all processes right after the commit. */
  tell(...notices: readonly Notice[]): void;
  /** What this effect has emitted so far. */
  emitted(): readonly EventDraft[];
  /** Writes what was emitted and attached so far and returns all events of this work. Called at the end of every effect. */
  flush(): Promise<Event[]>;
}

const attempts = 4;
/** A transaction that takes longer than this is rolled back, in milliseconds. */
const timeout = 15_000;

/**
 * Runs `effect` in exactly one transaction that holds its rows, its events, its jobs and its idempotency record.
 * With a test key the same code runs and everything but the idempotency record is rolled back.
 * Deadlocks, serialisation failures and lost races for a unique value run the whole of it again, up to three times.
 */
export async function inUnitOfWork<T>(
  ctx: Context,
  effect: (ctx: WorkContext) => T | Promise<T>,
): Promise<T> {
  if (ctx.work) return inSavepoint(ctx, ctx.work, effect);
  for (let attempt = 1; ; attempt++) {
    const notices: Notice[] = [];
    try {
      const value = await inWall(ctx, lockOfKey(ctx), async (db, begun) => {
        const work: UnitOfWork = { db, events: [], notices };
        await claimIdempotencyKey(ctx, db, begun);
        if (ctx.principal.livemode) {
          const { value, rest } = await settle(ctx, work, effect, (made) => storeResponse(ctx, made));
          return { value, last: rest?.statement ?? null };
        }
        const value = await inSavepoint(ctx, work, effect);
        // Nothing of it has happened.
        notices.length = 0;
        const stored = appendingOf(ctx, [], 0, { writes: storeResponse(ctx, value), notices: [] });
        return { value, last: stored?.statement ?? null };
      });
      ctx.app.announcer.tell(notices);
      return value;
    } catch (error) {
      if (attempt >= attempts || !worthRetrying(error)) throw error;
      await wait(Math.random() * 20 * 2 ** attempt);
    }
  }
}

/** @param more statements that open it after role and company */
function inWall<T>(
  ctx: Context,
  more: string,
  run: (db: Db, begun: Promise<readonly object[]>) => Promise<Ending<T>>,
): Promise<T> {
  return inTransaction(ctx.app, ctx.app.wall.begin(ctx.companyId) + more, run, timeout);
}

/**
 * Deadlocks and serialisation failures go away. So does a unique value that another transaction took between our
 * check and our write: the second run sees it and says so, with the id of the record that has it.
 */
function worthRetrying(error: unknown): boolean {
  const kind = databaseFault(error)?.kind;
  return kind === 'retry' || kind === 'unique';
}

/**
 * Runs several units of work in one transaction that is always rolled back: a GraphQL request with a test key,
 * whose fields may read what its mutations wrote.
 */
export async function inRehearsal<T>(ctx: Context, run: (ctx: Context) => Promise<T>): Promise<T> {
  let value: { of: T } | undefined;
  try {
    await inWall(ctx, '', async (db) => {
      value = { of: await run({ ...ctx, db, work: { db, events: [], notices: [] } }) };
      throw rolledBack;
    });
  } catch (error) {
    if (error !== rolledBack) throw error;
  }
  if (!value) throw new Error('The rehearsal ended without a value.');
  return value.of;
}

const rolledBack = new Error('rolled back on purpose');

/** Inside an open transaction: keeps the rows of a rehearsal until its end, undoes them when the effect fails. */
async function inSavepoint<T>(
  ctx: Context,
  work: UnitOfWork,
  effect: (ctx: WorkContext) => T | Promise<T>,
): Promise<T> {
  const rehearsal = ctx.work !== null;
  await work.db.$executeRaw`SAVEPOINT effect`;
  try {
    const { value, rest } = await settle(ctx, work, effect);
    if (rest) work.events.push(...(await append(work.db, rest)));
    if (rehearsal) await work.db.$executeRaw`RELEASE SAVEPOINT effect`;
    else await work.db.$executeRaw`ROLLBACK TO SAVEPOINT effect`;
    return value;
  } catch (error) {
    await work.db.$executeRaw`ROLLBACK TO SAVEPOINT effect`;
    throw error;
  }
}

/**
 * Runs the effect, all but the writing of what it leaves to its end.
 * @param more what is to be written with that, when the value is known
 */
async function settle<T>(
  ctx: Context,
  work: UnitOfWork,
  effect: (ctx: WorkContext) => T | Promise<T>,
  more: (value: T) => readonly Prisma.Sql[] = () => [],
): Promise<{ value: T; rest: Appending | null }> {
  const drafts: EventDraft[] = [];
  const writes: Prisma.Sql[] = [];
  const notices: Notice[] = [];
  const later: Notice[] = [];
  let written = 0;
  const rest = () => {
    const fresh = drafts.slice(written);
    written = drafts.length;
    const beside = { writes: writes.splice(0), notices: notices.splice(0) };
    return appendingOf(ctx, fresh, work.events.length, beside);
  };
  const inner: WorkContext = {
    ...ctx,
    db: work.db,
    work,
    emit: (draft) => void drafts.push(draft),
    attach: (statement) => void writes.push(statement),
    notify: (...more) => void notices.push(...more),
    tell: (...more) => void later.push(...more),
    emitted: () => drafts,
    enqueue: (name, data, options) => ctx.app.jobs.enqueue(name, data, { ...options, db: work.db }),
    enqueueAll: (name, all) => ctx.app.jobs.enqueueAll(name, all, { db: work.db }),
    async flush() {
      const now = rest();
      if (now) work.events.push(...(await append(work.db, now)));
      return work.events;
    },
  };
  const value = await effect(inner);
  if (drafts.length > 0) work.notices.push({ channel: eventsChannel, text: ctx.companyId });
  work.notices.push(...later);
  writes.push(...more(value));
  return { value, rest: rest() };
}
