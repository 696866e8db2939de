import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** What `--cpu-prof` writes. Times are in microseconds. */
const CpuProfile = z.object({
  startTime: z.number(),
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
      children: z.array(z.number()).optional(),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});
export type CpuProfile = z.infer<typeof CpuProfile>;
export type Frame = CpuProfile['nodes'][number]['callFrame'];

/** All profiles in a folder: one of each process that has ended. */
export function readCpuProfiles(folder: string): CpuProfile[] {
  return readdirSync(folder).map((name) =>
    CpuProfile.parse(JSON.parse(readFileSync(path.join(folder, name), 'utf8'))),
  );
}

/** Of each sample the node and how long it stands for, up to the next one. */
export function* samplesOf({ startTime, samples, timeDeltas }: CpuProfile) {
  let at = startTime;
  for (const [index, node] of samples.entries()) {
    at += timeDeltas[index] ?? 0;
    yield { node, at, length: timeDeltas[index + 1] ?? 0 };
  }
}

/** Nodes in a function that is meant, or in what such a function calls. */
export function nodesWithin({ nodes }: CpuProfile, meant: (frame: Frame) => boolean): Set<number> {
  const within = new Set<number>();
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  for (const { id } of nodes) {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = frames.get(at);
      if (!frame || !meant(frame)) continue;
      within.add(id);
      break;
    }
  }
  return within;
}
