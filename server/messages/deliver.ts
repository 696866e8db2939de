import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import { authorTypes, messageStatuses } from '../../schema/entries.ts';
import type { ChannelAdapter, Failure, OutboundMessage, SendResult } from '../channels/adapter.ts';
import { usableAdapter } from '../channels/registry.ts';
import { type ConversationRecord } from '../conversations/record.ts';
import { changeConversation, changeConversations, lockConversations } from '../conversations/thread.ts';
import { mediaUrl } from '../media/present.ts';
import { databaseTime } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import type { Services } from '../platform/services.ts';
import { asSystem } from '../platform/system-context.ts';
import { inUnitOfWork, type WorkContext } from '../platform/unit-of-work.ts';
import { addressOn } from './address.ts';
import { tellStatus, tellStatuses } from './broadcast.ts';
import { answered } from './post.ts';
import { wordOf } from './present.ts';
import { callProvider } from './provider-call.ts';
import { findMessage, findMessages, type MessageRecord } from './record.ts';
import { waiting } from '../conversations/waiting.ts';

/** Calls for one message before it is given up. */
const maximumAttempts = 5;
/** Beyond the adapter's patience a call that has not ended belongs to a dead process, in milliseconds. */
const graceMs = 2_000;

const unknownOutcome: Failure = {
  code: 'provider_error',
  message: 'It is not known whether the message was sent.',
  providerCode: null,
};

/** A message whose provider call is ours to make. */
export interface Claim {
  kind: 'claim';
  message: MessageRecord;
  channel: ChannelRow;
  adapter: ChannelAdapter;
  outbound: OutboundMessage;
}

type Next =
  | Claim
  /** Somebody's call runs; if it never ends, look again then. */
  | { kind: 'busy'; until: Date }
  /** The first one was settled without a call; there may be another. */
  | { kind: 'settled' }
  | { kind: 'none' };

/**
 * Sends what is queued in one conversation, one message at a time: the next one waits until the provider has accepted
 * the one before. Any number of processes may run it at once; the row says whose turn it is.
 */
export async function sendQueued(app: Services, companyId: string, conversationId: string): Promise<void> {
  await asSystem(app, companyId, async (ctx) => {
    for (;;) {
      const next = await inUnitOfWork(ctx, (work) => claimNext(work, conversationId));
      if (next.kind === 'none') return;
      if (next.kind === 'busy') {
        await app.jobs.enqueue('messages.send', { companyId, conversationId }, { startAfter: next.until });
        return;
      }
      if (next.kind === 'claim' && !(await perform(ctx, next))) return;
    }
  });
}

/**
 * Marks the oldest queued message as being sent, before the call: if this process dies, the mark tells that a call was
 * begun. A call that outlived its process is repeated only where the provider knows our reference.
 */
async function claimNext(ctx: WorkContext, conversationId: string): Promise<Next> {
  const [record] = await lockConversations(ctx, [conversationId]);
  if (!record) return { kind: 'none' };
  const [first] = await ctx.db.$queryRaw<{ id: string; age: number | null }[]>`
    SELECT id, extract(epoch FROM clock_timestamp() - attempted_at)::float8 * 1000 AS age FROM messages
    WHERE company_id = ${ctx.companyId} AND conversation_id = ${conversationId} AND status = 'queued'
      AND ${waiting}
    ORDER BY at LIMIT 1`;
  const message = first && (await findMessage(ctx, first.id));
  if (!message) return { kind: 'none' };
  const channel = await ctx.db.channel.findUniqueOrThrow({
    where: { companyId_id: { companyId: ctx.companyId, id: message.channelId } },
  });
  const adapter = usableAdapter(channel);
  if (!adapter) {
    const failure = { ...unknownOutcome, message: 'The channel can’t be used any more.' };
    return settleFailed(ctx, record, message, failure);
  }
  if (first.age !== null) {
    const left = adapter.patience + graceMs - first.age;
    if (left > 0) return { kind: 'busy', until: new Date(databaseTime() + left) };
    if (!adapter.capabilities.reference) return settleFailed(ctx, record, message, unknownOutcome, true);
  }
  if (message.attempts >= maximumAttempts) {
    const failure = { ...unknownOutcome, message: 'The provider could not be reached.' };
    return settleFailed(ctx, record, message, failure, first.age !== null);
  }
  const contact = await ctx.db.contact.findUniqueOrThrow({
    where: { companyId_id: { companyId: ctx.companyId, id: message.contactId } },
  });
  const to = await addressOn(ctx, channel, contact);
  // Whoever left since a campaign's message was queued does not get it any more.
  const left = message.campaignId !== null && !contact.subscribed;
  if (to === null || contact.blocked || contact.deletedAt || left) {
    const failure: Failure = {
      code: 'undeliverable',
      message: 'The contact can’t be written to.',
      providerCode: null,
    };
    return settleFailed(ctx, record, message, failure);
  }
  await ctx.db.$executeRaw`
    UPDATE messages SET attempts = attempts + 1, attempted_at = clock_timestamp(), version = version + 1
    WHERE company_id = ${ctx.companyId} AND id = ${message.id}`;
  return { kind: 'claim', message, channel, adapter, outbound: await outboundOf(ctx, message, to) };
}

export async function outboundOf(ctx: Context, message: MessageRecord, to: string): Promise<OutboundMessage> {
  const quoted = message.replyToId
    ? await ctx.db.message.findUnique({
        where: { companyId_id: { companyId: ctx.companyId, id: message.replyToId } },
        select: { providerId: true },
      })
    : null;
  const { media } = message;
  return {
    id: message.id,
    to,
    type: message.type,
    text: message.text,
    media: media && {
      id: media.id,
      url: mediaUrl(ctx.app, media),
      kind: media.kind,
      mimeType: media.mimeType,
      filename: media.filename,
    },
    template: message.template,
    product: message.productId,
    order: message.orderId,
    replyTo: quoted?.providerId ?? null,
    conversationId: message.conversationId,
    authorType: wordOf(authorTypes, message.authorType),
    attempt: message.attempts + 1,
  };
}

/** @returns whether the next message may follow at once */
async function perform(ctx: Context, claim: Claim): Promise<boolean> {
  const result = await callProvider(ctx, claim);
  return inUnitOfWork(ctx, async (work) => {
    const [record] = await lockConversations(work, [claim.message.conversationId]);
    return record ? settle(work, record, claim, result) : false;
  });
}

/** Writes what a call came to, in its locked thread. @returns whether the next message may follow at once */
export async function settle(
  ctx: WorkContext,
  record: ConversationRecord,
  { message, adapter }: Claim,
  result: SendResult | undefined,
): Promise<boolean> {
  if (result?.outcome === 'accepted') {
    await settleAccepted(ctx, [{ record, message, providerId: result.providerId }]);
    return true;
  }
  if (result?.outcome === 'refused') {
    await settleFailed(ctx, record, message, result.failure);
    return true;
  }
  if (!result && !adapter.capabilities.reference) {
    await settleFailed(ctx, record, message, unknownOutcome, true);
    return true;
  }
  if (result?.failure && message.attempts + 1 >= maximumAttempts) {
    await settleFailed(ctx, record, message, result.failure);
    return true;
  }
  // 1, 4, 16, 64 seconds: what Meta advises where one customer was written to too often.
  await tryLater(ctx, message, result?.seconds ?? 4 ** message.attempts);
  return false;
}

async function tryLater(ctx: WorkContext, message: MessageRecord, seconds: number): Promise<void> {
  await ctx.db.$executeRaw`
    UPDATE messages SET attempted_at = NULL WHERE company_id = ${ctx.companyId} AND id = ${message.id}`;
  await ctx.enqueue(
    'messages.send',
    { companyId: ctx.companyId, conversationId: message.conversationId },
    { startAfter: new Date(databaseTime() + seconds * 1_000) },
  );
}

interface Accepted {
  record: ConversationRecord;
  message: MessageRecord;
  providerId: string;
}

/**
 * Writes that messages of locked threads were accepted, one of each. The provider's report may have overtaken its own
 * answer: what is further on stays.
 */
export async function settleAccepted(ctx: WorkContext, accepted: readonly Accepted[]): Promise<void> {
  if (accepted.length === 0) return;
  const now = ctx.now();
  const given = accepted.map(({ message, providerId }) => ({ id: message.id, provider_id: providerId }));
  const moved = await ctx.db.$queryRaw<{ id: string; sent: boolean }[]>`
    WITH earlier AS (
      SELECT messages.id, messages.status, given.provider_id
      FROM json_to_recordset(${JSON.stringify(given)}::json) AS given (id text, provider_id text)
      JOIN messages ON messages.company_id = ${ctx.companyId} AND messages.id = given.id
    )
    UPDATE messages SET provider_id = earlier.provider_id, sent_at = coalesce(sent_at, ${now}),
      status = CASE WHEN messages.status = 'queued' THEN 'sent' ELSE messages.status END,
      attempted_at = NULL, version = version + 1, updated_at = ${now}
    FROM earlier WHERE messages.company_id = ${ctx.companyId} AND messages.id = earlier.id
    RETURNING messages.id, earlier.status = 'queued' AS sent`;
  const messages = await findMessages(
    ctx,
    moved.filter(({ sent }) => sent).map(({ id }) => id),
  );
  const byId = new Map(messages.map((message) => [message.id, message]));
  const sent = accepted.flatMap(({ record, message: { id } }) => {
    const message = byId.get(id);
    return message ? [{ record, message }] : [];
  });
  await changeConversations(
    ctx,
    sent.map(({ record, message }) => ({
      record,
      changes: {
        ...statusPreview(record, message),
        // What was held has become an answer only now.
        ...(message.heldOrigin === null
          ? {}
          : answered(record, { type: wordOf(authorTypes, message.authorType) }, now)),
      },
    })),
  );
  await tellStatuses(
    ctx,
    sent.map(({ message }) => ({ status: 'sent', message, before: 'queued' })),
  );
}

async function settleFailed(
  ctx: WorkContext,
  record: ConversationRecord,
  before: MessageRecord,
  failure: Failure,
  outcomeUnknown = false,
): Promise<{ kind: 'settled' }> {
  const now = ctx.now();
  const { count } = await ctx.db.message.updateMany({
    where: { companyId: ctx.companyId, id: before.id, status: 'queued' },
    data: {
      status: 'failed',
      failureCode: failure.code,
      failureMessage: failure.message,
      providerCode: failure.providerCode,
      failedAt: now,
      outcomeUnknown,
      attemptedAt: null,
      version: { increment: 1 },
      updatedAt: now,
    },
  });
  const message = count === 1 ? await findMessage(ctx, before.id) : null;
  if (message) {
    await changeConversation(ctx, record, statusPreview(record, message));
    await tellStatus(ctx, 'failed', message, 'queued');
  }
  return { kind: 'settled' };
}

/** The preview in the inbox tells the status too. */
export function statusPreview(
  { lastMessage: last }: ConversationRecord,
  message: Pick<MessageRecord, 'id' | 'status'>,
) {
  return last?.id === message.id
    ? { lastMessage: { ...last, status: wordOf(messageStatuses, message.status) } }
    : {};
}
