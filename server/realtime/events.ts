import { limits } from '../../schema/common.ts';
import { eventFamilies, type EventFamily } from '../../schema/events.ts';
import { EventListQuery, eventScopes } from '../../schema/realtime.ts';
import type { Context } from '../platform/context.ts';
import { invalidField } from '../platform/errors.ts';
import { type LogEntry, readLog } from '../platform/event-log.ts';
import { query } from '../platform/operation.ts';

/** Events oldest first, and where the next page begins. */
export interface EventPage {
  entries: LogEntry[];
  hasMore: boolean;
  nextAfter: number;
}

/** Families of the log that the caller may read now. */
export function readableFamilies({ principal }: Pick<Context, 'principal'>): EventFamily[] {
  return (Object.keys(eventFamilies) as EventFamily[]).filter((family) => mayRead({ principal }, family));
}

export function mayRead({ principal }: Pick<Context, 'principal'>, family: EventFamily): boolean {
  const { scope } = eventFamilies[family];
  return scope !== null && principal.grants.has(scope);
}

/**
 * The log after a sequence. `nextAfter` moves on also where the caller may read nothing, so that a quiet company's
 * client does not fall out of the retention.
 */
export const listEvents = query(
  { access: eventScopes, input: EventListQuery },
  async (ctx, { after = 0, limit = limits.page.default }): Promise<EventPage> => {
    const slice = await readLog(ctx.app.pool, {
      companies: [ctx.companyId],
      from: after + 1,
      families: readableFamilies(ctx),
      limit: limit + 1,
    });
    if (after > 0 && after < slice.purged) {
      throw invalidField(
        'after',
        'min',
        'Is older than what is kept: load the records anew, then go on without it.',
      );
    }
    const hasMore = slice.entries.length > limit;
    const entries = slice.entries.slice(0, limit);
    const last = hasMore ? entries.at(-1)?.sequence : undefined;
    return { entries, hasMore, nextAfter: last ?? Math.max(after, slice.horizon - 1) };
  },
);
