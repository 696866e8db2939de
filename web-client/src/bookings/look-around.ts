import { queryClient, trpc } from '../app/trpc.ts';
import { type Busy, nextFree, withoutOwn } from './next-free.ts';

const day = 86_400_000;

/** What is in the way of a booking, and when there is room. */
export interface Clash {
  busy: Busy;
  free: Date | null;
}

/**
 * What an agent has at a time that was refused.
 * @param own the times that the booking has now; they are not in its own way
 * @returns null when the refusal had another reason
 */
export async function lookAround(
  agent: string,
  start: Date,
  minutes: number,
  own: Busy | null,
): Promise<Clash | null> {
  // No booking is longer than a day: from a day before, none that is in the way is cut.
  const from = new Date(start.getTime() - day);
  const to = new Date(start.getTime() + 14 * day);
  const found = await queryClient.fetchQuery(
    trpc.bookings.availability.queryOptions(
      { agent_email: agent, from: from.toISOString(), to: to.toISOString() },
      { staleTime: 0 },
    ),
  );
  const busy = withoutOwn(found.busy, own);
  const end = start.getTime() + minutes * 60_000;
  const first = busy.find(
    (slot) => Date.parse(slot.starts_at) < end && Date.parse(slot.ends_at) > start.getTime(),
  );
  return first ? { busy: first, free: nextFree(busy, start, minutes, to) } : null;
}
