import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import type { Channel, ChannelKind } from '../../schema/channels.ts';
import type { Services } from '../platform/services.ts';
import { maskCredentials } from './credentials.ts';
import { adapterFor } from './registry.ts';

/** Everything but the credentials. */
export function presentChannel(row: ChannelRow, app: Pick<Services, 'config' | 'publicUrl'>): Channel {
  return {
    id: row.id,
    // The database allows only these words.
    kind: row.kind as ChannelKind,
    name: row.name,
    status: row.status === 'disabled' || row.status === 'failing' ? row.status : 'active',
    is_default: row.isDefault,
    config: configOf(row),
    credentials: maskCredentials(app, row),
    webhook_url: webhookUrl(row, app),
    reopen_hours: row.reopenHours,
    ai_auto_reply: row.aiAutoReply,
    campaign_rate: row.campaignRate,
    rating_request: row.ratingRequest,
    failure_reason: row.failureReason,
    last_inbound_at: row.lastInboundAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** Where the provider of a channel is to call; null for a kind whose provider does not. */
export function webhookUrl({ id, kind }: ChannelRow, app: Pick<Services, 'publicUrl'>): string | null {
  return adapterFor(kind)?.webhook ? `${app.publicUrl()}/channels/${id}/webhook` : null;
}

function configOf({ config }: ChannelRow): Record<string, unknown> {
  return typeof config === 'object' && config !== null && !Array.isArray(config) ? config : {};
}
