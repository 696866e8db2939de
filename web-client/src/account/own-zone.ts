import { queryClient } from '../app/trpc.ts';
import { profileQuery } from './use-profile.ts';

/** The zone that the agent has chosen; undefined for that of the browser, also where this one does not know it. */
export function ownZone(): string | undefined {
  const zone = queryClient.getQueryData(profileQuery().queryKey)?.data.timezone ?? undefined;
  return zone !== undefined && isKnown(zone) ? zone : undefined;
}

const known = new Map<string, boolean>();

function isKnown(zone: string): boolean {
  const before = known.get(zone);
  if (before !== undefined) return before;
  let answer = true;
  try {
    Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    answer = false;
  }
  known.set(zone, answer);
  return answer;
}
