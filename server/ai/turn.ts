import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import type { ContactRow } from '../contacts/columns.ts';
import { findChannel } from '../channels/service.ts';
import { findContact } from '../contacts/service.ts';
import { channelsWithAutoReply } from '../conversations/auto-reply.ts';
import { presenceOf } from '../conversations/presence.ts';
import type { ConversationRecord } from '../conversations/record.ts';
import type { Context } from '../platform/context.ts';
import { isAutomatic } from './automatic.ts';
import { holdRestarts, repliesPerHour } from './limits.ts';

const hour = 3_600_000;

/** A customer's message that is AI's to answer. */
export interface Turn {
  record: ConversationRecord;
  channel: ChannelRow;
  contact: ContactRow;
  /** An agent is writing, a machine wrote, or AI has said enough: the message may be handed over, not answered. */
  silent: boolean;
  /** How long the answer is held, in seconds. */
  holdSeconds: number;
}

/**
 * The turn that a message of a customer began; null when AI does not answer there, when the contact is blocked, or when
 * anybody has written since.
 */
export async function turnOf(
  ctx: Context,
  record: ConversationRecord,
  messageId: string,
): Promise<Turn | null> {
  if (record.status !== 'open' || record.aiAutoReply !== 'on') return null;
  if (!(await channelsWithAutoReply(ctx, [record.channelId])).has(record.channelId)) return null;
  const channel = await findChannel(ctx, record.channelId);
  const contact = await findContact(ctx, record.contactId);
  const said = await readMessage(ctx, record.id, messageId);
  if (!channel || !contact || contact.blocked || !said || said.passed) return null;
  const presence = (await presenceOf(ctx, [record.id])).get(record.id);
  const beingEdited = presence !== undefined && presence.holderId !== null;
  return {
    record,
    channel,
    contact,
    silent: beingEdited || isAutomatic(said.text) || said.replies >= repliesPerHour,
    holdSeconds: await holdOf(ctx, record.id),
  };
}

interface Said {
  text: string;
  /** Whether the customer or the company wrote something later; a broadcast does not count. */
  passed: boolean;
  /** Of AI, within the last hour. */
  replies: number;
}

async function readMessage(ctx: Context, conversationId: string, id: string): Promise<Said | null> {
  const since = new Date(ctx.now().getTime() - hour);
  const [said] = await ctx.db.$queryRaw<Said[]>`
    SELECT coalesce(asked.text, '') AS text,
      EXISTS (SELECT FROM messages later
        WHERE later.company_id = ${ctx.companyId} AND later.conversation_id = ${conversationId}
          AND later.at > asked.at AND later.author_type <> 'campaign' AND later.status <> 'cancelled') AS passed,
      (SELECT count(*)::int FROM messages reply
        WHERE reply.company_id = ${ctx.companyId} AND reply.conversation_id = ${conversationId}
          AND reply.at > ${since} AND reply.author_type = 'ai' AND reply.status NOT IN ('cancelled', 'failed')) AS replies
    FROM messages asked
    WHERE asked.company_id = ${ctx.companyId} AND asked.id = ${id} AND asked.direction = 'inbound'`;
  return said ?? null;
}

/**
 * As the company set it, from now on. Each new message of the customer starts it again, three times: then the moment
 * stays, so that whoever goes on writing gets an answer too.
 */
async function holdOf(ctx: Context, conversationId: string): Promise<number> {
  const { aiHoldSeconds } = await ctx.db.company.findUniqueOrThrow({
    where: { id: ctx.companyId },
    select: { aiHoldSeconds: true },
  });
  // The first one started the hold, the next three started it again.
  const [started, later] = await ctx.db.$queryRaw<{ at: Date }[]>`
    SELECT at FROM messages
    WHERE company_id = ${ctx.companyId} AND conversation_id = ${conversationId} AND direction = 'inbound'
      AND at > coalesce((SELECT max(at) FROM messages
        WHERE company_id = ${ctx.companyId} AND conversation_id = ${conversationId} AND direction = 'outbound'
          AND author_type IN ('agent', 'api', 'ai') AND status NOT IN ('cancelled', 'failed')), '-infinity')
    ORDER BY at OFFSET ${holdRestarts}::int LIMIT 2`;
  if (!started || !later) return aiHoldSeconds;
  const until = started.at.getTime() + aiHoldSeconds * 1_000;
  return Math.max(0, (until - ctx.now().getTime()) / 1_000);
}
