import { z } from 'zod';
import type { Context } from '../platform/context.ts';
import { mutation } from '../platform/operation.ts';
import { type Act, actOnOne, conversationPath } from './action.ts';
import { type ConversationRecord, conversationTargets } from './record.ts';
import { changeConversations } from './thread.ts';

/** Those of the channels on which AI answers: switched on for the company and for the channel. */
export async function channelsWithAutoReply(
  ctx: Context,
  channelIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT channels.id FROM channels JOIN companies ON companies.id = channels.company_id
    WHERE channels.company_id = ${ctx.companyId} AND channels.id = ANY(${[...new Set(channelIds)]})
      AND channels.ai_auto_reply AND companies.ai_auto_reply AND companies.ai_enabled`;
  return new Set(rows.map(({ id }) => id));
}

/** What becomes of AI replies that were paused for a person, by conversation: on, where they are switched on. */
export async function resumedAutoReplies(
  ctx: Context,
  records: readonly ConversationRecord[],
): Promise<ReadonlyMap<string, 'on' | 'off'>> {
  const paused = records.filter(({ aiAutoReply }) => aiAutoReply === 'paused');
  if (paused.length === 0) return new Map();
  const channels = await channelsWithAutoReply(
    ctx,
    paused.map(({ channelId }) => channelId),
  );
  return new Map(paused.map(({ id, channelId }) => [id, channels.has(channelId) ? 'on' : 'off']));
}

const resume: Act = async (ctx, records) => {
  const resumed = await resumedAutoReplies(ctx, records);
  const steps = records.flatMap((record) => {
    const aiAutoReply = resumed.get(record.id);
    return aiAutoReply === undefined ? [] : [{ record, changes: { aiAutoReply } }];
  });
  return changeConversations(ctx, steps);
};

/** Lets AI answer again where it was paused for a person. Dashboard only. */
export const resumeAutoReply = mutation(
  {
    access: 'inbox.access',
    dashboardOnly: true,
    input: z.object(conversationPath),
    targets: conversationTargets,
  },
  (ctx, { conversation }) => actOnOne(ctx, conversation, resume),
);
