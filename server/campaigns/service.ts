import { z } from 'zod';
import { type Channel as ChannelRow, Prisma } from '../../prisma/generated/client/client.ts';
import {
  type CampaignAudience,
  CampaignCreate,
  CampaignPreview,
  CampaignUpdate,
  contentIssues,
} from '../../schema/campaigns.ts';
import { pathId } from '../../schema/common.ts';
import { adapterFor } from '../channels/registry.ts';
import { findChannelByName, findDefaultChannel } from '../channels/service.ts';
import { useMedia } from '../media/service.ts';
import { mediaUrl } from '../media/present.ts';
import type { Context } from '../platform/context.ts';
import { conflict, invalid, invalidField, notFound } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { mutation, query } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { countAudience, describeAudience, previewAudience } from './audience.ts';
import { type CampaignRow, campaignTargets, findCampaign, lockCampaign } from './rows.ts';
import { requireAction } from './transitions.ts';

export const showCampaign = query(
  { access: 'campaigns.view', input: z.object({ campaign: pathId }), targets: campaignTargets },
  async (ctx, { campaign }) => {
    const row = await findCampaign(ctx, campaign);
    if (!row) throw notFound();
    return row;
  },
);

/** Makes a draft; nothing is sent before it is scheduled or sent. */
export const createCampaign = mutation(
  { access: 'campaigns.manage', dashboardOnly: true, input: CampaignCreate },
  async (ctx, input) => {
    const channel = await channelNamed(ctx, input.channel);
    const audience = input.audience ?? {};
    const now = ctx.now();
    const id = newId();
    await ctx.db.campaign.create({
      data: {
        companyId: ctx.companyId,
        id,
        name: input.name,
        channelId: channel.id,
        ...(await contentOf(ctx, input)),
        ...(await audienceOf(ctx, audience)),
        ...(input.quiet_hours ? { quietHours: input.quiet_hours } : {}),
        createdById: ctx.principal.user?.id ?? null,
        createdAt: now,
        updatedAt: now,
      },
      select: { id: true },
    });
    return written(ctx, id);
  },
);

/** Changes a draft or a scheduled campaign. */
export const updateCampaign = mutation(
  {
    access: 'campaigns.manage',
    dashboardOnly: true,
    input: CampaignUpdate.extend({ campaign: pathId }),
    targets: campaignTargets,
  },
  async (ctx, { campaign, version, ...input }) => {
    const before = await lockCampaign(ctx, campaign);
    requireAction(before, 'update');
    if (version !== undefined && version !== before.version)
      throw conflict('Somebody else changed the campaign.');
    const merged = mergedContent(ctx, before, input);
    const found = contentIssues(merged);
    if (found)
      throw invalid({ param: found.path.join('.'), code: found.params.detail, message: found.message });
    const said = [input.text, input.media_url, input.template].some((field) => field !== undefined);
    await ctx.db.campaign.update({
      where: { companyId_id: { companyId: ctx.companyId, id: before.id } },
      data: {
        ...(input.name === undefined ? {} : { name: input.name }),
        ...(input.channel === undefined ? {} : { channelId: (await channelNamed(ctx, input.channel)).id }),
        ...(said ? await contentOf(ctx, merged) : {}),
        ...(input.audience === undefined ? {} : await audienceOf(ctx, input.audience)),
        ...(input.quiet_hours === undefined ? {} : { quietHours: input.quiet_hours ?? Prisma.DbNull }),
        version: { increment: 1 },
        updatedAt: ctx.now(),
      },
      select: { id: true },
    });
    return written(ctx, before.id);
  },
);

/** Who would get it and who would not, before anything is sent. */
export const previewCampaign = query(
  { access: 'campaigns.view', input: CampaignPreview },
  async (ctx, { channel, audience = {} }) => previewAudience(ctx, await channelNamed(ctx, channel), audience),
);

async function written(ctx: WorkContext, id: string): Promise<CampaignRow> {
  const row = await findCampaign(ctx, id);
  if (!row) throw new Error('The campaign is gone.');
  return row;
}

async function channelNamed(ctx: Context, word: string | undefined): Promise<ChannelRow> {
  const channel = await (word === undefined ? findDefaultChannel(ctx) : findChannelByName(ctx, word));
  if (!channel) {
    const message = word === undefined ? 'The company has no channel.' : 'There is no such channel.';
    throw invalidField('channel', 'channel_unavailable', message);
  }
  if (!adapterFor(channel.kind))
    throw invalidField('channel', 'channel_unavailable', 'This installation can’t send on the channel.');
  return channel;
}

type Content = Pick<CampaignUpdate, 'text' | 'media_url' | 'template'>;

/** A template given replaces text and file, and the other way round; other fields stay unless given. */
function mergedContent(ctx: Context, before: CampaignRow, input: Content): Content {
  if (input.template) return input;
  const replaces = input.text != null || input.media_url != null;
  return {
    text: input.text === undefined ? before.text : input.text,
    media_url:
      input.media_url === undefined ? before.media && mediaUrl(ctx.app, before.media) : input.media_url,
    template: input.template === undefined && !replaces ? before.template : null,
  };
}

async function contentOf(ctx: WorkContext, { text, media_url: url, template }: Content) {
  return {
    text: text ?? null,
    mediaId: url == null ? null : (await useMedia(ctx, url)).id,
    template: template
      ? { name: template.name, language: template.language, variables: template.variables ?? [] }
      : Prisma.DbNull,
  };
}

async function audienceOf(ctx: WorkContext, audience: CampaignAudience) {
  return {
    audience: audience as Prisma.InputJsonObject,
    audienceDescription: await describeAudience(ctx, audience),
    audienceSize: await countAudience(ctx, audience),
  };
}
