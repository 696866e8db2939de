import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

/** Debian's `pgbouncer`; tests that need it are skipped where it is not installed. */
const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((file) => existsSync(file));
export const hasPgbouncer = program !== undefined && spawnSync(program, ['--version']).status === 0;

/** A pgbouncer of one's own in transaction mode, before one database. */
export class OwnPgbouncer {
  readonly url: string;
  readonly #adminUrl: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(databaseUrl: string, port: number) {
    const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl);
    this.#folder = mkdtempSync(path.join(tmpdir(), 'parlour-pgbouncer-'));
    const file = path.join(this.#folder, 'pgbouncer.ini');
    const server = `host=${hostname} port=${serverPort} user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}`;
    writeFileSync(
      file,
      `[databases]
* = ${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
stats_users = any
pool_mode = transaction
default_pool_size = 4
`,
    );
    // It does not run as root, and whoever it runs as must read this.
    chmodSync(this.#folder, 0o755);
    const asNobody = process.getuid?.() === 0 ? ['--user', 'nobody'] : [];
    this.#child = spawn(program ?? '', ['--quiet', ...asNobody, file], { stdio: 'ignore' });
    this.url = `postgresql://any@127.0.0.1:${port}${pathname}`;
    this.#adminUrl = `postgresql://any@127.0.0.1:${port}/pgbouncer`;
  }

  /** Starts it; resolves when it answers. */
  static async before(databaseUrl: string): Promise<OwnPgbouncer> {
    const pooler = new OwnPgbouncer(databaseUrl, await freePort());
    while ((await pooler.transactions().catch(() => null)) === null) await wait(20);
    return pooler;
  }

  /** How many transactions went through it so far. */
  async transactions(): Promise<number> {
    const client = new pg.Client({ connectionString: this.#adminUrl });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ database: string; total_xact_count: string }>('SHOW STATS');
      return rows
        .filter(({ database }) => database !== 'pgbouncer')
        .reduce((sum, row) => sum + Number(row.total_xact_count), 0);
    } finally {
      await client.end().catch(() => {});
    }
  }

  close(): void {
    this.#child.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
