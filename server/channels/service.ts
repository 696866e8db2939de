import { z } from 'zod';
import { type Channel as ChannelRow, Prisma } from '../../prisma/generated/client/client.ts';
import { ChannelCreate, ChannelPath, ChannelUpdate } from '../../schema/channels.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { isId, newId } from '../platform/ids.ts';
import { refuseTakenName } from '../platform/names.ts';
import { mutation, query } from '../platform/operation.ts';
import { columns } from '../platform/pagination.ts';
import { readRows } from '../platform/rows.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import type { Setup } from './adapter.ts';
import { openCredentials, sealCredentials } from './credentials.ts';
import { adapterFor } from './registry.ts';
import { checkSetup, readSetup, separate } from './setup.ts';

/** The channel, or null when it is unknown to this company. */
export async function findChannel(ctx: Context, id: string): Promise<ChannelRow | null> {
  if (!isId(id)) return null;
  const [row] = await readRows<ChannelRow>(
    ctx,
    Prisma.sql`SELECT ${columns(Prisma.ChannelScalarFieldEnum)} FROM channels
      WHERE company_id = ${ctx.companyId} AND id = ${id}`,
  );
  return row ?? null;
}

/** The channel with this name, or the oldest of this kind. */
export async function findChannelByName(ctx: Context, word: string): Promise<ChannelRow | null> {
  const channels = await channelsOf(ctx);
  const named = channels.find(({ name }) => name.toLowerCase() === word.toLowerCase());
  return named ?? channels.find(({ kind }) => kind === word.toLowerCase()) ?? null;
}

/** What a message to a contact without a conversation goes out on. */
export async function findDefaultChannel(ctx: Context): Promise<ChannelRow | null> {
  const channels = await channelsOf(ctx);
  return channels.find(({ isDefault }) => isDefault) ?? null;
}

function channelsOf(ctx: Context): Promise<ChannelRow[]> {
  return ctx.db.channel.findMany({
    where: { companyId: ctx.companyId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

export const channelTargets = {
  channel: async (ctx: Context, id: string) => (await findChannel(ctx, id)) !== null,
};

/** All of the company's channels, oldest first; a handful, so not paged. */
export const listChannels = query(
  { access: 'inbox.access', dashboardOnly: true, input: z.object({}) },
  channelsOf,
);

/** The first channel of a company is its default. The provider is asked first whether it knows us. */
export const createChannel = mutation(
  {
    access: 'admin',
    input: ChannelCreate,
    async prepare(ctx, { kind, ...given }) {
      const { config, credentials } = separate(kind, given);
      // One may be made before the provider is known; it is no use until then.
      if (adapterFor(kind)?.credentials && !config && !credentials) return;
      const setup = readSetup(kind, { config: config ?? {}, credentials: credentials ?? {} });
      await checkSetup(ctx.app, kind, setup);
    },
  },
  async (ctx, input) => {
    await lockChannels(ctx);
    await refuseTakenName(ctx, 'channel', input.name);
    const others = await ctx.db.channel.count({ where: { companyId: ctx.companyId } });
    const isDefault = input.is_default ?? others === 0;
    if (isDefault) await clearDefault(ctx);
    const now = ctx.now();
    const place = { companyId: ctx.companyId, id: newId() };
    const { config, credentials } = separate(input.kind, input);
    if (credentials) await ctx.enqueue('channels.templates', { channelId: place.id });
    return ctx.db.channel.create({
      data: {
        ...place,
        kind: input.kind,
        name: input.name,
        isDefault,
        // It came as JSON.
        config: (config ?? {}) as Prisma.InputJsonObject,
        ...(credentials ? sealCredentials(ctx.app, place, credentials) : {}),
        ...(input.reopen_hours === undefined ? {} : { reopenHours: input.reopen_hours }),
        aiAutoReply: input.ai_auto_reply ?? false,
        ratingRequest: input.rating_request ?? true,
        ...(input.campaign_rate === undefined ? {} : { campaignRate: input.campaign_rate }),
        createdAt: now,
        updatedAt: now,
      },
    });
  },
);

/** Credentials that are absent stay. */
export const updateChannel = mutation(
  {
    access: 'admin',
    input: ChannelUpdate.extend(ChannelPath.shape),
    targets: channelTargets,
    async prepare(ctx, { channel, ...given }) {
      const before = given.config || given.credentials ? await findChannel(ctx, channel) : null;
      if (!before) return;
      await checkSetup(ctx.app, before.kind, setupOf(ctx, before, separate(before.kind, given)));
    },
  },
  async (ctx, { channel, ...input }) => {
    await lockChannels(ctx);
    const before = await findChannel(ctx, channel);
    if (!before) throw notFound();
    if (input.name !== undefined) await refuseTakenName(ctx, 'channel', input.name, before.id);
    if (input.is_default === true) await clearDefault(ctx);
    const { config, credentials } = separate(before.kind, input);
    if (config || credentials) await ctx.enqueue('channels.templates', { channelId: before.id });
    return ctx.db.channel.update({
      where: { companyId_id: { companyId: ctx.companyId, id: before.id } },
      data: {
        ...(input.name === undefined ? {} : { name: input.name }),
        ...(input.status === undefined ? {} : { status: input.status, failureReason: null }),
        ...(input.is_default === undefined ? {} : { isDefault: input.is_default }),
        ...(config === undefined ? {} : { config: config as Prisma.InputJsonObject }),
        ...(credentials === undefined
          ? {}
          : sealCredentials(ctx.app, before, { ...openCredentials(ctx.app, before), ...credentials })),
        ...(input.reopen_hours === undefined ? {} : { reopenHours: input.reopen_hours }),
        ...(input.ai_auto_reply === undefined ? {} : { aiAutoReply: input.ai_auto_reply }),
        ...(input.campaign_rate === undefined ? {} : { campaignRate: input.campaign_rate }),
        ...(input.rating_request === undefined ? {} : { ratingRequest: input.rating_request }),
        version: { increment: 1 },
        updatedAt: ctx.now(),
      },
    });
  },
);

/** Asks the provider whether it still lets us in, and keeps what it says as the channel's state. */
export const checkChannel = mutation(
  {
    access: 'admin',
    input: ChannelPath,
    targets: channelTargets,
    async prepare(ctx, { channel }) {
      const row = await findChannel(ctx, channel);
      if (row) await checkSetup(ctx.app, row.kind, setupOf(ctx, row, {}));
    },
  },
  async (ctx, { channel }) => {
    const row = await findChannel(ctx, channel);
    if (!row) throw notFound();
    if (row.status !== 'failing') return row;
    return ctx.db.channel.update({
      where: { companyId_id: { companyId: ctx.companyId, id: row.id } },
      data: { status: 'active', failureReason: null, version: { increment: 1 }, updatedAt: ctx.now() },
    });
  },
);

/** What a channel would have with these changes. */
function setupOf(
  ctx: Context,
  row: ChannelRow,
  { config, credentials }: { config?: object | undefined; credentials?: object | undefined },
): Setup {
  return readSetup(row.kind, {
    config: config ?? row.config,
    credentials: { ...openCredentials(ctx.app, row), ...credentials },
  });
}

/** Changes of one company's channels follow each other: names and the default are checked before writing. */
async function lockChannels(ctx: WorkContext): Promise<void> {
  await ctx.db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`channels:${ctx.companyId}`}, 0))`;
}

async function clearDefault(ctx: WorkContext): Promise<void> {
  await ctx.db.channel.updateMany({
    where: { companyId: ctx.companyId, isDefault: true },
    data: { isDefault: false, updatedAt: ctx.now() },
  });
}
