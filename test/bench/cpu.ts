import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU in hundredths of a second. */
const microsecondsPerTick = 10_000;

interface Stat {
  parent: number;
  /** User and system, in microseconds. */
  own: number;
  /** Of children that ended and were waited for. */
  ended: number;
}

function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program may hold anything, so the fields are counted from behind it.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = (first: number) => ((fields[first] ?? 0) + (fields[first + 1] ?? 0)) * microsecondsPerTick;
    return { parent: fields[1] ?? 0, own: ticks(11), ended: ticks(13) };
  } catch {
    return null;
  }
}

/** CPU time that a process has used so far, all its threads, in microseconds. */
export function cpuOf(pid: number): number {
  return statOf(pid)?.own ?? 0;
}

/** CPU time of a server of PostgreSQL: its first process and each of its children, those that ended included. */
export class PostgresCpu {
  readonly #postmaster: number;

  /** @param backend pid of any of its connections, on this machine */
  constructor(backend: number) {
    const stat = statOf(backend);
    if (!stat) throw new Error('The PostgreSQL does not run on this machine, or this is no Linux.');
    this.#postmaster = stat.parent;
  }

  /** @param without pids of connections that are not to count */
  total(without: ReadonlySet<number> = new Set()): number {
    const first = statOf(this.#postmaster);
    let sum = (first?.own ?? 0) + (first?.ended ?? 0);
    for (const entry of readdirSync('/proc')) {
      const pid = Number(entry);
      if (!Number.isInteger(pid) || without.has(pid)) continue;
      const stat = statOf(pid);
      if (stat?.parent === this.#postmaster) sum += stat.own;
    }
    return sum;
  }
}

/** What the whole machine has done since it started, over all its cores, in microseconds. */
export function machineCpu(): { busy: number; all: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  // user, nice, system, idle, iowait, irq, softirq, steal
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  const all = ticks.reduce((sum, value) => sum + value, 0) * microsecondsPerTick;
  return { all, busy: all - ((ticks[3] ?? 0) + (ticks[4] ?? 0)) * microsecondsPerTick };
}
