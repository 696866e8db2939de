import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const SQLITE_BUSY = 5;

/*
 * Node has no flock(2). SQLite's file locks are kernel locks: they end with the process that holds
 * them, so a kill -9 leaves nothing stale and no process id is ever guessed at.
 */
function tryLock(file: string, statements: string[]): DatabaseSync | undefined {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    for (const statement of statements) database.exec(statement);
    return database;
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
}

const exclusive = ['BEGIN EXCLUSIVE'];
const shared = ['BEGIN', 'SELECT count(*) FROM sqlite_schema'];

/**
 * Waits until this process alone holds `file`; returns the function that gives it back.
 * Throws after `timeoutMs` milliseconds (default two minutes). Not for network file systems.
 */
export async function acquireLock(file: string, timeoutMs = 120_000): Promise<() => void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const held = tryLock(file, exclusive);
    if (held) return () => held.close();
    if (Date.now() > deadline) throw new Error(`Another process has held ${file} for ${timeoutMs / 1000} s.`);
    await sleep(40);
  }
}

/** Membership in the group of processes that use something; ends with the process at the latest. */
export type Membership = {
  /** Leaves the group; true when nobody else is in it. Call it, and `joinGroup`, under one lock. */
  leave(): boolean;
};

/** Joins the group of processes that share `file`. */
export function joinGroup(file: string): Membership {
  const held = tryLock(file, shared);
  if (!held) throw new Error(`${file} is locked by a process that ignores the start lock.`);
  return {
    leave() {
      held.close();
      const alone = tryLock(file, exclusive);
      alone?.close();
      return alone !== undefined;
    },
  };
}
