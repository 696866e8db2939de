import { fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { cpuOf } from '../cpu.ts';
import { type CpuProfile, type Frame, nodesWithin, readCpuProfiles, samplesOf } from '../cpu-profile.ts';
import { load } from '../rounds.ts';
import type { Trial, TrialPlace } from '../trial.ts';

/** What a request goes through before its procedure, each with what it calls. None of them calls the procedure. */
const before: readonly RegExp[] = [
  /server\/http\/(?:front-door|observe|admission|authenticate|routes|accept)\.ts$/,
  /server\/http\/rest\.ts$/,
  /server\/platform\/operation\.ts$/,
];
const named = new Map([
  ['rest.ts', new Set(['inputOf'])],
  ['operation.ts', new Set(['authorize'])],
]);

/** How much CPU goes by before the procedure is called, by the profile of a server that has only such requests. */
export const middleware: Trial = {
  name: 'middleware',
  async run(place) {
    const profiles = path.join(place.folder, 'profiles');
    mkdirSync(profiles);
    const server = await place.parlour({}, [
      '--cpu-prof',
      `--cpu-prof-dir=${profiles}`,
      '--cpu-prof-interval=200',
    ]);
    // Until code is compiled it is another one that is measured.
    await ask(place, server.url, place.small ? 0.1 : 2);
    const from = performance.now();
    const spent = cpuOf(server.pid);
    const { count } = await ask(place, server.url, place.small ? 0.5 : 6);
    const each = (cpuOf(server.pid) - spent) / count;
    const length = performance.now() - from;
    await server.stop();
    const [profile] = readCpuProfiles(profiles);
    if (!profile) throw new Error('The server has left no profile.');
    return [
      {
        name: 'middleware before the procedure',
        value: shareOf(profile, length * 1_000) * each,
        unit: 'µs',
        goal: { most: 10 },
        how: `its share of the profile, of ${each.toFixed(0)} µs of CPU for a request to /me with the profiler on`,
      },
    ];
  },
};

async function ask(place: TrialPlace, url: string, seconds: number) {
  const generator = fork(path.join(import.meta.dirname, '../load.ts'));
  try {
    const requests = [{ method: 'GET' as const, path: '/api/v1/me' }];
    const order = { url, key: place.key, connections: 32, seconds, atLeast: 1, requests, first: 0 };
    const result = await load(generator, order);
    if (result.failures > 0) throw new Error(`${result.failures} requests failed: ${result.failure}`);
    return result;
  } finally {
    generator.kill();
  }
}

/** Of what the process was busy with in the last microseconds of its profile. */
function shareOf(profile: CpuProfile, last: number): number {
  const meant = nodesWithin(profile, isBefore);
  const idle = new Set(
    profile.nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id),
  );
  const samples = [...samplesOf(profile)].filter(({ node }) => !idle.has(node));
  const end = samples.at(-1)?.at ?? 0;
  const counted = samples.filter(({ at }) => at > end - last);
  const sum = (some: typeof counted) => some.reduce((total, { length }) => total + length, 0);
  return sum(counted.filter(({ node }) => meant.has(node))) / Math.max(1, sum(counted));
}

function isBefore({ url, functionName }: Frame): boolean {
  if (!before.some((pattern) => pattern.test(url))) return false;
  return named.get(path.basename(url))?.has(functionName) ?? true;
}
