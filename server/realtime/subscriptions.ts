import { z } from 'zod';
import { pathId } from '../../schema/common.ts';
import { eventScopes, resumable } from '../../schema/realtime.ts';
import type { TimelineEntry } from '../../schema/timeline.ts';
import { ConversationViewQuery } from '../../schema/views.ts';
import { conversationTargets, conversationExists, type ConversationRecord } from '../conversations/record.ts';
import { matchingConversations } from '../conversations/list.ts';
import { presenceOf, type PresenceState } from '../conversations/presence.ts';
import type { Announcement } from '../platform/announce.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import type { LogEntry } from '../platform/event-log.ts';
import { authorize, query } from '../platform/operation.ts';
import { holdCounters } from './counters.ts';
import { viewCondition } from '../views/standard.ts';
import { timelineEntryOf } from './entries.ts';
import { mayRead, readableFamilies } from './events.ts';
import { type Followed, follow, isResync, type Resync } from './follow.ts';
import { mapStream } from '../platform/streams.ts';

/** All events of the company that the caller may read, in the order of the log. */
export const followEvents = query(
  { access: eventScopes, input: z.object(resumable) },
  async (ctx, { after }) => {
    const source = await follow(ctx, { after, families: readableFamilies(ctx) });
    return mapStream(source, (item): { entry: LogEntry } | Resync | undefined => {
      authorize({ access: eventScopes }, ctx);
      if (isResync(item)) return item;
      return 'entry' in item && mayRead(ctx, item.entry.family) ? item : undefined;
    });
  },
);

/** What a conversation's timeline is told: an entry as it is now, new or changed. */
export interface TimelineChange {
  of: Followed;
  entry: TimelineEntry | null;
}

/** One for all who are told the same, so that what is told of it is made once. */
const changes = new WeakMap<Followed, TimelineChange>();

const ofThread = ['message', 'conversation', 'ai_suggestion'] as const;
const inbox = { access: 'inbox.access' } as const;

/** What happens in one conversation. Held and cancelled replies are told too, outside of the log. */
export const followTimeline = query(
  { ...inbox, input: z.object({ conversation: pathId, ...resumable }), targets: conversationTargets },
  async (ctx, { conversation, after }) => {
    if (!(await conversationExists(ctx, conversation))) throw notFound();
    const transient = (told: Announcement) =>
      told.conversation === conversation &&
      (told.type.startsWith('message.') || told.type === 'insights.updated' || told.type === 'typing');
    const source = await follow(ctx, { after, families: ofThread, conversation, transient });
    return mapStream(source, async (of): Promise<TimelineChange> => {
      authorize(inbox, ctx);
      if (isResync(of)) return { of, entry: null };
      const entry = await timelineEntryOf(ctx, conversation, of);
      const change = changes.get(of) ?? { of, entry };
      changes.set(of, change);
      return change;
    });
  },
);

/** What the inbox is told. */
export interface InboxChange {
  of: Followed;
  /** As the caller sees it now; null when the change is about no conversation. */
  conversation: ConversationRecord | null;
  /** Whether the list with these filters has it now. */
  matches: boolean;
  totalUnread: number | null;
  /** Who edits a conversation now, when that has changed. */
  presence: PresenceState | null;
}

const { limit: _limit, cursor: _cursor, sort: _sort, ...filters } = ConversationViewQuery.shape;
const inboxNews: ReadonlySet<string> = new Set(['counters.updated', 'agent.updated', 'presence.updated']);

/** Changes of conversations, who edits one, and the number on the badge, for a list with these filters. */
export const followInbox = query(
  { ...inbox, input: z.object({ ...filters, ...resumable }) },
  async (ctx, { after, view, ...input }) => {
    const more = view === undefined ? [] : [viewCondition(ctx, view)];
    const transient = ({ type }: Announcement) => inboxNews.has(type);
    const source = await follow(ctx, { after, families: ofThread, transient });
    const release = holdCounters(ctx.app, ctx.companyId);
    return mapStream(
      source,
      async (of): Promise<InboxChange | undefined> => {
        authorize(inbox, ctx);
        const none = { of, conversation: null, matches: false, totalUnread: null, presence: null };
        if (isResync(of)) return none;
        if ('announcement' in of) return { ...none, ...(await newsIn(ctx, of.announcement)) };
        const id = of.entry.conversationId;
        if (id === null) return undefined;
        const [found] = await matchingConversations(ctx, input, [id], more);
        return { ...none, conversation: found?.record ?? null, matches: found?.matches ?? false };
      },
      release,
    );
  },
);

async function newsIn(ctx: Context, told: Announcement): Promise<Partial<InboxChange>> {
  const { type, object, conversation } = told;
  if (type === 'counters.updated') return { totalUnread: Number(object['total_unread']) };
  if (type !== 'presence.updated' || conversation === null) return {};
  return { presence: (await presenceOf(ctx, [conversation])).get(conversation) ?? null };
}
