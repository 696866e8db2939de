import { z } from 'zod';
import { Prisma } from '../../prisma/generated/client/client.ts';
import { NotificationListQuery, NotificationPath, NotificationsRead } from '../../schema/notifications.ts';
import { actingUser } from '../conversations/action.ts';
import { announce } from '../platform/announce.ts';
import { notFound } from '../platform/errors.ts';
import { mutation, query } from '../platform/operation.ts';
import { newestFirst, type Page, readPage } from '../platform/pagination.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import {
  countUnread,
  findNotification,
  type NotificationRecord,
  selectNotifications,
  withSubject,
} from './record.ts';

const own = { access: 'any', dashboardOnly: true } as const;

export interface Bell extends Page<NotificationRecord> {
  unread: number;
}

/** The acting user's notifications, newest first, and how many are unread whatever the filter. */
export const listNotifications = query(
  { ...own, input: NotificationListQuery },
  async (ctx, input): Promise<Bell> => {
    const where = [Prisma.sql`user_id = ${actingUser(ctx).id}`];
    if (input.unread !== undefined)
      where.push(input.unread ? Prisma.sql`read_at IS NULL` : Prisma.sql`read_at IS NOT NULL`);
    const page = await readPage<NotificationRecord>(ctx, {
      list: 'notifications',
      select: selectNotifications,
      where,
      filters: input,
      sort: newestFirst,
      limit: input.limit,
      cursor: input.cursor,
      around: (rows) => withSubject(ctx, rows),
    });
    return { ...page, unread: await countUnread(ctx) };
  },
);

export const unreadNotifications = query({ ...own, input: z.object({}) }, async (ctx) => ({
  unread: await countUnread(ctx),
}));

export const readNotification = mutation(
  {
    ...own,
    unaudited: true,
    input: NotificationPath,
    targets: { notification: async (ctx, id) => (await findNotification(ctx, id)) !== null },
  },
  async (ctx, { notification }) => {
    const before = await findNotification(ctx, notification);
    if (!before) throw notFound();
    await markRead(ctx, { id: before.id });
    return (await findNotification(ctx, before.id)) ?? before;
  },
);

/** Marks all of the acting user's notifications as read, or those about one conversation. */
export const readNotifications = mutation(
  { ...own, unaudited: true, input: NotificationsRead },
  async (ctx, { conversation }) => {
    await markRead(ctx, conversation === undefined ? {} : { conversationId: conversation });
    return { unread: await countUnread(ctx) };
  },
);

/** Those that are unread; the user's other connections are told when there were any. */
async function markRead(ctx: WorkContext, which: Prisma.NotificationWhereInput): Promise<void> {
  const user = actingUser(ctx).id;
  const { count } = await ctx.db.notification.updateMany({
    where: { companyId: ctx.companyId, userId: user, readAt: null, ...which },
    data: { readAt: ctx.now() },
  });
  if (count === 0) return;
  announce(ctx, { type: 'notification.read', user, object: { unread: await countUnread(ctx) } });
}
