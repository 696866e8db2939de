import { WebchatHistory } from '../../schema/webchat.ts';
import type { Context } from '../platform/context.ts';
import { query } from '../platform/operation.ts';
import { visitorChannel, visitorOf } from './channel.ts';
import { contactOfVisitor } from './contact.ts';
import { presentToVisitor, unreadOf, visitorMessages, type VisitorMessage } from './messages.ts';

/** What the widget shows when it is opened. */
export interface WebchatSession {
  name: string | null;
  email: string | null;
  /** Oldest first. */
  messages: VisitorMessage[];
  /** Whether there are older ones. */
  hasMore: boolean;
  unread: number;
  /** Whether the company has read what the visitor wrote last. */
  seen: boolean;
  /** Where the subscription goes on: what is not among the messages comes after it. */
  sequence: number;
}

/** Messages unless asked otherwise. */
const usual = 30;

/** The visitor's own messages, and where to follow from. */
export const showSession = query(
  { access: 'visitor', input: WebchatHistory },
  async (ctx, { first = usual, before }): Promise<WebchatSession> => {
    await visitorChannel(ctx);
    // Before the messages: what comes in between is told twice, never not at all.
    const sequence = await settledSequence(ctx);
    const contact = await contactOfVisitor(ctx);
    const { name, email } = visitorOf(ctx);
    const none = { name, email, messages: [], hasMore: false, unread: 0, seen: false, sequence };
    if (!contact) return none;
    const rows = await visitorMessages(ctx, { contactId: contact.id, before, limit: first + 1 });
    const shown = rows.slice(0, first).reverse();
    return {
      ...none,
      messages: shown.map((row) => presentToVisitor(row, ctx)),
      hasMore: rows.length > first,
      unread: await unreadOf(ctx, contact.id),
      seen: await seenBy(ctx, contact.id),
    };
  },
);

async function settledSequence({ app }: Context): Promise<number> {
  const { rows } = await app.pool.query<{ sequence: string }>('SELECT event_horizon() - 1 AS sequence');
  return Number(rows[0]?.sequence ?? 0);
}

async function seenBy(ctx: Context, contactId: string): Promise<boolean> {
  const newest = await ctx.db.conversation.findFirst({
    where: { companyId: ctx.companyId, contactId, channelId: visitorOf(ctx).channelId },
    orderBy: [{ lastMessageAt: 'desc' }, { id: 'desc' }],
    select: { unreadCount: true },
  });
  return newest?.unreadCount === 0;
}
