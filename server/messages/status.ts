import type { ChannelRef, StatusReport } from '../channels/adapter.ts';
import { changeConversation, lockConversations } from '../conversations/thread.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { tellStatus } from './broadcast.ts';
import { statusPreview } from './deliver.ts';
import { findMessage } from './record.ts';

/**
 * Takes a provider's word on a message. A status only rises: whatever the order in which reports come in, the end is
 * the same; a failure after delivery and a delivery after reading change nothing.
 * @returns false when the message is unknown (yet): the report may be ahead of the answer to the send
 */
export async function applyStatus(
  ctx: WorkContext,
  channel: Pick<ChannelRef, 'id'>,
  report: StatusReport,
): Promise<boolean> {
  const found = await ctx.db.message.findFirst({
    where: {
      companyId: ctx.companyId,
      channelId: channel.id,
      direction: 'outbound',
      OR: [
        { providerId: report.providerId },
        ...(report.reference === null ? [] : [{ id: report.reference }]),
      ],
    },
    select: { id: true, conversationId: true },
  });
  if (!found) return false;
  const [record] = await lockConversations(ctx, [found.conversationId]);
  const before = await findMessage(ctx, found.id);
  if (!record || !before) return false;
  const { status, at, failure } = report;
  const now = ctx.now();
  // A send whose outcome was unknown is known now.
  const changed = await ctx.db.$executeRaw`
    UPDATE messages SET status = ${status},
      provider_id = coalesce(provider_id, ${report.providerId}),
      sent_at = coalesce(sent_at, ${at}::timestamptz),
      delivered_at = CASE WHEN ${status} IN ('delivered', 'read') THEN coalesce(delivered_at, ${at}::timestamptz) END,
      read_at = CASE WHEN ${status} = 'read' THEN ${at}::timestamptz END,
      failed_at = CASE WHEN ${status} = 'failed' THEN ${at}::timestamptz END,
      failure_code = ${failure?.code ?? null}, failure_message = ${failure?.message ?? null},
      provider_code = ${failure?.providerCode ?? null},
      outcome_unknown = false, attempted_at = NULL, version = version + 1, updated_at = ${now}
    WHERE company_id = ${ctx.companyId} AND id = ${found.id} AND (
      (outcome_unknown AND status = 'failed')
      OR CASE ${status}
        WHEN 'sent' THEN status = 'queued'
        WHEN 'delivered' THEN status IN ('queued', 'sent')
        WHEN 'read' THEN status IN ('queued', 'sent', 'delivered')
        ELSE status IN ('queued', 'sent') END)`;
  const message = changed > 0 ? await findMessage(ctx, found.id) : null;
  if (!message) return true;
  await changeConversation(ctx, record, statusPreview(record, message));
  await tellStatus(ctx, status, message, before.status);
  return true;
}
