import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Span } from './bench.ts';
import { type CpuProfile, type Frame, readCpuProfiles, samplesOf } from './cpu-profile.ts';
import type { Figures } from './figures.ts';

/** An operation or a trial and the time in which it was measured. */
export interface Profiled extends Span {
  name: string;
  /** Of each request; null for a trial, which has a server of its own and is told as a whole. */
  figures: Figures | null;
}

interface Share {
  name: string;
  /** In microseconds. */
  time: number;
  /** Of the time in which the process was busy, 0 to 1. */
  share: number;
}

const projectDir = path.resolve(import.meta.dirname, '../..');
const shown = 25;

/**
 * Writes a table for each operation: in which functions, and in which packages and folders, its time is spent.
 * @param profiles folder of what `--cpu-prof` has written, of each server by itself
 * @returns the tables
 */
export function writeProfiles(profiles: string, operations: readonly Profiled[], folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const read = readCpuProfiles(profiles);
  return operations.flatMap((operation) => {
    const [profile] = read.toSorted((a, b) => overlap(b, operation) - overlap(a, operation));
    if (!profile || overlap(profile, operation) === 0) return [];
    const table = markdown(operation, profile);
    const name = operation.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    writeFileSync(path.join(folder, `${name}.md`), table);
    return [table];
  });
}

/** Microseconds that both cover: of a server that was measured all of it, of the server of a trial all that it lived. */
function overlap({ startTime, timeDeltas }: CpuProfile, { from, to }: Span): number {
  const end = timeDeltas.reduce((sum, delta) => sum + delta, startTime);
  return Math.max(0, Math.min(end, to) - Math.max(startTime, from));
}

function markdown(operation: Profiled, profile: CpuProfile): string {
  const { name, figures } = operation;
  const told = ({ share, time }: Share) => {
    if (figures === null) return `${(time / 1_000).toFixed(0)} ms`;
    const us = share * figures.server;
    return us.toFixed(us < 10 ? 1 : 0);
  };
  const rows = (shares: readonly Share[]) =>
    shares
      .slice(0, shown)
      .map((one) => `| ${one.name} | ${(one.share * 100).toFixed(1)} % | ${told(one)} |`)
      .join('\n');
  const what =
    figures === null
      ? `the whole life of Parlour's
process in it, its start included`
      : `${figures.server.toFixed(0)} µs of CPU for each request in
Parlour's process, the profiler's own included, and ${figures.postgres.toFixed(0)} µs in PostgreSQL`;
  return `# ${name}: where the time goes

Made by \`npm run bench -- --profile --only "${name}"\`: ${what}. The time of a
function is its own, without those it calls.

| package or folder | share | ${figures === null ? 'time' : 'µs'} |
| --- | --- | --- |
${rows(sharesOf(profile, operation, placeOf))}

| function | share | ${figures === null ? 'time' : 'µs'} |
| --- | --- | --- |
${rows(sharesOf(profile, operation, functionOf))}
`;
}

/** Those with most of the time first. What the process waits is no part of it. */
function sharesOf(profile: CpuProfile, { from, to }: Span, nameOf: (frame: Frame) => string): Share[] {
  const names = new Map(
    profile.nodes.map(({ id, callFrame }) => [
      id,
      callFrame.functionName === '(idle)' ? null : nameOf(callFrame),
    ]),
  );
  const times = new Map<string, number>();
  let busy = 0;
  for (const { node, at, length } of samplesOf(profile)) {
    const name = names.get(node);
    if (at < from || at > to || name === null || name === undefined) continue;
    times.set(name, (times.get(name) ?? 0) + length);
    busy += length;
  }
  return [...times]
    .map(([name, time]) => ({ name, time, share: time / Math.max(1, busy) }))
    .toSorted((a, b) => b.share - a.share);
}

function functionOf({ functionName, url, lineNumber }: Frame): string {
  const name = functionName || '(anonymous)';
  return url === '' ? `\`${name}\`` : `\`${name}\` ${fileOf(url)}:${lineNumber + 1}`;
}

/** The package, or the folder of ours. */
function placeOf({ functionName, url }: Frame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'V8';
  const file = fileOf(url);
  const [, scope = ''] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  return scope || (file.startsWith('node:') ? 'Node' : path.dirname(file));
}

function fileOf(url: string): string {
  return url.startsWith('file:') ? path.relative(projectDir, fileURLToPath(url)) : url;
}
