import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import type { SkipReason } from '../../schema/campaigns.ts';
import type { FailureCode } from '../../schema/messages.ts';
import { findChannel } from '../channels/service.ts';
import type { ContactRow } from '../contacts/columns.ts';
import { contactsById } from '../contacts/loaders.ts';
import { addressesOn } from '../messages/address.ts';
import { type Post, postBroadcast } from '../messages/broadcast-post.ts';
import { findForBroadcast } from '../messages/open-thread.ts';
import { type Content, noContent } from '../messages/post.ts';
import { requireSendable } from '../messages/send.ts';
import { AppError } from '../platform/errors.ts';
import { among } from '../platform/pagination.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { renderQuickReply } from '../quick-replies/render.ts';
import type { CampaignRow } from './rows.ts';

/** Beyond this time after the pause what was claimed is given back instead of sent, in milliseconds. */
const pauseGrace = 1_000;

/**
 * Puts the messages for claimed recipients into their threads, in the transaction that says so in their rows: after a
 * crash it has happened or it has not. Whoever can't be written to any more is skipped. What is left of a campaign that
 * was paused or has ended goes back to those who wait.
 */
export async function postToRecipients(
  ctx: WorkContext,
  campaign: CampaignRow,
  contactIds: readonly string[],
): Promise<void> {
  const grace = new Date(ctx.now().getTime() - pauseGrace);
  const mine = await ctx.db.$queryRaw<{ contact: string; goes: boolean }[]>`
    SELECT r.contact_id AS contact,
      c.status IN ('sending', 'queued', 'cancelling') OR (c.status = 'paused' AND c.paused_at > ${grace}) AS goes
    FROM campaign_recipients r
    JOIN campaigns c ON c.company_id = r.company_id AND c.id = r.campaign_id
    WHERE r.company_id = ${ctx.companyId} AND r.campaign_id = ${campaign.id} AND r.contact_id ${among(contactIds)}
      AND r.status = 'claimed' AND r.message_id IS NULL
    ORDER BY r.contact_id FOR UPDATE OF r SKIP LOCKED`;
  const { go = [], back = [] } = Object.groupBy(mine, ({ goes }) => (goes ? 'go' : 'back'));
  await giveBack(
    ctx,
    campaign,
    back.map(({ contact }) => contact),
  );
  if (go.length === 0) return;
  const channel = await findChannel(ctx, campaign.channelId);
  const contacts = await contactsById(
    ctx,
    go.map(({ contact }) => contact),
  );
  const leaving = new Leaving(ctx, campaign);
  const willing = go.flatMap(({ contact: id }) => {
    const contact = contacts.get(id);
    const skip =
      !contact || !channel
        ? 'no_address'
        : contact.blocked
          ? 'blocked'
          : contact.subscribed
            ? null
            : 'unsubscribed';
    if (skip !== null) leaving.add(id, { skip });
    return contact && skip === null ? [contact] : [];
  });
  if (channel) await post(ctx, campaign, channel, willing, leaving);
  await leaving.write();
}

async function post(
  ctx: WorkContext,
  campaign: CampaignRow,
  channel: ChannelRow,
  contacts: readonly ContactRow[],
  leaving: Leaving,
): Promise<void> {
  if (contacts.length === 0) return;
  const author = { type: 'campaign' as const, id: campaign.id, name: campaign.name, email: null };
  const records = await findForBroadcast(ctx, channel, contacts, author);
  const addresses = await addressesOn(ctx, channel, contacts);
  const posts: Post[] = [];
  for (const contact of contacts) {
    const record = records.get(contact.id);
    if (!record) throw new Error('A recipient has no thread.');
    const content = contentFor(ctx, campaign, contact);
    try {
      const to = addresses.get(contact.id) ?? null;
      await requireSendable(ctx, { channel, contact, record, named: 'contact' }, content, to);
      posts.push({ record, content });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      leaving.add(contact.id, outcomeOf(error));
    }
  }
  const made = await postBroadcast(ctx, posts, { author, campaignId: campaign.id });
  await ctx.db.$executeRaw`
    UPDATE campaign_recipients r SET message_id = given.id
    FROM json_to_recordset(${JSON.stringify(made)}::json) AS given (id text, "contactId" text)
    WHERE r.company_id = ${ctx.companyId} AND r.campaign_id = ${campaign.id} AND r.contact_id = given."contactId"`;
}

async function giveBack(
  ctx: WorkContext,
  campaign: CampaignRow,
  contactIds: readonly string[],
): Promise<void> {
  if (contactIds.length === 0) return;
  await ctx.db.$executeRaw`
    UPDATE campaign_recipients SET status = 'pending', claimed_at = NULL
    WHERE company_id = ${ctx.companyId} AND campaign_id = ${campaign.id} AND contact_id ${among(contactIds)}`;
}

function contentFor(ctx: WorkContext, campaign: CampaignRow, contact: { name: string | null }): Content {
  const values = { contact, company: ctx.principal.company };
  const { template, text, mediaId } = campaign;
  if (template) {
    const fill = (value: string) => renderQuickReply(value, values);
    const variables = Array.isArray(template.variables)
      ? template.variables.map(fill)
      : Object.fromEntries(Object.entries(template.variables).map(([name, value]) => [name, fill(value)]));
    return { ...noContent, type: 'template', template: { ...template, variables } };
  }
  const said = text === null ? null : renderQuickReply(text, values);
  return { ...noContent, type: mediaId === null ? 'text' : 'media', text: said, mediaId };
}

type Left = { skip: SkipReason } | { failure: FailureCode };

/** What a refusal comes to for one recipient. */
function outcomeOf({ details }: AppError): Left {
  const [detail] = details ?? [];
  switch (detail?.code) {
    case 'contact_blocked':
      return { skip: 'blocked' };
    case 'contact_unsubscribed':
      return { skip: 'unsubscribed' };
    case 'window_closed':
      return { failure: 'window_closed' };
    case 'not_allowed':
      return { skip: 'template_rejected' };
    case 'channel_unavailable':
      return { skip: 'no_address' };
    default:
      return { failure: 'provider_error' };
  }
}

/** Claimed recipients who are settled without a message. */
class Leaving {
  readonly #ctx: WorkContext;
  readonly #campaign: CampaignRow;
  readonly #rows: { contact: string; skip: SkipReason | null; failure: FailureCode | null }[] = [];

  constructor(ctx: WorkContext, campaign: CampaignRow) {
    this.#ctx = ctx;
    this.#campaign = campaign;
  }

  add(contact: string, left: Left): void {
    const skip = 'skip' in left ? left.skip : null;
    this.#rows.push({ contact, skip, failure: 'failure' in left ? left.failure : null });
  }

  async write(): Promise<void> {
    if (this.#rows.length === 0) return;
    const { db, companyId, now } = this.#ctx;
    const { id } = this.#campaign;
    await db.$executeRaw`
      WITH given AS (
        SELECT * FROM json_to_recordset(${JSON.stringify(this.#rows)}::json)
          AS given (contact text, skip text, failure text)
      ), moved AS (
        UPDATE campaign_recipients r SET status = CASE WHEN skip IS NULL THEN 'failed' ELSE 'skipped' END,
          skip_reason = skip, failure_code = failure, failed_at = CASE WHEN skip IS NULL THEN ${now()}::timestamptz END
        FROM given
        WHERE r.company_id = ${companyId} AND r.campaign_id = ${id} AND r.contact_id = given.contact
        RETURNING skip
      ), counted AS (
        SELECT count(*)::int AS left, count(skip)::int AS skipped FROM moved
      )
      UPDATE campaigns SET pending = pending - counted.left, skipped = campaigns.skipped + counted.skipped,
        failed = failed + counted.left - counted.skipped
      FROM counted WHERE company_id = ${companyId} AND id = ${id}`;
  }
}
