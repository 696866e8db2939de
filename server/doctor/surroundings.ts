import { existsSync } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';
import net from 'node:net';
import pg from 'pg';
import type { Config } from '../platform/config.ts';
import { pendingMigrations } from '../platform/migrate.ts';
import type { Finding, Violation } from './examine.ts';

/** What the house stands on. Yields what is wrong with it, in a sentence, or null. */
interface Ground {
  name: string;
  holds: string;
  /** What it is about, as the violation's id: a setting or a thing. */
  subject: string;
  wrong(config: Config, database: pg.Client, databaseUrl: string): Promise<string | null>;
}

/** The oldest versions that are supported. */
const oldest = { node: [20, 19], postgres: 15 } as const;

/** Space that must be left beside the data, in bytes. */
const room = 1024 ** 3;

/** How far this machine's clock and the database's may be apart, in milliseconds. */
const tolerance = 2_000;

/** Whoever holds the port has this long to say who it is, in milliseconds. */
const patience = 2_000;

/** Without it the invariants can't be asked for. */
export const schemaIsCurrent = 'schema-is-current';

const grounds: readonly Ground[] = [
  {
    name: 'node-is-supported',
    holds: `Node is ${oldest.node.join('.')} or newer.`,
    subject: 'node',
    wrong: async () => {
      const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
      const [least, lesser] = oldest.node;
      return major > least || (major === least && minor >= lesser) ? null : `is ${process.versions.node}`;
    },
  },
  {
    name: 'data-folder-is-private',
    holds: "The data folder, where there is one, is its owner's alone.",
    subject: 'DATA_DIR',
    wrong: async ({ dataDir }) => {
      if (!existsSync(dataDir)) return null;
      await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
      const mode = (await stat(dataDir)).mode & 0o777;
      return (mode & 0o077) === 0 ? null : `has mode ${mode.toString(8)}`;
    },
  },
  {
    name: 'disk-has-room',
    holds: 'At least 1 GiB is free where the data is.',
    subject: 'DATA_DIR',
    wrong: async ({ dataDir }) => {
      if (!existsSync(dataDir)) return null;
      const { bavail, bsize } = await statfs(dataDir);
      const free = bavail * bsize;
      return free >= room ? null : `${Math.floor(free / 1024 ** 2)} MiB are free`;
    },
  },
  {
    name: 'database-is-supported',
    holds: `PostgreSQL is ${oldest.postgres} or newer.`,
    subject: 'DATABASE_URL',
    wrong: async (_config, database) => {
      const { rows } = await database.query<{ version: string }>(
        "SELECT current_setting('server_version') AS version",
      );
      const version = rows[0]?.version ?? '';
      return Number.parseInt(version, 10) >= oldest.postgres ? null : `is ${version}`;
    },
  },
  {
    name: schemaIsCurrent,
    holds: 'All migrations are applied.',
    subject: 'schema',
    wrong: async (_config, _database, databaseUrl) => {
      const pending = await pendingMigrations(databaseUrl);
      return pending.length === 0 ? null : `${pending.join(', ')}: run parlour migrate`;
    },
  },
  {
    name: 'clocks-agree',
    holds: 'The clocks of this machine and of the database are within 2 seconds.',
    subject: 'clock',
    wrong: async (_config, database) => {
      const asked = Date.now();
      const { rows } = await database.query<{ now: Date }>('SELECT clock_timestamp() AS now');
      const answered = Date.now();
      const apart = (rows[0]?.now.getTime() ?? 0) - (asked + answered) / 2;
      // Within the time that the question took nothing is known.
      return Math.abs(apart) <= tolerance + (answered - asked) / 2
        ? null
        : `the database is ${Math.round(apart / 1000)} s ahead`;
    },
  },
  {
    name: 'port-is-ours',
    holds: 'The port is free, or Parlour answers there.',
    subject: 'PORT',
    wrong: async ({ host, port }) => {
      if (port === 0 || (await isFree(host, port)) || (await isOurs(host, port))) return null;
      return `another program has ${host}:${port}`;
    },
  },
];

/** How many there are, for whoever shows progress. */
export const groundCount = grounds.length;

/** Looks at what the house stands on: this machine, its settings and the database server. Changes nothing. */
export async function examineSurroundings(config: Config, databaseUrl: string): Promise<Finding[]> {
  const database = new pg.Client({ connectionString: databaseUrl, application_name: 'parlour doctor' });
  await database.connect();
  try {
    const findings: Finding[] = [];
    for (const { name, holds, subject, wrong } of grounds) {
      const detail = await wrong(config, database, databaseUrl).catch((error: Error) => error.message);
      const violations: Violation[] = detail === null ? [] : [{ company: null, id: subject, detail }];
      findings.push({ name, holds, count: violations.length, violations });
    }
    return findings;
  } finally {
    await database.end();
  }
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

async function isOurs(host: string, port: number): Promise<boolean> {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host;
  try {
    const answer = await fetch(`http://${name}:${port}/version`, { signal: AbortSignal.timeout(patience) });
    return ((await answer.json()) as { name?: unknown }).name === 'parlour';
  } catch {
    return false;
  }
}
