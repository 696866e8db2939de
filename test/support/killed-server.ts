import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.ts';

const projectDir = path.resolve(import.meta.dirname, '../..');

/** A server in a process of its own, over the demo company, that can be killed and started again. */
export class KilledServer {
  readonly url: string;
  readonly #env: Record<string, string>;
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #stopped = false;
  #readySince = 0;
  #ends = 0;

  private constructor(url: string, folder: string, env: Record<string, string>) {
    this.url = url;
    this.#folder = folder;
    this.#env = env;
  }

  static async over(databaseUrl: string, more: Record<string, string> = {}): Promise<KilledServer> {
    const port = await freePort();
    const folder = mkdtempSync(path.join(tmpdir(), 'parlour-kill-'));
    return new KilledServer(`http://127.0.0.1:${port}`, folder, {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      DEMO: '1',
      DEMO_TRAFFIC: '0',
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      RATE_LIMIT_PER_MINUTE: '1000000',
      SHUTDOWN_GRACE_SECONDS: '0',
      ...more,
    });
  }

  /** The demo company with its keys, made if need be. */
  async demo(): Promise<{ company: string; keys: { live: string; test: string } }> {
    let text = '';
    for await (const chunk of this.#spawn('demo', '--json').stdout ?? []) text += String(chunk);
    return JSON.parse(text) as Awaited<ReturnType<KilledServer['demo']>>;
  }

  start(): void {
    this.#readySince = 0;
    const child = this.#spawn('serve');
    child.stdout?.resume();
    child.once('exit', () => {
      if (child === this.#child && this.#readySince > 0) this.#ends++;
    });
    this.#child = child;
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#readySince = 0;
    this.#child?.kill(signal);
  }

  /** Waits until it serves; one that gives up its start, as without a database, is started again. */
  async ready(): Promise<void> {
    while (!(await this.answers()) && !this.#stopped) {
      if (this.#child?.exitCode !== null) this.start();
      await wait(20);
    }
    this.#readySince = performance.now();
  }

  /** When it was seen to serve since its last start, on the monotonic clock; 0 when it was not. */
  get readySince(): number {
    return this.#readySince;
  }

  /** How often it ended by itself while it served. */
  get ends(): number {
    return this.#ends;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Waits for its end. @returns its exit code */
  async exit(): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return child?.exitCode ?? null;
    return new Promise((resolve) => child.once('exit', resolve));
  }

  /** Kills it with -9 so many times, each time once it serves and a random moment later, and starts it again. */
  async killRepeatedly(times: number, done: () => boolean): Promise<void> {
    for (let kills = 0; kills < times && !done() && !this.#stopped; kills++) {
      await this.ready();
      await wait(200 + Math.random() * 600);
      this.kill();
      this.start();
    }
  }

  async answers(): Promise<boolean> {
    return fetch(`${this.url}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  stop(): void {
    this.#stopped = true;
    this.#child?.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #spawn(...args: string[]): ChildProcess {
    return spawn(process.execPath, [path.join(projectDir, 'server/main.ts'), ...args], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }
}
