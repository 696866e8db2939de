import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { residentOf } from './resident.ts';
import type { TrialPlace } from './trial.ts';

/** Memory of a process, in bytes. */
interface Memory {
  /** What its objects take after a collection. */
  held: number;
  /** What it has of the machine then. */
  resident: number;
}

/** A server that can be asked what it holds. What it has of the machine says little of a few sockets: garbage stays in it. */
export async function startWeighed(
  place: TrialPlace,
): Promise<{ url: string; pid: number; memory(): Promise<Memory> }> {
  const file = path.join(place.folder, 'memory');
  const flags = ['--expose-gc', '--import', path.join(import.meta.dirname, 'collect.ts')];
  const { url, pid } = await place.parlour({ MEMORY_FILE: file }, flags);
  return {
    url,
    pid,
    async memory() {
      rmSync(file, { force: true });
      process.kill(pid, 'SIGUSR2');
      const end = performance.now() + 30_000;
      for (;;) {
        const held = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
        if (held > 0) return { held, resident: residentOf(pid) };
        if (performance.now() > end) throw new Error('The server does not say what it holds.');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}
