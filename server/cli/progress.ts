import { Presets, SingleBar } from 'cli-progress';
import type { Cli } from './cli.ts';

const LINE_EVERY_MS = 5_000;

export type Progress = {
  /** Counts `amount` more items (default 1). */
  add(amount?: number): void;
  /** Ends the display; safe to repeat. */
  stop(): void;
};

const count = (value: number): string => Math.round(value).toLocaleString('en');

function lines(title: string, total: number): Progress {
  const started = performance.now();
  let done = 0;
  let told = started;
  return {
    add(amount = 1) {
      done += amount;
      const now = performance.now();
      if (now - told < LINE_EVERY_MS) return;
      told = now;
      const rate = done / ((now - started) / 1000);
      const left = Math.ceil((total - done) / rate);
      process.stderr.write(`${title}: ${count(done)} of ${count(total)}, ${count(rate)}/s, ${left} s left\n`);
    },
    stop() {},
  };
}

function bar(title: string, total: number): Progress {
  const display = new SingleBar(
    {
      format: `${title} {bar} {count} of {all} | {rate}/s | {eta_formatted} left`,
      hideCursor: true,
      stream: process.stderr,
    },
    Presets.shades_classic,
  );
  const started = performance.now();
  let done = 0;
  const payload = (): object => ({
    count: count(done),
    all: count(total),
    rate: count(done / Math.max((performance.now() - started) / 1000, 0.001)),
  });
  display.start(total, 0, payload());
  return {
    add(amount = 1) {
      done += amount;
      display.update(done, payload());
    },
    stop: () => display.stop(),
  };
}

/**
 * Shows how far a long command is, on standard error: a bar with count, rate and time left on a
 * terminal, else a line every five seconds; nothing with `--json` or `--quiet`.
 */
export function startProgress(cli: Pick<Cli, 'quiet'>, title: string, total: number): Progress {
  if (cli.quiet) return { add() {}, stop() {} };
  return process.stderr.isTTY ? bar(title, total) : lines(title, total);
}
