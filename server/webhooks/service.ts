import { z } from 'zod';
import type { WebhookEndpoint as EndpointRow } from '../../prisma/generated/client/client.ts';
import {
  maxEndpoints,
  WebhookEndpointCreate,
  WebhookEndpointPath,
  WebhookEndpointUpdate,
} from '../../schema/webhooks.ts';
import type { Context } from '../platform/context.ts';
import { conflict, invalidField, notFound } from '../platform/errors.ts';
import { isId, newId } from '../platform/ids.ts';
import { mutation, query } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { AddressRefused, allowedAddresses, ownReceiver, parseTarget, portOf } from './address.ts';
import { changedAnnouncement, dueAnnouncement, webhooksChannel } from './dispatcher.ts';
import { sealSecret, secretsKey } from './secrets.ts';
import { newSecret } from './signature.ts';

/** A replaced secret signs along for so many milliseconds. */
const overlap = 24 * 60 * 60 * 1000;
/** Replaced secrets that are kept; with more rotations the oldest ends early. */
const oldSecrets = 10;

/** Owner and admins manage endpoints in the dashboard, operators on the command line; no key does. */
const managed = { access: 'admin', liveOnly: true } as const;

export const endpointTargets = {
  endpoint: async (ctx: Context, id: string) => (await findEndpoint(ctx, id)) !== null,
};

async function findEndpoint(ctx: Context, id: string): Promise<EndpointRow | null> {
  if (!isId(id)) return null;
  return ctx.db.webhookEndpoint.findUnique({ where: { companyId_id: { companyId: ctx.companyId, id } } });
}

export async function requireEndpoint(ctx: Context, id: string): Promise<EndpointRow> {
  const row = await findEndpoint(ctx, id);
  if (!row) throw notFound();
  return row;
}

export const listWebhookEndpoints = query({ ...managed, input: z.object({}) }, (ctx) =>
  ctx.db.webhookEndpoint.findMany({
    where: { companyId: ctx.companyId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  }),
);

export const showWebhookEndpoint = query(
  { ...managed, input: WebhookEndpointPath, targets: endpointTargets },
  (ctx, { endpoint }) => requireEndpoint(ctx, endpoint),
);

/** At most ten. Events that were written before it are not for it. */
export const createWebhookEndpoint = mutation(
  { ...managed, input: WebhookEndpointCreate, prepare: (ctx, { url }) => requireReceiver(ctx, url) },
  async (ctx, { url, events, description, enabled = true, skip_key: skipKey }) => {
    const { companyId, db } = ctx;
    await db.$queryRaw`SELECT 1 FROM companies WHERE id = ${companyId} FOR NO KEY UPDATE`;
    const known = await db.webhookEndpoint.count({ where: { companyId } });
    if (known >= maxEndpoints) throw conflict(`A company has at most ${maxEndpoints} endpoints.`);
    await requireKey(ctx, skipKey);
    const now = ctx.now();
    const id = newId();
    const [start] = await db.$queryRaw<{ sequence: bigint }[]>`SELECT event_sequence_base() AS sequence`;
    const row = await db.webhookEndpoint.create({
      data: {
        companyId,
        id,
        url,
        events: normalized(events),
        description: description ?? null,
        skipApiKeyId: skipKey ?? null,
        enabled,
        ...(enabled ? {} : { disabledReason: 'manual', disabledAt: now }),
        startSequence: start?.sequence ?? 0n,
        createdAt: now,
        updatedAt: now,
      },
    });
    return { ...row, secret: await addSecret(ctx, id, now) };
  },
);

/**
 * Absent fields stay as they are. Switching an endpoint off discards what waits for it; switching it on again starts
 * with what happens from then on.
 */
export const updateWebhookEndpoint = mutation(
  {
    ...managed,
    input: WebhookEndpointUpdate,
    targets: endpointTargets,
    prepare: async (ctx, { endpoint, url }) => {
      if (url === undefined) return;
      await requireEndpoint(ctx, endpoint);
      await requireReceiver(ctx, url);
    },
  },
  async (ctx, { endpoint, url, events, description, enabled, skip_key: skipKey }) => {
    await lockEndpoint(ctx, endpoint);
    const before = await requireEndpoint(ctx, endpoint);
    await requireKey(ctx, skipKey);
    const now = ctx.now();
    const switched = enabled !== undefined && enabled !== before.enabled;
    if (switched) await discardQueue(ctx, endpoint, now);
    announceChange(ctx, endpoint);
    return ctx.db.webhookEndpoint.update({
      where: { companyId_id: { companyId: ctx.companyId, id: endpoint } },
      data: {
        ...(url === undefined ? {} : { url }),
        ...(events === undefined ? {} : { events: normalized(events) }),
        ...(description === undefined ? {} : { description }),
        ...(skipKey === undefined ? {} : { skipApiKeyId: skipKey }),
        ...(switched ? switchedTo(enabled, now) : {}),
        updatedAt: now,
      },
    });
  },
);

export const deleteWebhookEndpoint = mutation(
  { ...managed, input: WebhookEndpointPath, targets: endpointTargets },
  async (ctx, { endpoint }) => {
    await lockEndpoint(ctx, endpoint);
    announceChange(ctx, endpoint);
    return ctx.db.webhookEndpoint.delete({
      where: { companyId_id: { companyId: ctx.companyId, id: endpoint } },
    });
  },
);

/** The new secret signs at once; the one before signs along for 24 hours. */
export const rotateWebhookSecret = mutation(
  { ...managed, input: WebhookEndpointPath, targets: endpointTargets },
  async (ctx, { endpoint }) => {
    await lockEndpoint(ctx, endpoint);
    const row = await requireEndpoint(ctx, endpoint);
    const now = ctx.now();
    const ours = { companyId: ctx.companyId, endpointId: endpoint };
    await ctx.db.webhookSecret.deleteMany({ where: { ...ours, expiresAt: { lte: now } } });
    await ctx.db.webhookSecret.updateMany({
      where: { ...ours, expiresAt: null },
      data: { expiresAt: new Date(now.getTime() + overlap) },
    });
    const old = await ctx.db.webhookSecret.findMany({
      where: ours,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip: oldSecrets,
      select: { id: true },
    });
    await ctx.db.webhookSecret.deleteMany({ where: { ...ours, id: { in: old.map(({ id }) => id) } } });
    announceChange(ctx, endpoint);
    return { ...row, secret: await addSecret(ctx, endpoint, now) };
  },
);

/** Sends `webhook.ping` to this endpoint alone: the one event that no live activity caused. */
export const sendTestWebhook = mutation(
  { ...managed, input: WebhookEndpointPath, targets: endpointTargets },
  async (ctx, { endpoint }) => {
    const { enabled } = await requireEndpoint(ctx, endpoint);
    if (!enabled) throw conflict('The endpoint is switched off.');
    const now = ctx.now();
    const eventId = newId();
    ctx.emit({ type: 'webhook.ping', id: eventId, livemode: false, object: { id: endpoint } });
    const event = (await ctx.flush()).find(({ id }) => id === eventId);
    if (!event) throw new Error('The ping was not recorded.');
    announceDue(ctx, endpoint);
    return ctx.db.webhookDelivery.create({
      data: {
        companyId: ctx.companyId,
        id: newId(),
        endpointId: endpoint,
        eventId,
        eventType: event.type,
        sequence: BigInt(event.sequence),
        // Not in the queue of first attempts, whose order is the log's.
        status: 'retrying',
        nextAttemptAt: now,
        resentAt: now,
        createdAt: now,
      },
    });
  },
);

/** Takes the endpoint's lock before anything is read. @throws AppError `not_found` */
export async function lockEndpoint(ctx: WorkContext, id: string): Promise<void> {
  const found = isId(id)
    ? await ctx.db.$queryRaw<unknown[]>`
        SELECT 1 FROM webhook_endpoints WHERE company_id = ${ctx.companyId} AND id = ${id} FOR UPDATE`
    : [];
  if (found.length === 0) throw notFound();
}

/** Tells every process, when this transaction commits, that the endpoint has something due. */
export function announceDue(ctx: WorkContext, endpointId: string): void {
  ctx.notify({ channel: webhooksChannel, text: dueAnnouncement([endpointId]) });
}

/** Tells every process, when this transaction commits, to look at the endpoint again. */
export function announceChange(ctx: WorkContext, endpointId: string): void {
  ctx.notify({ channel: webhooksChannel, text: changedAnnouncement(endpointId) });
}

async function discardQueue(ctx: WorkContext, endpoint: string, now: Date): Promise<void> {
  await ctx.db.webhookDelivery.updateMany({
    where: { companyId: ctx.companyId, endpointId: endpoint, status: { in: ['pending', 'retrying'] } },
    data: { status: 'discarded', nextAttemptAt: null, completedAt: now },
  });
}

function switchedTo(enabled: boolean, now: Date) {
  if (!enabled) return { enabled, disabledReason: 'manual', disabledAt: now };
  return {
    enabled,
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
    failureCount: 0,
    circuitOpenUntil: null,
    ownerNotifiedAt: null,
  };
}

/** @returns the plain secret, this once */
async function addSecret(ctx: WorkContext, endpointId: string, now: Date): Promise<string> {
  const { companyId } = ctx;
  const id = newId();
  const secret = newSecret();
  const sealed = sealSecret(secretsKey(ctx.app.config), { companyId, id }, secret);
  await ctx.db.webhookSecret.create({ data: { companyId, id, endpointId, secret: sealed, createdAt: now } });
  return secret;
}

function normalized(events: readonly string[]): string[] {
  return events.includes('*') ? ['*'] : [...new Set(events)].sort();
}

/** A name that is not known yet is accepted: attempts fail until it is, and each looks again. */
async function requireReceiver(ctx: Context, text: string): Promise<void> {
  const { catcher, config } = ctx.app;
  const policy = catcher?.urlOf(ctx.companyId) === text ? ownReceiver : config.webhooks;
  try {
    const url = parseTarget(text, policy);
    await allowedAddresses(url.hostname.replace(/^\[|\]$/g, ''), portOf(url), policy);
  } catch (error) {
    if (error instanceof AddressRefused) throw invalidField('url', 'not_allowed', error.message);
    if (typeof error !== 'object' || error === null || !('code' in error)) throw error;
  }
}

async function requireKey(ctx: Context, id: string | null | undefined): Promise<void> {
  if (id === null || id === undefined) return;
  const found = isId(id)
    ? await ctx.db.apiKey.findFirst({ where: { companyId: ctx.companyId, id }, select: { id: true } })
    : null;
  if (!found) throw invalidField('skip_key', 'unknown_id', 'Must be the id of an API key of this company.');
}

export type EndpointWithSecret = EndpointRow & { secret: string };
