import type { Report, Settings } from './hunt.ts';

/** How `npm run fuzz` says what it is asked for; a run without it is the small one, always the same. */
export function settingsOf(env: NodeJS.ProcessEnv): Settings & { timeout: number } {
  const calls = Number(env['FUZZ_CALLS'] ?? 600);
  const seed = Number(env['FUZZ_SEED'] ?? 20_261_128);
  const only = env['FUZZ_ONLY'];
  return { calls, seed, timeout: 120_000 + calls * 400, ...(only === undefined ? {} : { only }) };
}

/** What a run has found, for people to read. */
export function summary(
  { seed }: Settings,
  { calls, faults, statuses, slow, overloaded, operations, never }: Report,
): string {
  const lines = [
    `\nfuzz: ${calls} calls of ${operations} operations, seed ${seed}: ${faults.length} faults, ${slow.length} over 2 s, ${overloaded} while overloaded`,
    `  ${Object.entries(statuses)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ')}`,
    ...(never.length > 0 ? [`  without success: ${never.join(', ')}`] : []),
    ...slow.slice(0, 20).map((one) => `  slow: ${one}`),
    ...faults.map(({ what, plan }) => `  ${what}\n    ${plan}`),
  ];
  return `${lines.join('\n')}\n`;
}
