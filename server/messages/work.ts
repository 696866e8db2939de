import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import type { InboundMessage, StatusReport } from '../channels/adapter.ts';
import { findChannel } from '../channels/service.ts';
import { adapterFor } from '../channels/registry.ts';
import { channelsWithAutoReply } from '../conversations/auto-reply.ts';
import { cancelHeld, releaseHeld } from '../conversations/held.ts';
import { presenceOf } from '../conversations/presence.ts';
import type { ConversationRecord } from '../conversations/record.ts';
import { changeConversation, changeConversations, lockConversations } from '../conversations/thread.ts';
import type { Context } from '../platform/context.ts';
import type { JobData } from '../platform/jobs.ts';
import type { Services } from '../platform/services.ts';
import { asSystem } from '../platform/system-context.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import { together } from '../platform/together.ts';
import { inUnitOfWork, type WorkContext } from '../platform/unit-of-work.ts';
import { sendBroadcast } from './broadcast-send.ts';
import { sendQueued } from './deliver.ts';
import { fetchFile, fetchLater } from './inbound-media.ts';
import { knownMessage, receiveMessage } from './inbound.ts';
import { applyStatuses } from './status.ts';
import { waiting } from '../conversations/waiting.ts';

const sweepBatch = 1_000;
/** A transaction has room for 4,096 events. */
const reportsAtOnce = 500;
/** A message that waits so long to be sent, in milliseconds, may have lost its job. */
const staleAfterMs = 120_000;

/** Starts working on what leaves the house and what comes in. */
export async function workOnMessages(app: Services): Promise<void> {
  await app.jobs.work(
    'messages.send',
    ({ companyId, conversationId }) => sendQueued(app, companyId, conversationId),
    { concurrency: 6, timed: true },
  );
  await app.jobs.work(
    'campaigns.send',
    ({ companyId, conversationIds }) => sendBroadcast(app, companyId, conversationIds),
    { concurrency: 2, timed: true },
  );
  await app.jobs.work('messages.release', (data) => releaseDue(app, data), { concurrency: 2, timed: true });
  await app.jobs.work('messages.cancel', (data) => cancelOfContact(app, data));
  await app.jobs.work('channels.received', (data) => receive(app, data), { concurrency: 6, timed: true });
  await app.jobs.work('channels.media', (data) => fetchLater(app, data), { concurrency: 2 });
  await app.jobs.work('messages.sweep', () => sweep(app));
  await app.jobs.schedule('messages.sweep', '* * * * *');
}

/**
 * What a provider told of one channel, each message in a transaction of its own, reports together: one that fails holds
 * back no other. The queue tries all of them again, and what has been taken in already changes nothing then.
 */
export async function receive(
  app: Services,
  { companyId, channelId, payload }: JobData['channels.received'],
): Promise<void> {
  await asSystem(app, companyId, async (ctx) => {
    const channel = await findChannel(ctx, channelId);
    const adapter = channel && adapterFor(channel.kind);
    if (!channel || !adapter) return;
    const { messages, statuses, unread = [] } = adapter.receive(payload);
    for (const what of unread) ctx.log.warn({ channel: channel.kind, what }, 'item of a webhook not read');
    const failed: unknown[] = [];
    const each = async <T>(items: readonly T[], take: (item: T) => Promise<void>) => {
      for (const item of items) await take(item).catch((error: unknown) => failed.push(error));
    };
    await each(messages, (message) => takeMessage(ctx, channel, message));
    for (let first = 0; first < statuses.length; first += reportsAtOnce) {
      await together(statuses.slice(first, first + reportsAtOnce), (some) =>
        takeReports(ctx, channel, some),
      ).catch((error: unknown) => failed.push(error));
    }
    if (failed.length > 0) throw new AggregateError(failed, 'Not all that a provider told is taken in.');
  });
}

async function takeReports(
  ctx: Context,
  channel: ChannelRow,
  reports: readonly StatusReport[],
): Promise<void> {
  const unknown = await inUnitOfWork(ctx, (work) => applyStatuses(work, channel, reports));
  // They may be ahead of the answer to the send.
  if (unknown > 0) throw new Error('A report on an unknown message.');
}

async function takeMessage(ctx: Context, channel: ChannelRow, message: InboundMessage): Promise<void> {
  // A file is not brought twice for a message that is there.
  if (message.media && (await knownMessage(ctx, channel, message.providerId))) return;
  const fetched = await fetchFile(ctx.app, channel, message);
  await inUnitOfWork(ctx, (work) => receiveMessage(work, channel, message, fetched));
}

/**
 * Queues what is due in one conversation: the same statement as the button, so a message is sent once. AI does not
 * speak while an agent writes; its reply waits for the next sweep. Where it was switched off meanwhile it never speaks.
 */
async function releaseDue(
  app: Services,
  { companyId, conversationId }: JobData['messages.release'],
): Promise<void> {
  await asSystem(app, companyId, (ctx) =>
    inUnitOfWork(ctx, async (work) => {
      const [record] = await lockConversations(work, [conversationId]);
      if (!record) return;
      const dueBy = work.now();
      const cancelled = (await answersByItself(work, record))
        ? undefined
        : (await cancelHeld(work, [record], 'switched_off', { origin: 'ai', dueBy })).get(record.id);
      const beingEdited = (await presenceOf(work, [record.id])).get(record.id)?.holderId != null;
      const which = { dueBy, ...(beingEdited ? { except: 'ai' as const } : {}) };
      const released = await releaseHeld(work, [{ ...record, ...cancelled }], which);
      const changes = { ...cancelled, ...released.get(record.id) };
      if (Object.keys(changes).length > 0) await changeConversation(work, record, changes);
    }),
  );
}

async function answersByItself(
  ctx: WorkContext,
  { aiAutoReply, channelId }: ConversationRecord,
): Promise<boolean> {
  return aiAutoReply === 'on' && (await channelsWithAutoReply(ctx, [channelId])).has(channelId);
}

/** Nothing that is held leaves for a contact who was blocked. */
async function cancelOfContact(
  app: Services,
  { companyId, contactId }: JobData['messages.cancel'],
): Promise<void> {
  await asSystem(app, companyId, async (ctx) => {
    const holding = await app.prisma.conversation.findMany({
      where: { companyId, contactId, heldCount: { gt: 0 } },
      select: { id: true },
    });
    await inUnitOfWork(ctx, async (work) => {
      const records = await lockConversations(
        work,
        holding.map(({ id }) => id),
      );
      const cancelled = await cancelHeld(work, records, 'blocked');
      const steps = records.map((record) => ({ record, changes: cancelled.get(record.id) ?? {} }));
      await changeConversations(
        work,
        steps.filter(({ record }) => cancelled.has(record.id)),
      );
    });
  });
}

/** Messages whose job is gone, as after a restore, and holds whose job came before their time by another clock. */
async function sweep(app: Services): Promise<void> {
  const now = app.clock.now();
  const stale = new Date(now.getTime() - staleAfterMs);
  const left = await acrossTenants(
    () => app.prisma.$queryRaw<(JobData['messages.release'] & { held: boolean })[]>`
      SELECT DISTINCT messages.company_id AS "companyId", conversation_id AS "conversationId",
        messages.status = 'held' AS held
      FROM messages JOIN companies ON companies.id = messages.company_id AND companies.sandbox_of IS NULL
        AND companies.closed_at IS NULL
      WHERE (messages.status = 'held' AND held_until <= ${now})
        OR (messages.status = 'queued' AND ${waiting} AND messages.updated_at <= ${stale})
      LIMIT ${sweepBatch}`,
  );
  const jobs = (held: boolean) =>
    left
      .filter((one) => one.held === held)
      .map(({ companyId, conversationId }) => ({ companyId, conversationId }));
  await app.jobs.enqueueAll('messages.release', jobs(true));
  await app.jobs.enqueueAll('messages.send', jobs(false));
}
