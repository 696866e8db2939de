import type { EventPage } from './events.ts';

export function presentEvents({ entries, hasMore, nextAfter }: EventPage) {
  return {
    data: entries.map(({ event }) => event),
    meta: { has_more: hasMore, next_after: nextAfter },
  };
}
