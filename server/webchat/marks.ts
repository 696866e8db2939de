import { WebchatMark } from '../../schema/webchat.ts';
import { webchatProviderId } from '../channels/webchat.ts';
import { applyStatus } from '../messages/status.ts';
import { notFound } from '../platform/errors.ts';
import { mutation } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { visitorOf } from './channel.ts';
import { contactOfVisitor } from './contact.ts';
import { unreadOf, visitorMessage } from './messages.ts';

/** Messages that one mark reaches back over; the widget's next mark takes the rest. */
const most = 100;

/** The widget has the message, and all before it. @returns how many the visitor has not seen */
export const markDelivered = mutation({ access: 'visitor', input: WebchatMark }, (ctx, { message }) =>
  mark(ctx, message, 'delivered'),
);

/** The visitor has seen the message, and all before it. @returns how many they have not seen */
export const markRead = mutation({ access: 'visitor', input: WebchatMark }, (ctx, { message }) =>
  mark(ctx, message, 'read'),
);

async function mark(ctx: WorkContext, id: string, status: 'delivered' | 'read'): Promise<number> {
  const contact = await contactOfVisitor(ctx);
  const newest = contact && (await visitorMessage(ctx, contact.id, id));
  if (!contact || !newest) throw notFound();
  const { channelId } = visitorOf(ctx);
  const below = status === 'read' ? ['sent', 'delivered'] : ['sent'];
  const waiting = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT id FROM messages
    WHERE company_id = ${ctx.companyId} AND contact_id = ${contact.id} AND channel_id = ${channelId}
      AND direction = 'outbound' AND status = ANY(${below}) AND (at, id) <= (${newest.at}::timestamptz, ${newest.id})
    ORDER BY at, id LIMIT ${most}`;
  for (const { id: reference } of waiting) {
    await applyStatus(
      ctx,
      { id: channelId },
      { providerId: webchatProviderId(reference), reference, status, at: ctx.now(), failure: null },
    );
  }
  return unreadOf(ctx, contact.id);
}
