import { Prisma } from '../../prisma/generated/client/client.ts';
import type { Context } from '../platform/context.ts';
import { type MessageRecord, selectMessages } from '../messages/record.ts';
import { mediaUrl } from '../media/present.ts';
import { visitorOf } from './channel.ts';

/** A message as its visitor sees it: nothing of who works here but a first line of a signature. */
export interface VisitorMessage {
  id: string;
  /** The widget's own id of a message that this visitor sent. */
  clientId: string | null;
  fromVisitor: boolean;
  /** Who answered; null for the company itself. */
  author: string | null;
  /** Written by no person. */
  automated: boolean;
  text: string | null;
  media: {
    url: string;
    kind: string;
    mimeType: string;
    size: number;
    filename: string;
  } | null;
  /** received · sent · delivered · read */
  status: string;
  at: Date;
}

/** What the visitor may see of a thread: their own messages, and those that have left the house. */
const visible = Prisma.sql`(direction = 'inbound' OR status IN ('sent', 'delivered', 'read'))`;

interface Place {
  contactId: string;
  /** Older than this message. */
  before?: string | undefined;
  limit: number;
}

/** The visitor's messages, newest first, through all their conversations on the channel. */
export function visitorMessages(ctx: Context, { contactId, before, limit }: Place): Promise<MessageRecord[]> {
  const { channelId } = visitorOf(ctx);
  const older =
    before === undefined
      ? Prisma.empty
      : Prisma.sql`AND (at, id) < (
          SELECT at, id FROM messages WHERE company_id = ${ctx.companyId} AND contact_id = ${contactId} AND id = ${before})`;
  return ctx.db.$queryRaw<MessageRecord[]>`
    ${selectMessages} WHERE company_id = ${ctx.companyId} AND contact_id = ${contactId} AND channel_id = ${channelId}
      AND ${visible} ${older}
    ORDER BY at DESC, id DESC LIMIT ${limit}`;
}

/** One of the visitor's own messages, or null: what is somebody else's looks like what is not there. */
export async function visitorMessage(
  ctx: Context,
  contactId: string,
  id: string,
): Promise<MessageRecord | null> {
  const { channelId } = visitorOf(ctx);
  const rows = await ctx.db.$queryRaw<MessageRecord[]>`
    ${selectMessages} WHERE company_id = ${ctx.companyId} AND id = ${id} AND contact_id = ${contactId}
      AND channel_id = ${channelId} AND ${visible}`;
  return rows[0] ?? null;
}

/** How many answers the visitor has not seen, at most 100. */
export async function unreadOf(ctx: Context, contactId: string): Promise<number> {
  const { channelId } = visitorOf(ctx);
  const rows = await ctx.db.$queryRaw<unknown[]>`
    SELECT 1 FROM messages
    WHERE company_id = ${ctx.companyId} AND contact_id = ${contactId} AND channel_id = ${channelId}
      AND direction = 'outbound' AND status IN ('sent', 'delivered') LIMIT 100`;
  return rows.length;
}

export function presentToVisitor(row: MessageRecord, ctx: Context): VisitorMessage {
  const { media } = row;
  const fromVisitor = row.direction === 'inbound';
  const own = `${visitorOf(ctx).id}:`;
  const person = row.authorType === 'agent' || row.authorType === 'api';
  return {
    id: row.id,
    clientId: row.providerId?.startsWith(own) ? row.providerId.slice(own.length) : null,
    fromVisitor,
    // A key signs as `Ana (API: Zapier)`; whose tools they are is not for visitors.
    author: person && !fromVisitor ? (row.authorName?.replace(/ \(API: .*\)$/s, '') ?? null) : null,
    automated: !fromVisitor && !person,
    text: row.text,
    media: media && {
      url: mediaUrl(ctx.app, media),
      kind: media.kind,
      mimeType: media.mimeType,
      size: media.size,
      filename: media.filename,
    },
    status: row.status,
    at: row.at,
  };
}
