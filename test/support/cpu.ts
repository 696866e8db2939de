/**
 * Milliseconds of CPU that the cheapest of some runs takes, server included: both are in this process. How long it
 * lasts says how busy the machine is; this says how much work it is.
 */
export async function cheapest(runs: number, work: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
