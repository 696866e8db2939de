import { writeFileSync } from 'node:fs';

/** Loaded into a measured server with `--expose-gc`: told by SIGUSR2, it collects, and writes what it still holds. */
process.on('SIGUSR2', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(process.env['MEMORY_FILE'] ?? '', String(heapUsed + external));
});
