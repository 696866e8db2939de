import { type Message as MessageRow, Prisma } from '../../prisma/generated/client/client.ts';
import type { MessageTemplate } from '../../schema/messages.ts';
import { type MediaFields, mediaOf } from '../media/columns.ts';
import type { Context } from '../platform/context.ts';
import { isId } from '../platform/ids.ts';
import { columns, insertionOf } from '../platform/pagination.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';

/** The message that another one answers, as far as it is quoted. */
export interface QuotedMessage {
  id: string;
  text: string | null;
  authorType: string;
  authorName: string | null;
  authorEmail: string | null;
}

/** A message with what its public record shows of other rows. */
export interface MessageRecord extends Omit<MessageRow, 'template'> {
  template: MessageTemplate | null;
  channelKind: string;
  media: MediaFields | null;
  replyTo: QuotedMessage | null;
  feedbackId: string | null;
}

const columnsOfMessages = Prisma.sql`${columns(Prisma.MessageScalarFieldEnum)},
  (SELECT channels.kind FROM channels
    WHERE channels.company_id = messages.company_id AND channels.id = messages.channel_id) AS "channelKind",
  ${mediaOf('messages')} AS media,
  (SELECT json_build_object('id', quoted.id, 'text', left(quoted.text, 1000), 'authorType', quoted.author_type,
      'authorName', quoted.author_name, 'authorEmail', quoted.author_email)
    FROM messages quoted
    WHERE quoted.company_id = messages.company_id AND quoted.id = messages.reply_to_id) AS "replyTo",
  (SELECT ai_feedback.id FROM ai_feedback
    WHERE ai_feedback.company_id = messages.company_id AND ai_feedback.message_id = messages.id) AS "feedbackId"`;

export const selectMessages = Prisma.sql`SELECT ${columnsOfMessages} FROM messages`;

/** Makes the row and gives it as it is read, in one statement. */
export async function insertMessage(
  ctx: WorkContext,
  row: Prisma.MessageUncheckedCreateInput,
): Promise<MessageRecord> {
  const [message] = await ctx.db.$queryRaw<MessageRecord[]>`
    WITH made AS (${insertionOf('messages', row)} RETURNING *)
    SELECT ${columnsOfMessages} FROM made AS messages`;
  if (!message) throw new Error('No message was made.');
  return message;
}

/** What many messages may have that are made in one statement. */
export type PlainMessage = Pick<
  Prisma.MessageUncheckedCreateInput,
  | 'id'
  | 'conversationId'
  | 'contactId'
  | 'channelId'
  | 'type'
  | 'text'
  | 'mediaId'
  | 'template'
  | 'campaignId'
  | 'authorType'
  | 'authorId'
  | 'authorName'
  | 'authorEmail'
  | 'at'
>;

/** Makes the rows of outbound messages that wait to be sent, in one statement. */
export async function insertQueued(ctx: WorkContext, rows: readonly PlainMessage[]): Promise<void> {
  if (rows.length === 0) return;
  await ctx.db.$executeRaw`
    INSERT INTO messages (company_id, direction, status, id, conversation_id, contact_id, channel_id, type, text, media_id,
      template, campaign_id, author_type, author_id, author_name, author_email, at, created_at, updated_at)
    SELECT ${ctx.companyId}, 'outbound', 'queued', given.*, given.at, given.at
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given (id text, "conversationId" text, "contactId" text,
      "channelId" text, type text, text text, "mediaId" text, template jsonb, "campaignId" text, "authorType" text,
      "authorId" text, "authorName" text, "authorEmail" text, at timestamptz)`;
}

/** The message, or null when it is unknown to this company. */
export async function findMessage(ctx: Context, id: string): Promise<MessageRecord | null> {
  if (!isId(id)) return null;
  const rows = await ctx.db.$queryRaw<MessageRecord[]>`
    ${selectMessages} WHERE company_id = ${ctx.companyId} AND id = ${id}`;
  return rows[0] ?? null;
}

/** Messages by id, those that exist, in no particular order. */
export function findMessages(ctx: Context, ids: readonly string[]): Promise<MessageRecord[]> {
  return ctx.db.$queryRaw<MessageRecord[]>`
    ${selectMessages} WHERE company_id = ${ctx.companyId} AND id = ANY(${[...ids]})`;
}

export const messageTargets = {
  message: async (ctx: Context, id: string) => (await findMessage(ctx, id)) !== null,
};
