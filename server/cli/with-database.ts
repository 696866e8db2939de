import type { Config } from '../platform/config.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts';
import type { Log } from '../platform/log.ts';
import { migrate } from '../platform/migrate.ts';

/** Opens the database of this installation: DATABASE_URL, or the embedded one, attached to or started. */
export async function openDatabase(
  config: Config,
  log: Log,
): Promise<{ url: string; embedded: boolean; close(): Promise<void> }> {
  if (config.databaseUrl) return { url: config.databaseUrl, embedded: false, close: async () => {} };
  const embedded = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: (message) => log.info({ part: 'postgres' }, message),
  });
  return { url: embedded.url, embedded: true, close: () => embedded.stop() };
}

/** Runs `use` with a migrated database; an embedded one that nobody else uses is stopped afterwards. */
export async function withDatabase<T>(
  config: Config,
  log: Log,
  use: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(config, log);
  try {
    await migrate({ databaseUrl: database.url });
    return await use(database.url);
  } finally {
    await database.close();
  }
}
