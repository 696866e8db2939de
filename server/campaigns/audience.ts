import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import { Prisma } from '../../prisma/generated/client/client.ts';
import { type CampaignAudience, type SkipReason, skipReasons } from '../../schema/campaigns.ts';
import { adapterFor } from '../channels/registry.ts';
import { contactFilters } from '../contacts/list.ts';
import type { Context } from '../platform/context.ts';
import { invalidField } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import type { CampaignRow } from './rows.ts';

/** Contacts in one statement of the freezing: well below the time a statement may take. */
export const freezeBatch = 20_000;
const sampleSize = 20;

/** Contacts with their address on the channel and why they would be left out, before duplicates are looked for. */
function candidates(
  ctx: Context,
  channel: Pick<ChannelRow, 'id' | 'kind'>,
  audience: CampaignAudience,
  { after = '', limit = null }: { after?: string; limit?: number | null } = {},
): Prisma.Sql {
  const own = ownAddress(channel);
  // A contact has few addresses. The OFFSET keeps the channel out of their look-up: of a channel that is new to the
  // statistics the planner would read all addresses for each contact.
  return Prisma.sql`
    SELECT chosen.*, CASE WHEN blocked THEN 'blocked' WHEN NOT subscribed THEN 'unsubscribed'
      WHEN address IS NULL THEN 'no_address' END AS reason
    FROM (
      SELECT contacts.id, contacts.name, contacts.blocked, contacts.subscribed, coalesce((
        SELECT identity.address FROM (
          SELECT address, channel_id, created_at, id FROM contact_identities
          WHERE company_id = contacts.company_id AND contact_id = contacts.id OFFSET 0
        ) AS identity
        WHERE identity.channel_id = ${channel.id}
        ORDER BY identity.created_at DESC, identity.id DESC LIMIT 1), ${own}) AS address
      FROM contacts
      WHERE ${Prisma.join(conditions(ctx, audience), ' AND ')} AND id > ${after}
      ORDER BY id LIMIT ${limit}::bigint
    ) AS chosen`;
}

/** What of a contact's own the channel writes to, in the spelling by which duplicates are found. */
function ownAddress({ kind }: Pick<ChannelRow, 'kind'>): Prisma.Sql {
  const own = adapterFor(kind)?.ownAddress;
  return own ? Prisma.raw(`lower(contacts.${own})`) : Prisma.sql`NULL::text`;
}

function conditions(
  ctx: Context,
  { q, phone, country, blocked, subscribed, tags }: CampaignAudience,
): Prisma.Sql[] {
  const given = {
    ...(q ? { q } : {}),
    ...(phone ? { phone } : {}),
    ...(country ? { country } : {}),
    ...(blocked == null ? {} : { blocked }),
    ...(subscribed == null ? {} : { subscribed }),
  };
  return [
    Prisma.sql`company_id = ${ctx.companyId}`,
    Prisma.sql`deleted_at IS NULL`,
    ...contactFilters(given),
    ...(tags?.length
      ? [
          Prisma.sql`EXISTS (SELECT FROM contact_tags tagged WHERE tagged.company_id = contacts.company_id
            AND tagged.contact_id = contacts.id AND tagged.tag_id = ANY(${tags}))`,
        ]
      : []),
  ];
}

/** How many contacts the audience has now, whether they can be reached or not. */
export async function countAudience(ctx: Context, audience: CampaignAudience): Promise<number> {
  const [counted] = await ctx.db.$queryRaw<{ size: number }[]>`
    SELECT count(*)::int AS size FROM contacts WHERE ${Prisma.join(conditions(ctx, audience), ' AND ')}`;
  return counted?.size ?? 0;
}

export interface Freezing {
  contacts: number;
  pending: number;
  skipped: number;
}

/**
 * Makes recipients of the next contacts of the audience, in the order of their ids: those that can be written to wait
 * for their turn, the others are skipped with the reason. The campaign's figures grow with them.
 */
export async function freezeAudience(
  ctx: WorkContext,
  campaign: CampaignRow,
  channel: ChannelRow,
): Promise<Freezing> {
  const [last] = await ctx.db.$queryRaw<{ contact: string; position: number }[]>`
    SELECT contact_id AS contact, position FROM campaign_recipients
    WHERE company_id = ${ctx.companyId} AND campaign_id = ${campaign.id} ORDER BY position DESC LIMIT 1`;
  const first = (last?.position ?? -1) + 1;
  const [frozen] = await ctx.db.$queryRaw<Freezing[]>`
    WITH candidates AS (${candidates(ctx, channel, campaign.audience, { after: last?.contact ?? '', limit: freezeBatch })}),
    judged AS (
      SELECT id, address, coalesce(reason, CASE WHEN
          row_number() OVER (PARTITION BY address, reason IS NULL ORDER BY id) > 1
          OR EXISTS (SELECT FROM campaign_recipients earlier WHERE earlier.company_id = ${ctx.companyId}
            AND earlier.campaign_id = ${campaign.id} AND earlier.address = candidates.address
            AND earlier.status <> 'skipped')
        THEN 'duplicate' END) AS reason
      FROM candidates
    ),
    made AS (
      INSERT INTO campaign_recipients (company_id, campaign_id, contact_id, position, address, status, skip_reason)
      SELECT ${ctx.companyId}, ${campaign.id}, id, ${first}::int + row_number() OVER (ORDER BY id) - 1, address,
        CASE WHEN reason IS NULL THEN 'pending' ELSE 'skipped' END, reason
      FROM judged
      RETURNING status
    ),
    counted AS (
      SELECT count(*)::int AS contacts, count(*) FILTER (WHERE status = 'pending')::int AS pending,
        count(*) FILTER (WHERE status = 'skipped')::int AS skipped
      FROM made
    ),
    figures AS (
      UPDATE campaigns SET total = total + contacts, pending = campaigns.pending + counted.pending,
        skipped = campaigns.skipped + counted.skipped, audience_size = total + contacts
      FROM counted WHERE company_id = ${ctx.companyId} AND id = ${campaign.id}
    )
    SELECT contacts, pending, skipped FROM counted`;
  return frozen ?? { contacts: 0, pending: 0, skipped: 0 };
}

export interface AudiencePreview {
  description: string;
  total: number;
  reachable: number;
  skipped: Record<SkipReason, number>;
  sample: { contact: string; name: string | null; address: string | null; skip_reason: SkipReason | null }[];
}

/** What freezing would come to now; nothing is written. */
export async function previewAudience(
  ctx: Context,
  channel: Pick<ChannelRow, 'id' | 'kind'>,
  audience: CampaignAudience,
): Promise<AudiencePreview> {
  // A duplicate is one of somebody before them, so the first ones are judged without the others.
  const judged = (limit: number | null) => Prisma.sql`SELECT id, name, address, coalesce(reason, CASE WHEN
      row_number() OVER (PARTITION BY address, reason IS NULL ORDER BY id) > 1 THEN 'duplicate' END) AS reason
    FROM (${candidates(ctx, channel, audience, { limit })}) AS candidates`;
  const counts = await ctx.db.$queryRaw<{ reason: SkipReason | null; count: number }[]>`
    SELECT reason, count(*)::int AS count FROM (${judged(null)}) AS judged GROUP BY reason`;
  const sample = await ctx.db.$queryRaw<AudiencePreview['sample']>`
    SELECT id AS contact, name, address, reason AS skip_reason FROM (${judged(sampleSize)}) AS judged ORDER BY id`;
  const of = (reason: SkipReason | null) => counts.find((one) => one.reason === reason)?.count ?? 0;
  return {
    description: await describeAudience(ctx, audience),
    total: counts.reduce((sum, { count }) => sum + count, 0),
    reachable: of(null),
    skipped: Object.fromEntries(skipReasons.map((reason) => [reason, of(reason)])) as Record<
      SkipReason,
      number
    >,
    sample,
  };
}

/**
 * The audience in words.
 * @throws AppError `validation_failed` for a tag that is unknown
 */
export async function describeAudience(
  ctx: Context,
  { q, phone, country, blocked, subscribed, tags }: CampaignAudience,
): Promise<string> {
  const known = tags?.length
    ? await ctx.db.tag.findMany({
        where: { companyId: ctx.companyId, id: { in: tags.filter(isId) } },
        select: { id: true, name: true },
      })
    : [];
  const unknown = tags?.findIndex((id) => !known.some((tag) => tag.id === id)) ?? -1;
  if (unknown >= 0) throw invalidField(`audience.tags.${unknown}`, 'unknown_id', 'There is no such tag.');
  const parts = [
    ...(known.length > 0 ? [`tagged ${known.map(({ name }) => name).join(' or ')}`] : []),
    ...(country ? [`in ${country.toUpperCase()}`] : []),
    ...(q ? [`matching “${q}”`] : []),
    ...(phone ? [`with the phone ${phone}`] : []),
    ...(blocked == null ? [] : [blocked ? 'blocked' : 'not blocked']),
    ...(subscribed == null ? [] : [subscribed ? 'subscribed' : 'unsubscribed']),
  ];
  return parts.length === 0 ? 'All contacts' : `Contacts ${parts.join(', ')}`;
}
