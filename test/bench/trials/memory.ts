import { fork } from 'node:child_process';
import path from 'node:path';
import { residentOf } from '../resident.ts';
import { load } from '../rounds.ts';
import { restOperations } from '../operations.ts';
import { readSamples } from '../samples.ts';
import type { Trial } from '../trial.ts';

/** Memory of a server that has as much to do as it can: with everything that the REST operations ask, in turn. */
export const memory: Trial = {
  name: 'memory',
  async run(place) {
    const operations = restOperations(await readSamples(place));
    const longest = Math.max(...operations.map(({ requests }) => requests.length));
    const requests = Array.from({ length: longest }, (_, n) =>
      operations.flatMap((operation) => operation.requests[n % operation.requests.length] ?? []),
    ).flat();
    const { url, pid } = await place.parlour();
    const generator = fork(path.join(import.meta.dirname, '../load.ts'));
    const sizes: number[] = [];
    const timer = setInterval(() => sizes.push(residentOf(pid)), place.small ? 20 : 1_000);
    try {
      const seconds = place.small ? 1 : place.minutes * 60;
      // Numbered where no operation has numbered: what is unique stays so.
      const first = 1_000_000_000;
      const result = await load(generator, {
        url,
        key: place.key,
        connections: 32,
        seconds,
        atLeast: 1,
        requests,
        first,
      });
      if (result.failures > 0) throw new Error(`${result.failures} requests failed: ${result.failure}`);
      const at = (share: number) => around(sizes, share);
      const how = `${place.small ? 0 : place.minutes} min, ${Math.round(result.count / result.seconds)} requests/s`;
      return [
        { name: 'memory at saturation', value: at(1) / 2 ** 20, unit: 'MB', goal: { most: 300 }, how },
        {
          name: 'memory, growth over the second half',
          value: (at(1) / at(0.5) - 1) * 100,
          unit: '%',
          goal: { most: 5 },
          how,
        },
      ];
    } finally {
      clearInterval(timer);
      generator.kill();
    }
  },
};

/** The middle of the tenth that ends at this share of the values: between two collections it goes up and down. */
function around(values: readonly number[], share: number): number {
  const end = Math.max(1, Math.round(values.length * share));
  const part = values.slice(Math.max(0, end - Math.ceil(values.length / 10)), end).toSorted((a, b) => a - b);
  return part[part.length >> 1] ?? Number.NaN;
}
