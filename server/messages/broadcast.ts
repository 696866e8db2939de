import { Prisma } from '../../prisma/generated/client/client.ts';
import type { ContactRow } from '../contacts/columns.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { emitMessage } from './post.ts';
import type { MessageRecord } from './record.ts';

/** A customer's message within this time of a campaign's counts as its reply, in milliseconds. */
const replyWithin = 7 * 24 * 3_600_000;

type Reached = 'sent' | 'delivered' | 'read' | 'failed';

/** A status that a message has come to. */
export interface Moved {
  status: Reached;
  /** As it is with this status. */
  message: MessageRecord;
  before: string;
}

/** Tells of a message's new status, and carries it into the campaign that it is of. */
export function tellStatus(
  ctx: WorkContext,
  status: Reached,
  message: MessageRecord,
  before: string,
): Promise<void> {
  return tellStatuses(ctx, [{ status, message, before }]);
}

/** The same for many, in the order in which they came; of one message the last one counts. */
export async function tellStatuses(ctx: WorkContext, all: readonly Moved[]): Promise<void> {
  for (const { status, message, before } of all)
    emitMessage(ctx, `message.${status}`, message, { status: before });
  await followBroadcasts(ctx, [...new Map(all.map(({ message }) => [message.id, message])).values()]);
}

/**
 * Carries the status of campaigns' messages into their recipients' rows and the campaigns' figures, in the transaction
 * of the change. Whatever comes twice changes nothing.
 */
async function followBroadcasts(ctx: WorkContext, messages: readonly MessageRecord[]): Promise<void> {
  const rows = messages.flatMap((message) =>
    message.campaignId === null
      ? []
      : [
          {
            campaign_id: message.campaignId,
            contact_id: message.contactId,
            message_id: message.id,
            status: message.status,
            sent_at: message.sentAt,
            delivered_at: message.deliveredAt,
            read_at: message.readAt,
            failed_at: message.failedAt,
            failure_code: message.failureCode,
          },
        ],
  );
  if (rows.length === 0) return;
  await ctx.db.$executeRaw`
    WITH given AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given (campaign_id text, contact_id text,
        message_id text, status text, sent_at timestamptz, delivered_at timestamptz, read_at timestamptz,
        failed_at timestamptz, failure_code text)
    ),
    before AS (
      SELECT given.*, r.status AS was FROM given JOIN campaign_recipients r
        ON r.company_id = ${ctx.companyId} AND r.campaign_id = given.campaign_id AND r.contact_id = given.contact_id
      WHERE r.message_id = given.message_id AND r.status <> given.status
      ORDER BY r.campaign_id, r.contact_id FOR UPDATE OF r
    ),
    moved AS (
      UPDATE campaign_recipients r SET status = before.status, sent_at = before.sent_at,
        delivered_at = before.delivered_at, read_at = before.read_at, failed_at = before.failed_at,
        failure_code = before.failure_code
      FROM before
      WHERE r.company_id = ${ctx.companyId} AND r.campaign_id = before.campaign_id
        AND r.contact_id = before.contact_id
      RETURNING r.campaign_id, before.was, r.status AS now
    ),
    counted AS (
      SELECT campaign_id, sum((was = 'claimed')::int)::int AS settled,
        sum((now IN ('sent', 'delivered', 'read'))::int - (was IN ('sent', 'delivered', 'read'))::int)::int AS sent,
        sum((now IN ('delivered', 'read'))::int - (was IN ('delivered', 'read'))::int)::int AS delivered,
        sum((now = 'read')::int - (was = 'read')::int)::int AS read,
        sum((now = 'failed')::int - (was = 'failed')::int)::int AS failed
      FROM moved GROUP BY campaign_id
    )
    UPDATE campaigns SET pending = pending - counted.settled, sent = campaigns.sent + counted.sent,
      delivered = campaigns.delivered + counted.delivered, read = campaigns.read + counted.read,
      failed = campaigns.failed + counted.failed
    FROM counted WHERE company_id = ${ctx.companyId} AND id = counted.campaign_id`;
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
