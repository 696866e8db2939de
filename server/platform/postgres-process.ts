import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { PostgresLayout } from './postgres-layout.ts';
import { OperatorError } from './operator-error.ts';

const MIB = 1024 * 1024;

/*
 * As root the server runs as another user, who can't walk to a DATA_DIR below a private folder. It
 * inherits the opened folder as descriptor 3 instead: rights are checked at the folder, not on the way.
 */
const INHERITED_FOLDER = '/proc/self/fd/3';

function run(layout: PostgresLayout, program: string, args: string[], output: number): ChildProcess {
  const { user } = layout;
  if (user && !fs.existsSync('/proc/self/fd')) {
    throw new OperatorError(
      'PostgreSQL refuses to run as root; start Parlour as an ordinary user or set DATABASE_URL.',
    );
  }
  const folder = user ? fs.openSync(layout.files, 'r') : undefined;
  try {
    return spawn(path.join(layout.binaries, 'bin', program), args, {
      // Own process group: Ctrl-C in a terminal must not stop the database before the server has drained.
      detached: true,
      cwd: '/',
      stdio: ['ignore', output, output, ...(folder === undefined ? [] : [folder])],
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      ...user,
    });
  } finally {
    if (folder !== undefined) fs.closeSync(folder);
  }
}

/** A path inside `layout.files` as the PostgreSQL processes see it. */
function seenByServer(layout: PostgresLayout, name: string): string {
  return path.join(layout.user ? INHERITED_FOLDER : layout.files, name);
}

function withLog<T>(layout: PostgresLayout, use: (descriptor: number) => T): T {
  const descriptor = fs.openSync(layout.logFile, 'a', 0o600);
  layout.giveToOwner(layout.logFile);
  try {
    return use(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The last lines of the server's log, for error messages. */
export function logTail(layout: PostgresLayout, lines = 12): string {
  const text = fs.readFileSync(layout.logFile, 'utf8').trimEnd();
  return text.split('\n').slice(-lines).join('\n');
}

/** Makes the cluster: in a folder beside it that is renamed when complete, so a crash leaves no half of one. */
export async function initialiseCluster(layout: PostgresLayout, durable: boolean): Promise<void> {
  const draft = 'cluster.new';
  const passwordFile = path.join(layout.files, 'initial-password');
  fs.rmSync(path.join(layout.files, draft), { recursive: true, force: true });
  fs.rmSync(passwordFile, { force: true });
  fs.writeFileSync(passwordFile, `${layout.credentials.superuser}\n`, { mode: 0o600, flag: 'wx' });
  if (layout.user) fs.chownSync(passwordFile, layout.user.uid, layout.user.gid);
  const args = [
    ['-D', seenByServer(layout, draft), '-U', 'postgres'],
    [`--pwfile=${seenByServer(layout, 'initial-password')}`, '--auth=scram-sha-256'],
    // The same order and case rules on every machine and after every upgrade of the operating system.
    ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ['--no-instructions', ...(durable ? [] : ['--no-sync'])],
  ].flat();
  try {
    const child = withLog(layout, (descriptor) => run(layout, 'initdb', args, descriptor));
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new OperatorError(`initdb failed:\n${logTail(layout)}`);
  } finally {
    fs.rmSync(passwordFile, { force: true });
  }
  fs.renameSync(path.join(layout.files, draft), layout.cluster);
}

function settings(port: number, extra: Record<string, string>): string[] {
  const memory = os.totalmem();
  const mebibytes = (bytes: number, min: number, max: number): string =>
    `${Math.round(Math.min(Math.max(bytes / MIB, min), max))}MB`;
  const all: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // A socket's path may have 107 bytes at most, and a data folder may be anywhere: TCP only.
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: mebibytes(memory / 16, 64, 1024),
    effective_cache_size: mebibytes(memory / 2, 256, 16_384),
    work_mem: '8MB',
    maintenance_work_mem: mebibytes(memory / 32, 64, 512),
    jit: 'off',
    random_page_cost: '1.1',
    max_wal_size: '2GB',
    wal_compression: 'on',
    checkpoint_timeout: '15min',
    shared_preload_libraries: 'pg_stat_statements',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Statements and details carry customers' words; the log must not.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    ...extra,
  };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Starts the server process; it lives on without us until it is told to stop. */
export function spawnServer(
  layout: PostgresLayout,
  port: number,
  extra: Record<string, string>,
): ChildProcess {
  const args = ['-D', seenByServer(layout, 'cluster'), ...settings(port, extra)];
  const child = withLog(layout, (descriptor) => run(layout, 'postgres', args, descriptor));
  child.unref();
  return child;
}

/** True while the process exists; a dead one that nobody has reaped doesn't count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return process.platform !== 'linux';
  }
}

/* A postmaster works in its own data folder; another program that got a dead one's number does not. */
function worksIn(pid: number, cluster: string): boolean {
  if (process.platform !== 'linux') return true;
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(cluster);
  } catch {
    return false;
  }
}

/** What `postmaster.pid` says about a server that is really running; removes one that only looks so. */
export function runningServer(layout: PostgresLayout): { pid: number; port: number } | undefined {
  const file = path.join(layout.cluster, 'postmaster.pid');
  if (!fs.existsSync(file)) return undefined;
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  if (worksIn(pid, layout.cluster)) return { pid, port };
  // PostgreSQL itself would refuse to start, as it only asks whether a process has that number.
  fs.rmSync(file);
  return undefined;
}
