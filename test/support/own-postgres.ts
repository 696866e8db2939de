import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../server/platform/embedded-postgres.ts';
import { migrate } from '../../server/platform/migrate.ts';
import { isAlive } from '../../server/platform/postgres-process.ts';

/** A PostgreSQL of one's own, migrated, that may be hurt. */
export interface OwnPostgres {
  url: string;
  /** Ends it as a crash would (`pg_ctl stop -m immediate`); resolves when it, started again, takes connections. */
  crash(): Promise<void>;
  /** Stops all its processes where they are, as a machine that hangs would. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/**
 * Commits survive its crash, though not that of the machine: `fsync` is off.
 * @param dataDir where its files are, and are removed from; a new folder unless given
 */
export async function openOwnPostgres(
  dataDir = mkdtempSync(path.join(tmpdir(), 'parlour-own-')),
): Promise<OwnPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
  await migrate({ databaseUrl: server.url });
  const pidFile = path.join(dataDir, 'postgres/files/cluster/postmaster.pid');
  const postmaster = () => Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  const signal = (name: NodeJS.Signals) => {
    const first = postmaster();
    for (const pid of [first, ...childrenOf(first)]) process.kill(pid, name);
  };
  return {
    url: server.url,
    async crash() {
      const pid = postmaster();
      process.kill(pid, 'SIGQUIT');
      while (isAlive(pid)) await wait(10);
      // Whoever started it sees that it is gone and starts it again.
      while (!(await answers(server.url))) await wait(20);
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async close() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        return false;
      }
    });
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
