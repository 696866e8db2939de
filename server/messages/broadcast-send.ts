import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import type { SendResult } from '../channels/adapter.ts';
import { usableAdapter } from '../channels/registry.ts';
import { findChannel } from '../channels/service.ts';
import { contactsById } from '../contacts/loaders.ts';
import { lockConversations } from '../conversations/thread.ts';
import type { Services } from '../platform/services.ts';
import { asSystem } from '../platform/system-context.ts';
import { together } from '../platform/together.ts';
import { inUnitOfWork, type WorkContext } from '../platform/unit-of-work.ts';
import { addressesOn } from './address.ts';
import { type Claim, outboundOf, settle, settleAccepted } from './deliver.ts';
import { callProvider } from './provider-call.ts';
import { findMessages, type MessageRecord } from './record.ts';
import { waiting } from '../conversations/waiting.ts';

interface Answer {
  claim: Claim;
  /** Undefined when it is not known what became of it. */
  result: SendResult | undefined;
}

/**
 * Sends a campaign's messages in many conversations: they are marked in one transaction, all calls are made at once, and
 * answers are settled as many at a time as have come. Whatever is not the plain case is left to the sending of single
 * conversations, which keeps their order.
 */
export async function sendBroadcast(
  app: Services,
  companyId: string,
  conversationIds: readonly string[],
): Promise<void> {
  await asSystem(app, companyId, async (ctx) => {
    const claims = await inUnitOfWork(ctx, (work) => claimFirst(work, conversationIds));
    const answers: Answer[] = [];
    const write = (some: readonly Answer[]) => inUnitOfWork(ctx, (work) => settleTogether(work, some));
    let settling: Promise<void> | null = null;
    await Promise.all(
      claims.map(async (claim) => {
        const mine: Answer = { claim, result: await callProvider(ctx, claim) };
        answers.push(mine);
        while (answers.includes(mine)) {
          settling ??= together(answers.splice(0), write).finally(() => (settling = null));
          await settling;
        }
      }),
    );
  });
}

/** Marks the first message that waits in each conversation, where it is a campaign's and nobody has tried it yet. */
async function claimFirst(ctx: WorkContext, conversationIds: readonly string[]): Promise<Claim[]> {
  await lockConversations(ctx, conversationIds);
  const first = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT ON (conversation_id) id FROM messages
    WHERE company_id = ${ctx.companyId} AND conversation_id = ANY(${[...conversationIds]}) AND status = 'queued'
      AND ${waiting}
    ORDER BY conversation_id, at`;
  const messages = await findMessages(
    ctx,
    first.map(({ id }) => id),
  );
  const claims: Claim[] = [];
  const plain = messages.filter((one) => one.campaignId !== null && one.attempts === 0 && !one.replyToId);
  for (const [channelId, ofChannel] of Map.groupBy(plain, (message) => message.channelId)) {
    const channel = await findChannel(ctx, channelId);
    if (channel) claims.push(...(await claimOn(ctx, channel, ofChannel)));
  }
  const claimed = new Set(claims.map(({ message }) => message.id));
  await ctx.db.$executeRaw`
    UPDATE messages SET attempts = attempts + 1, attempted_at = clock_timestamp(), version = version + 1
    WHERE company_id = ${ctx.companyId} AND id = ANY(${[...claimed]})`;
  await sendSingly(
    ctx,
    messages.filter(({ id }) => !claimed.has(id)).map((message) => message.conversationId),
  );
  return claims;
}

/** Whoever left since the message was queued is none of them. */
async function claimOn(
  ctx: WorkContext,
  channel: ChannelRow,
  messages: readonly MessageRecord[],
): Promise<Claim[]> {
  const adapter = usableAdapter(channel);
  if (!adapter) return [];
  const contacts = await contactsById(
    ctx,
    messages.map(({ contactId }) => contactId),
  );
  const willing = [...contacts.values()].filter(({ blocked, subscribed }) => !blocked && subscribed);
  const addresses = await addressesOn(ctx, channel, willing);
  const claims = messages.map(async (message): Promise<Claim[]> => {
    const to = addresses.get(message.contactId) ?? null;
    if (to === null) return [];
    return [{ kind: 'claim', message, channel, adapter, outbound: await outboundOf(ctx, message, to) }];
  });
  return (await Promise.all(claims)).flat();
}

function sendSingly(ctx: WorkContext, conversationIds: readonly string[]): Promise<void> {
  const { companyId } = ctx;
  return ctx.enqueueAll(
    'messages.send',
    conversationIds.map((conversationId) => ({ companyId, conversationId })),
  );
}

async function settleTogether(ctx: WorkContext, answers: readonly Answer[]): Promise<void> {
  const records = await lockConversations(
    ctx,
    answers.map(({ claim }) => claim.message.conversationId),
  );
  const known = new Map(records.map((record) => [record.id, record]));
  const through: string[] = [];
  const accepted: Parameters<typeof settleAccepted>[1][number][] = [];
  for (const { claim, result } of answers) {
    const record = known.get(claim.message.conversationId);
    if (!record) continue;
    if (result?.outcome === 'accepted')
      accepted.push({ record, message: claim.message, providerId: result.providerId });
    if (result?.outcome === 'accepted' || (await settle(ctx, record, claim, result))) through.push(record.id);
  }
  await settleAccepted(ctx, accepted);
  // What was written meanwhile waits behind it.
  const behind = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT conversation_id AS id FROM messages
    WHERE company_id = ${ctx.companyId} AND conversation_id = ANY(${through}) AND status = 'queued'
      AND ${waiting}`;
  await sendSingly(
    ctx,
    behind.map(({ id }) => id),
  );
}
