import type { Prisma } from '../../prisma/generated/client/client.ts';

export interface RecipientScript {
  contactId: string;
  address: string | null;
  status: 'pending' | 'sent' | 'delivered' | 'read' | 'failed' | 'skipped';
  skipReason?: 'unsubscribed' | 'blocked' | 'no_address';
  failureCode?: string;
  replied?: boolean;
}

export interface CampaignScript {
  companyId: string;
  id: string;
  name: string;
  channelId: string;
  status: 'draft' | 'scheduled' | 'paused' | 'completed' | 'cancelled';
  text?: string;
  template?: Prisma.InputJsonObject;
  audience: string;
  createdById: string | null;
  createdAt: Date;
  scheduledAt?: Date;
  startedAt?: Date;
  pausedAt?: Date;
  completedAt?: Date;
  cancelledAt?: Date;
  recipients: readonly RecipientScript[];
  /** Orders that came of it. */
  orders?: readonly { total: bigint | number }[];
}

interface CampaignRows {
  campaign: Prisma.CampaignCreateManyInput;
  recipients: Prisma.CampaignRecipientCreateManyInput[];
}

/** How far a recipient has come: read is also delivered, delivered is also sent. */
const reached = { pending: 0, failed: 0, skipped: 0, sent: 1, delivered: 2, read: 3 } as const;

/** The rows of a campaign; its counters are counted from its recipients. */
export function campaignRows(script: CampaignScript): CampaignRows {
  const { companyId, id, recipients, orders = [] } = script;
  // The audience is frozen into recipients when a campaign starts.
  const counted = script.status === 'draft' || script.status === 'scheduled' ? [] : recipients;
  const count = (fits: (recipient: RecipientScript) => boolean) => counted.filter(fits).length;
  const last =
    script.completedAt ?? script.cancelledAt ?? script.pausedAt ?? script.startedAt ?? script.createdAt;
  return {
    campaign: {
      companyId,
      id,
      name: script.name,
      channelId: script.channelId,
      status: script.status,
      text: script.text ?? null,
      ...(script.template ? { template: script.template } : {}),
      audience: {},
      audienceDescription: script.audience,
      audienceSize: recipients.length,
      scheduledAt: script.scheduledAt ?? null,
      startedAt: script.startedAt ?? null,
      pausedAt: script.pausedAt ?? null,
      pauseReason: script.status === 'paused' ? 'manual' : null,
      completedAt: script.completedAt ?? null,
      cancelledAt: script.cancelledAt ?? null,
      total: counted.length,
      pending: count(({ status }) => status === 'pending'),
      sent: count(({ status }) => reached[status] >= 1),
      delivered: count(({ status }) => reached[status] >= 2),
      read: count(({ status }) => reached[status] >= 3),
      failed: count(({ status }) => status === 'failed'),
      skipped: count(({ status }) => status === 'skipped'),
      replied: count(({ replied }) => replied === true),
      orderCount: orders.length,
      revenue: orders.reduce((sum, { total }) => sum + BigInt(total), 0n),
      createdById: script.createdById,
      createdAt: script.createdAt,
      updatedAt: last,
    },
    recipients: counted.map((recipient, position) => recipientRow(script, recipient, position)),
  };
}

function recipientRow(script: CampaignScript, recipient: RecipientScript, position: number) {
  const { status } = recipient;
  // One a second, from the start of the campaign.
  const at = new Date((script.startedAt ?? script.createdAt).getTime() + position * 1_000);
  const after = (seconds: number) => new Date(at.getTime() + seconds * 1_000);
  const steps = reached[status];
  return {
    companyId: script.companyId,
    campaignId: script.id,
    contactId: recipient.contactId,
    position,
    address: recipient.address,
    status,
    skipReason: status === 'skipped' ? (recipient.skipReason ?? 'no_address') : null,
    failureCode: status === 'failed' ? (recipient.failureCode ?? 'provider_error') : null,
    claimedAt: status === 'pending' ? null : at,
    sentAt: steps >= 1 ? after(1) : null,
    deliveredAt: steps >= 2 ? after(3) : null,
    readAt: steps >= 3 ? after(240) : null,
    failedAt: status === 'failed' ? after(2) : null,
    repliedAt: recipient.replied ? after(600) : null,
  };
}
