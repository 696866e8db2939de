import type { ChannelRef, StatusReport } from '../channels/adapter.ts';
import { changeConversations, lockConversations } from '../conversations/thread.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { type Moved, tellStatuses } from './broadcast.ts';
import { statusPreview } from './deliver.ts';
import { findMessages, type MessageRecord } from './record.ts';

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
  return (await applyStatuses(ctx, channel, [report])) === 0;
}

/**
 * The same for many reports, in their order, in a few statements.
 * @returns how many are on messages that are unknown (yet)
 */
export async function applyStatuses(
  ctx: WorkContext,
  channel: Pick<ChannelRef, 'id'>,
  reports: readonly StatusReport[],
): Promise<number> {
  const found = await findReported(ctx, channel, reports);
  const records = await lockConversations(ctx, [...new Set(found.map((one) => one.conversationId))]);
  // Read once more: whoever held the lock may have changed them.
  const messages = await findMessages(
    ctx,
    found.map(({ id }) => id),
  );
  const latest = new Map(messages.map((message) => [message.id, message]));
  const byProvider = new Map(found.map(({ id, providerId }) => [providerId, id]));
  const moves: Moved[] = [];
  let unknown = 0;
  for (const report of reports) {
    const id = byProvider.get(report.providerId) ?? report.reference;
    const before = id === null ? undefined : latest.get(id);
    if (!before) unknown++;
    else if (rises(before, report)) {
      const message = risen(before, report, ctx.now());
      latest.set(message.id, message);
      moves.push({ status: report.status, message, before: before.status });
    }
  }
  const moved = new Map(moves.map(({ message }) => [message.id, message]));
  await writeStatuses(ctx, [...moved.values()]);
  const steps = records.map((record) => {
    const last = record.lastMessage && moved.get(record.lastMessage.id);
    return { record, changes: last ? statusPreview(record, last) : {} };
  });
  const ofMoved = new Set([...moved.values()].map(({ conversationId }) => conversationId));
  await changeConversations(
    ctx,
    steps.filter(({ record }) => ofMoved.has(record.id)),
  );
  await tellStatuses(ctx, moves);
  return unknown;
}

interface Reported {
  id: string;
  conversationId: string;
  providerId: string | null;
}

function findReported(
  ctx: WorkContext,
  channel: Pick<ChannelRef, 'id'>,
  reports: readonly StatusReport[],
): Promise<Reported[]> {
  const providerIds = reports.map(({ providerId }) => providerId);
  const references = reports.flatMap(({ reference }) => reference ?? []);
  return ctx.db.$queryRaw<Reported[]>`
    SELECT m.id, m.conversation_id AS "conversationId", m.provider_id AS "providerId"
    FROM unnest(${providerIds}::text[]) AS given (provider_id) JOIN messages m ON m.company_id = ${ctx.companyId}
      AND m.channel_id = ${channel.id} AND m.provider_id = given.provider_id AND m.direction = 'outbound'
    UNION
    SELECT id, conversation_id, provider_id FROM messages
    WHERE company_id = ${ctx.companyId} AND channel_id = ${channel.id} AND direction = 'outbound'
      AND id = ANY(${references})`;
}

const below: Readonly<Record<StatusReport['status'], readonly string[]>> = {
  sent: ['queued'],
  delivered: ['queued', 'sent'],
  read: ['queued', 'sent', 'delivered'],
  failed: ['queued', 'sent'],
};

/** A send whose outcome was unknown is known now. */
function rises({ status, outcomeUnknown }: MessageRecord, report: StatusReport): boolean {
  return (outcomeUnknown && status === 'failed') || below[report.status].includes(status);
}

function risen(before: MessageRecord, report: StatusReport, now: Date): MessageRecord {
  const { status, at, failure, providerId } = report;
  const arrived = status === 'delivered' || status === 'read';
  return {
    ...before,
    status,
    providerId: before.providerId ?? providerId,
    sentAt: before.sentAt ?? at,
    deliveredAt: arrived ? (before.deliveredAt ?? at) : null,
    readAt: status === 'read' ? at : null,
    failedAt: status === 'failed' ? at : null,
    failureCode: failure?.code ?? null,
    failureMessage: failure?.message ?? null,
    providerCode: failure?.providerCode ?? null,
    outcomeUnknown: false,
    attemptedAt: null,
    version: before.version + 1,
    updatedAt: now,
  };
}

async function writeStatuses(ctx: WorkContext, messages: readonly MessageRecord[]): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map((message) => ({
    id: message.id,
    status: message.status,
    provider_id: message.providerId,
    sent_at: message.sentAt,
    delivered_at: message.deliveredAt,
    read_at: message.readAt,
    failed_at: message.failedAt,
    failure_code: message.failureCode,
    failure_message: message.failureMessage,
    provider_code: message.providerCode,
    version: message.version,
  }));
  await ctx.db.$executeRaw`
    UPDATE messages SET status = given.status, provider_id = given.provider_id, sent_at = given.sent_at,
      delivered_at = given.delivered_at, read_at = given.read_at, failed_at = given.failed_at,
      failure_code = given.failure_code, failure_message = given.failure_message,
      provider_code = given.provider_code, outcome_unknown = false, attempted_at = NULL,
      version = given.version, updated_at = ${ctx.now()}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given (id text, status text, provider_id text,
      sent_at timestamptz, delivered_at timestamptz, read_at timestamptz, failed_at timestamptz, failure_code text,
      failure_message text, provider_code text, version int)
    WHERE messages.company_id = ${ctx.companyId} AND messages.id = given.id`;
}
