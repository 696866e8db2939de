import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';

/** A block of code in a guide. The words after the language say how it is run; pages don't show them. */
export interface Block {
  language: string;
  code: string;
  /** Saved under this name instead of run. */
  file: string | undefined;
  /** Goes on while the rest runs; the next block waits until it has said this. */
  until: string | undefined;
  background: boolean;
  /** What was printed so far has these lines. */
  expect: boolean;
  /** Only a person can do this. */
  byHand: boolean;
}

const folder = path.resolve('docs/guides');

export const guideNames = readdirSync(folder).map((name) => path.basename(name, '.md'));

export function blocksOf(guide: string): Block[] {
  const text = readFileSync(path.join(folder, `${guide}.md`), 'utf8');
  return [...text.matchAll(/^```(\w+)(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', words = '', code = '']) => {
      const value = (name: string) => new RegExp(` ${name}=(\\S+)`).exec(words)?.[1];
      const says = (word: string) => words.split(' ').includes(word);
      return {
        language,
        code,
        file: value('file'),
        until: value('until'),
        background: says('background'),
        expect: says('expect'),
        byHand: says('by-hand'),
      };
    },
  );
}

const interpreters: Record<string, string> = { js: 'node', ts: 'node', python: 'python3' };
const endings: Record<string, string> = { js: 'mjs', ts: 'ts', python: 'py' };

/** A terminal in which one types what a guide says, in a folder of its own. */
export class Terminal {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'parlour-guide-'));
  readonly #shell: ChildProcess;
  readonly #replace: Record<string, string>;
  #output = '';
  #ended = false;
  #steps = 0;

  /**
   * @param replace what the guide says and what is true here, such as ports
   * @param modules the `node_modules` of the folder
   */
  constructor(environment: Record<string, string>, replace: Record<string, string>, modules: string) {
    this.#replace = replace;
    symlinkSync(modules, path.join(this.folder, 'node_modules'));
    const npx = path.join(this.folder, 'npx');
    const main = path.resolve('server/main.ts');
    writeFileSync(npx, `#!/bin/sh\nshift\nexec '${process.execPath}' '${main}' "$@"\n`);
    chmodSync(npx, 0o700);
    const paths = [this.folder, path.dirname(process.execPath), process.env['PATH']];
    this.#shell = spawn('bash', ['--noprofile', '--norc', '-e'], {
      cwd: this.folder,
      env: { HOME: this.folder, LOG_LEVEL: 'silent', ...environment, PATH: paths.join(':') },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#shell.stdout?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    this.#shell.on('exit', () => (this.#ended = true));
    this.#type(`exec 2>&1; set -m; trap 'for job in $(jobs -p); do kill -- -$job; done' EXIT`);
  }

  /** Types a block and waits until it is done, or has said what it is waited for. */
  async run(block: Block, meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    const code = Object.entries(this.#replace).reduce(
      (text, [from, to]) => text.replaceAll(from, to),
      block.code,
    );
    if (block.expect) {
      for (const line of code.trim().split('\n')) await expect.poll(() => this.#output).toContain(line);
      return;
    }
    if (block.file !== undefined) return writeFileSync(path.join(this.folder, block.file), code);
    const from = this.#output.length;
    const step = `step-${++this.#steps}`;
    this.#type(this.#command(block, code, step));
    const awaited = block.until ?? `done with ${step}`;
    const said = async () => {
      await meanwhile();
      const output = this.#output.slice(from);
      if (this.#ended) throw new Error(`The shell ended:\n${output}`);
      return output;
    };
    await expect.poll(said, { timeout: 120_000, interval: 100 }).toContain(awaited);
  }

  #command({ language, background }: Block, code: string, step: string): string {
    const done = `echo 'done with ${step}'`;
    if (language === 'sh') {
      writeFileSync(path.join(this.folder, `${step}.sh`), code);
      // What a block exports holds for the next; one that does not end by itself gets a shell of its own.
      const own = background && !/&\s*$/.test(code);
      return own ? `bash ${step}.sh </dev/null &` : `source ./${step}.sh </dev/null; ${done}`;
    }
    const name = `${step}.${endings[language] ?? language}`;
    writeFileSync(path.join(this.folder, name), code);
    const command = `${interpreters[language] ?? language} ${name} </dev/null`;
    return background ? `${command} &` : `${command}; ${done}`;
  }

  #type(line: string): void {
    this.#shell.stdin?.write(`${line}\n`);
  }

  async close(): Promise<void> {
    if (!this.#ended) {
      this.#shell.stdin?.end();
      await once(this.#shell, 'exit');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A port that nobody listens on, below those that systems give out by themselves. */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const probe = net.createServer();
    const free = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}
