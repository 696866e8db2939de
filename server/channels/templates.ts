import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import { ChannelPath, type ChannelTemplate } from '../../schema/channels.ts';
import type { Context } from '../platform/context.ts';
import { conflict, invalidField, notFound } from '../platform/errors.ts';
import type { JobData } from '../platform/jobs.ts';
import type { Services } from '../platform/services.ts';
import { mutation, Preparation, query } from '../platform/operation.ts';
import { asSystem } from '../platform/system-context.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import { inUnitOfWork } from '../platform/unit-of-work.ts';
import { channelTargets, findChannel } from './service.ts';
import { readTemplates, type Template, whatsappOf } from './whatsapp-api.ts';

/** A provider that takes longer does not give its templates, in milliseconds. */
const patience = 20_000;

/**
 * A channel's templates as its provider has them now. @throws AppError `conflict` for a channel that has none;
 * `validation_failed` while the provider does not give them
 */
export const listTemplates = query(
  { access: 'admin', input: ChannelPath, targets: channelTargets },
  async (ctx, input): Promise<ChannelTemplate[]> => (await ask(ctx, input.channel)).map(present),
);

/** Those of a channel that its provider has approved; none for a channel of another kind or without an account. */
export async function approvedTemplates(ctx: Context, id: string): Promise<ChannelTemplate[]> {
  const channel = await findChannel(ctx, id);
  if (channel?.kind !== 'whatsapp' || !channel.credentials) return [];
  if (whatsappOf(ctx.app, channel).config.business_account_id === undefined) return [];
  return (await ask(ctx, id)).filter(({ status }) => status === 'APPROVED').map(present);
}

const preparation = new Preparation<Template[]>();

/**
 * The same, and keeps their categories: marketing templates go to subscribed contacts only, and so does one that was
 * not read. It is done every hour by itself.
 */
export const syncTemplates = mutation(
  {
    access: 'admin',
    input: ChannelPath,
    targets: channelTargets,
    prepare: async (ctx, { channel }) => preparation.keep(await ask(ctx, channel)),
  },
  async (ctx, { channel }): Promise<ChannelTemplate[]> => {
    const templates = preparation.of(ctx);
    await ctx.db.channel.update({
      where: { companyId_id: { companyId: ctx.companyId, id: channel } },
      data: { templates: kept(templates) },
    });
    return templates.map(present);
  },
);

/** Reads the templates of a channel, or of every one that has any. */
export async function refreshTemplates(
  app: Services,
  { channelId }: JobData['channels.templates'],
): Promise<void> {
  const channels = await acrossTenants(() =>
    app.prisma.channel.findMany({
      where: {
        ...(channelId === undefined ? {} : { id: channelId }),
        kind: 'whatsapp',
        status: { not: 'disabled' },
        credentials: { not: null },
        company: { sandboxOf: null, closedAt: null },
      },
    }),
  );
  for (const channel of channels)
    await refresh(app, channel).catch((error: unknown) =>
      app.log.warn({ err: error, channel: channel.id }, 'templates not read'),
    );
}

async function refresh(app: Services, channel: ChannelRow): Promise<void> {
  const templates = await read(app, channel);
  if (!templates) return;
  const { companyId, id, templates: before } = channel;
  await asSystem(app, companyId, (ctx) =>
    inUnitOfWork(ctx, (work) =>
      // What somebody has read in the meantime is newer.
      work.db.channel.updateMany({
        where: { companyId, id, templates: { equals: before ?? [] } },
        data: { templates: kept(templates) },
      }),
    ),
  );
}

/** Null for a channel of no business account. @throws Error when the provider does not give them */
async function read(app: Services, channel: ChannelRow): Promise<Template[] | null> {
  const { api, config } = whatsappOf(app, channel);
  const { business_account_id: account } = config;
  return account === undefined ? null : readTemplates(api, account, AbortSignal.timeout(patience));
}

async function ask(ctx: Context, id: string): Promise<Template[]> {
  const channel = await findChannel(ctx, id);
  if (!channel) throw notFound();
  if (channel.kind !== 'whatsapp' || !channel.credentials) throw conflict('The channel has no templates.');
  const templates = await read(ctx.app, channel).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'templates not read');
    throw invalidField('channel', 'channel_unavailable', 'The provider does not give its templates.');
  });
  if (!templates)
    throw invalidField('config.business_account_id', 'required', 'Templates belong to a business account.');
  return templates;
}

function kept(templates: readonly Template[]) {
  return templates.map(({ name, language, category }) => ({ name, language, category }));
}

function present({ category, ...template }: Template): ChannelTemplate {
  return { ...template, category, marketing: category === 'MARKETING' };
}
