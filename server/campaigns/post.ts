import type { SkipReason } from '../../schema/campaigns.ts';
import type { FailureCode } from '../../schema/messages.ts';
import { findChannel } from '../channels/service.ts';
import { findContact } from '../contacts/service.ts';
import { findForBroadcast } from '../messages/open-thread.ts';
import { type Content, noContent, postMessage } from '../messages/post.ts';
import { requireSendable } from '../messages/send.ts';
import { AppError } from '../platform/errors.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { renderQuickReply } from '../quick-replies/render.ts';
import type { CampaignRow } from './rows.ts';

/** Beyond this time after the pause what was claimed is given back instead of sent, in milliseconds. */
const pauseGrace = 1_000;

/**
 * Puts the message for one claimed recipient into their thread, in the transaction that says so in their row: after a
 * crash it has happened or it has not. Whoever can't be written to any more is skipped. What is left of a campaign that was
 * paused or has ended goes back to those who wait.
 */
export async function postToRecipient(
  ctx: WorkContext,
  campaign: CampaignRow,
  contactId: string,
): Promise<void> {
  const grace = new Date(ctx.now().getTime() - pauseGrace);
  const [mine] = await ctx.db.$queryRaw<{ goes: boolean }[]>`
    SELECT c.status IN ('sending', 'queued', 'cancelling') OR (c.status = 'paused' AND c.paused_at > ${grace}) AS goes
    FROM campaign_recipients r
    JOIN campaigns c ON c.company_id = r.company_id AND c.id = r.campaign_id
    WHERE r.company_id = ${ctx.companyId} AND r.campaign_id = ${campaign.id} AND r.contact_id = ${contactId}
      AND r.status = 'claimed' AND r.message_id IS NULL
    FOR UPDATE OF r SKIP LOCKED`;
  if (!mine) return;
  if (!mine.goes) return giveBack(ctx, campaign, contactId);
  const contact = await findContact(ctx, contactId);
  const channel = await findChannel(ctx, campaign.channelId);
  if (!contact || !channel) return leave(ctx, campaign, contactId, { skip: 'no_address' });
  if (contact.blocked) return leave(ctx, campaign, contactId, { skip: 'blocked' });
  if (!contact.subscribed) return leave(ctx, campaign, contactId, { skip: 'unsubscribed' });
  const author = { type: 'campaign' as const, id: campaign.id, name: campaign.name, email: null };
  const record = await findForBroadcast(ctx, channel, contact, author);
  const content = contentFor(ctx, campaign, contact);
  try {
    await requireSendable(ctx, { channel, contact, record, named: 'contact' }, content);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return leave(ctx, campaign, contactId, outcomeOf(error));
  }
  const message = await postMessage(ctx, record, { content, author, campaignId: campaign.id });
  await ctx.db.$executeRaw`
    UPDATE campaign_recipients SET message_id = ${message.id}
    WHERE company_id = ${ctx.companyId} AND campaign_id = ${campaign.id} AND contact_id = ${contactId}`;
}

async function giveBack(ctx: WorkContext, campaign: CampaignRow, contactId: string): Promise<void> {
  await ctx.db.$executeRaw`
    UPDATE campaign_recipients SET status = 'pending', claimed_at = NULL
    WHERE company_id = ${ctx.companyId} AND campaign_id = ${campaign.id} AND contact_id = ${contactId}`;
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

/** Settles a claimed recipient without a message. */
async function leave(ctx: WorkContext, campaign: CampaignRow, contactId: string, left: Left): Promise<void> {
  const skipped = 'skip' in left;
  const now = ctx.now();
  await ctx.db.campaignRecipient.update({
    where: {
      companyId_campaignId_contactId: { companyId: ctx.companyId, campaignId: campaign.id, contactId },
    },
    data: skipped
      ? { status: 'skipped', skipReason: left.skip }
      : { status: 'failed', failureCode: left.failure, failedAt: now },
    select: { contactId: true },
  });
  await ctx.db.campaign.update({
    where: { companyId_id: { companyId: ctx.companyId, id: campaign.id } },
    data: {
      pending: { decrement: 1 },
      ...(skipped ? { skipped: { increment: 1 } } : { failed: { increment: 1 } }),
    },
    select: { id: true },
  });
}
