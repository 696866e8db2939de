import { Prisma } from '../../prisma/generated/client/client.ts';
import type { ContactRow } from '../contacts/columns.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { emitMessage } from './post.ts';
import type { MessageRecord } from './record.ts';

/** A customer's message within this time of a campaign's counts as its reply, in milliseconds. */
const replyWithin = 7 * 24 * 3_600_000;

/** Tells of a message's new status, and carries it into the campaign that it is of. */
export async function tellStatus(
  ctx: WorkContext,
  status: 'sent' | 'delivered' | 'read' | 'failed',
  message: MessageRecord,
  before: string,
): Promise<void> {
  emitMessage(ctx, `message.${status}`, message, { status: before });
  await followBroadcast(ctx, message);
}

/**
 * Carries the status of a campaign's message into its recipient's row and the campaign's figures, in the transaction of
 * the change. Whatever comes twice changes nothing.
 */
async function followBroadcast(ctx: WorkContext, message: MessageRecord): Promise<void> {
  if (message.campaignId === null) return;
  const { status, sentAt, deliveredAt, readAt, failedAt, failureCode } = message;
  await ctx.db.$executeRaw`
    WITH before AS (
      SELECT contact_id, status FROM campaign_recipients
      WHERE company_id = ${ctx.companyId} AND campaign_id = ${message.campaignId}
        AND contact_id = ${message.contactId} AND message_id = ${message.id} AND status <> ${status}
      FOR UPDATE
    ),
    moved AS (
      UPDATE campaign_recipients r SET status = ${status}, sent_at = ${sentAt}::timestamptz,
        delivered_at = ${deliveredAt}::timestamptz, read_at = ${readAt}::timestamptz,
        failed_at = ${failedAt}::timestamptz, failure_code = ${failureCode}
      FROM before
      WHERE r.company_id = ${ctx.companyId} AND r.campaign_id = ${message.campaignId}
        AND r.contact_id = before.contact_id
      RETURNING before.status AS was, r.status AS now
    )
    UPDATE campaigns SET
      pending = pending - (was = 'claimed')::int,
      sent = sent + (now IN ('sent', 'delivered', 'read'))::int - (was IN ('sent', 'delivered', 'read'))::int,
      delivered = delivered + (now IN ('delivered', 'read'))::int - (was IN ('delivered', 'read'))::int,
      read = read + (now = 'read')::int - (was = 'read')::int,
      failed = failed + (now = 'failed')::int - (was = 'failed')::int
    FROM moved WHERE company_id = ${ctx.companyId} AND id = ${message.campaignId}`;
}

/** Counts the first message of a contact after a campaign's as a reply to it. */
export function countReply(ctx: WorkContext, contact: Pick<ContactRow, 'id'>, channelId: string) {
  return mark(ctx, contact, channelId, 'replied');
}

/** Counts a contact who wants no more messages for the campaign that wrote to them last. */
export function countUnsubscribed(ctx: WorkContext, contact: Pick<ContactRow, 'id'>, channelId: string) {
  return mark(ctx, contact, channelId, 'unsubscribed');
}

async function mark(
  ctx: WorkContext,
  { id }: Pick<ContactRow, 'id'>,
  channelId: string,
  what: 'replied' | 'unsubscribed',
): Promise<void> {
  const now = ctx.now();
  const since = new Date(now.getTime() - replyWithin);
  const counter = Prisma.raw(what);
  const mark = Prisma.raw(`${what}_at`);
  await ctx.db.$executeRaw`
    WITH latest AS (
      SELECT r.campaign_id FROM campaign_recipients r
      JOIN campaigns c ON c.company_id = r.company_id AND c.id = r.campaign_id AND c.channel_id = ${channelId}
      WHERE r.company_id = ${ctx.companyId} AND r.contact_id = ${id} AND r.sent_at > ${since}
      ORDER BY r.sent_at DESC LIMIT 1
    ),
    marked AS (
      UPDATE campaign_recipients r SET ${mark} = ${now}
      FROM latest
      WHERE r.company_id = ${ctx.companyId} AND r.campaign_id = latest.campaign_id AND r.contact_id = ${id}
        AND r.${mark} IS NULL
      RETURNING r.campaign_id
    )
    UPDATE campaigns SET ${counter} = ${counter} + 1
    FROM marked WHERE company_id = ${ctx.companyId} AND id = marked.campaign_id`;
}
