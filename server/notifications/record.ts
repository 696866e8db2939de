import { type Notification as Row, Prisma } from '../../prisma/generated/client/client.ts';
import { unreadMaximum } from '../../schema/notifications.ts';
import { actingUser } from '../conversations/action.ts';
import type { Context } from '../platform/context.ts';
import { isId } from '../platform/ids.ts';
import { columns } from '../platform/pagination.ts';

/** A notification with what its public record shows of other rows. */
export interface NotificationRecord extends Row {
  contactName: string | null;
  channelKind: string | null;
  text: string | null;
}

export const selectNotifications = Prisma.sql`
  SELECT ${columns(Prisma.NotificationScalarFieldEnum)} FROM notifications`;

/** Goes around a query of notification rows and adds thread, contact and text, in the same statement. */
export function withSubject({ companyId }: Context, rows: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT page.*, thread.channel_kind AS "channelKind", coalesce(note.text, message.text) AS text,
      CASE WHEN contact.deleted_at IS NULL THEN coalesce(contact.name, contact.phone, contact.email) ELSE 'Deleted contact' END AS "contactName"
    FROM (${rows}) AS page
    LEFT JOIN conversations thread ON thread.company_id = ${companyId} AND thread.id = page."conversationId"
    LEFT JOIN contacts contact ON contact.company_id = ${companyId} AND contact.id = thread.contact_id
    LEFT JOIN notes note ON note.company_id = ${companyId} AND note.id = page.data->>'note'
    LEFT JOIN messages message ON message.company_id = ${companyId} AND message.id = page.data->>'message'
    ORDER BY page."createdAt" DESC, page.id DESC`;
}

/** The acting user's notification, or null. */
export async function findNotification(ctx: Context, id: string): Promise<NotificationRecord | null> {
  if (!isId(id)) return null;
  const own = Prisma.sql`${selectNotifications}
    WHERE company_id = ${ctx.companyId} AND user_id = ${actingUser(ctx).id} AND id = ${id}`;
  const [row] = await ctx.db.$queryRaw<NotificationRecord[]>(withSubject(ctx, own));
  return row ?? null;
}

/** How many the acting user has not read; counting stops at `unreadMaximum`. */
export async function countUnread(ctx: Context): Promise<number> {
  const [row] = await ctx.db.$queryRaw<{ unread: number }[]>`
    SELECT count(*)::int AS unread FROM (
      SELECT FROM notifications
      WHERE company_id = ${ctx.companyId} AND user_id = ${ctx.principal.user?.id ?? ''} AND read_at IS NULL
      LIMIT ${unreadMaximum}) AS counted`;
  return row?.unread ?? 0;
}
