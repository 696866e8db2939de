import type { Announcer } from './announcer.ts';
import type { Keyring } from './auth.ts';
import type { Catcher } from './catcher.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Cursors } from './cursor.ts';
import type { Database } from './database.ts';
import type { Feed } from './feed.ts';
import type { Jobs } from './jobs.ts';
import type { Log } from './log.ts';
import type { Notifications } from './notifications.ts';
import type { Sessions } from './sessions.ts';
import type { InSpan } from './spans.ts';
import type { Storage } from './storage.ts';

/** What is left of a caller's budget. */
export interface Budget {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number;
}

/** What lives as long as the process and every operation may use. Reached through the context. */
export interface Services {
  config: Config;
  databaseUrl: string;
  log: Log;
  clock: Clock;
  prisma: Database['prisma'];
  pool: Database['pool'];
  wall: Database['wall'];
  keys: Keyring;
  sessions: Sessions;
  cursors: Cursors;
  jobs: Jobs;
  feed: Feed;
  notifications: Notifications;
  announcer: Announcer;
  storage: Storage;
  /** Does work that is traced where requests are. */
  inSpan: InSpan;
  /** In the demo alone. */
  catcher: Catcher | null;
  /** What is left of a key's requests in this minute; asking counts nothing. */
  keyBudget(id: string): Promise<Budget>;
  /** Base of absolute links, without a final slash. */
  publicUrl(): string;
}
