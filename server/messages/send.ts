import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import type { ContactRow } from '../contacts/columns.ts';
import { MessageSend } from '../../schema/messages.ts';
import { usableAdapter } from '../channels/registry.ts';
import { findChannel, findChannelByName, findDefaultChannel } from '../channels/service.ts';
import { findContact } from '../contacts/service.ts';
import { authorOf } from '../conversations/authors.ts';
import type { ConversationRecord } from '../conversations/record.ts';
import { replyWindowOf } from '../conversations/reply-window.ts';
import { lockConversations } from '../conversations/thread.ts';
import type { Context } from '../platform/context.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import { mutation } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { addressOn } from './address.ts';
import { compose } from './compose.ts';
import { findOrOpen, reopen } from './open-thread.ts';
import { type Content, type Draft, postMessage } from './post.ts';
import { companyOf } from '../account/company.ts';

/** Whom it goes to, and how. */
interface Route {
  channel: ChannelRow;
  contact: ContactRow;
  /** Null until a thread is found or opened. */
  record: ConversationRecord | null;
  /** The field that named it, for refusals. */
  named: 'conversation' | 'contact';
}

/**
 * Sends a message: checks everything that speaks against it, stores it, and leaves the sending to a job after the
 * commit. A refusal changes nothing.
 */
export const sendMessage = mutation({ access: 'inbox.access', input: MessageSend }, async (ctx, input) => {
  const route =
    input.conversation === undefined
      ? await routeToContact(ctx, input)
      : await routeToConversation(ctx, input.conversation);
  const author = authorOf(ctx);
  // First of all the thread is locked: the order of its writers is the order of its events.
  const found = route.record ?? (await findOrOpen(ctx, route.channel, route.contact, author));
  const content = await compose(ctx, input, route.contact);
  const { failure } = await requireSendable(ctx, { ...route, record: found }, content);
  const replyToId = await quoted(ctx, found, input.reply_to);
  await refuseDuplicate(ctx, found, input.client_ref);
  const record = found.status === 'closed' ? await reopen(ctx, found, author) : found;
  return postMessage(ctx, record, {
    content,
    author,
    replyToId,
    clientRef: input.client_ref ?? null,
    hold: await holdOf(ctx, input.hold_seconds),
    failure,
  });
});

async function routeToConversation(ctx: WorkContext, id: string): Promise<Route> {
  const [record] = isId(id) ? await lockConversations(ctx, [id]) : [];
  const [contact, channel] = record
    ? await Promise.all([findContact(ctx, record.contactId), findChannel(ctx, record.channelId)])
    : [];
  if (!record || !channel) throw invalidField('conversation', 'unknown_id', 'There is no such conversation.');
  if (!contact) throw invalidField('conversation', 'not_allowed', 'Its contact was deleted.');
  return { channel, contact, record, named: 'conversation' };
}

async function routeToContact(
  ctx: WorkContext,
  { contact: id = '', channel: word }: MessageSend,
): Promise<Route> {
  const contact = await findContact(ctx, id);
  if (!contact) throw invalidField('contact', 'unknown_id', 'There is no such contact.');
  const channel = word === undefined ? await usualChannel(ctx, contact) : await findChannelByName(ctx, word);
  if (!channel) {
    const message = word === undefined ? 'The company has no channel.' : 'There is no such channel.';
    throw invalidField('channel', 'channel_unavailable', message);
  }
  return { channel, contact, record: null, named: 'contact' };
}

/** That of the contact's latest conversation, else the company's default. */
async function usualChannel(ctx: WorkContext, contact: ContactRow): Promise<ChannelRow | null> {
  const latest = await ctx.db.conversation.findFirst({
    where: { companyId: ctx.companyId, contactId: contact.id },
    orderBy: [{ lastMessageAt: 'desc' }, { id: 'desc' }],
    select: { channel: true },
  });
  return latest?.channel ?? findDefaultChannel(ctx);
}

/**
 * Everything that is known to speak against sending, before anything leaves.
 * @param address where the contact is reached, when that is known already
 * @throws AppError `validation_failed` with the reason as detail code
 */
export async function requireSendable(
  ctx: WorkContext,
  { channel, contact, record, named }: Route,
  content: Content,
  address?: string | null,
): Promise<Pick<Draft, 'failure'>> {
  const adapter = usableAdapter(channel);
  if (!adapter)
    throw invalidField(named, 'channel_unavailable', `The channel ${channel.name} can’t be used.`);
  if (contact.blocked) throw invalidField(named, 'contact_blocked', 'The contact is blocked.');
  const to = address === undefined ? await addressOn(ctx, channel, contact) : address;
  if (to === null)
    throw invalidField(named, 'channel_unavailable', `The contact has no address on ${channel.name}.`);
  const refusal = adapter.refusal(channel, { to, template: content.template });
  if (refusal) throw refusal;
  if (content.template) {
    const marketing = adapter.isMarketing(channel, content.template);
    if (marketing && !contact.subscribed)
      throw invalidField('template', 'contact_unsubscribed', 'The contact takes no marketing messages.');
  } else if (!(await windowOpen(ctx, channel, contact, record))) {
    throw windowClosed();
  }
  return { failure: ctx.principal.livemode ? null : adapter.rehearse({ to }) };
}

/** Whether a message that the house writes by itself may go: whatever would refuse an agent's keeps it silent. */
export async function isSendable(ctx: WorkContext, route: Route, content: Content): Promise<boolean> {
  try {
    await requireSendable(ctx, route, content);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** The window opens with any message of the customer on the channel, in whichever thread. */
async function windowOpen(
  ctx: Context,
  channel: ChannelRow,
  contact: ContactRow,
  record: ConversationRecord | null,
): Promise<boolean> {
  if (replyWindowOf(channel.kind, record?.lastInboundAt ?? null, ctx.now()).open) return true;
  const latest = await ctx.db.conversation.findFirst({
    where: {
      companyId: ctx.companyId,
      contactId: contact.id,
      channelId: channel.id,
      lastInboundAt: { not: null },
    },
    orderBy: { lastInboundAt: 'desc' },
    select: { lastInboundAt: true },
  });
  return replyWindowOf(channel.kind, latest?.lastInboundAt ?? null, ctx.now()).open;
}

function windowClosed(): AppError {
  return invalidField('text', 'window_closed', 'The reply window is closed; send a template.');
}

async function quoted(
  ctx: Context,
  record: ConversationRecord,
  id: string | undefined,
): Promise<string | null> {
  if (id === undefined) return null;
  const message = isId(id)
    ? await ctx.db.message.findFirst({
        where: { companyId: ctx.companyId, id, conversationId: record.id },
        select: { id: true },
      })
    : null;
  if (!message) throw invalidField('reply_to', 'unknown_id', 'There is no such message in the conversation.');
  return message.id;
}

async function refuseDuplicate(ctx: Context, record: ConversationRecord, clientRef: string | undefined) {
  if (clientRef === undefined) return;
  const existing = await ctx.db.message.findFirst({
    where: { companyId: ctx.companyId, conversationId: record.id, clientRef },
    select: { id: true },
  });
  if (existing)
    throw invalidField(
      'client_ref',
      'duplicate',
      'Another message of the conversation has this reference.',
      existing.id,
    );
}

/** As asked; else an agent in the dashboard gets the company's time to think again. */
async function holdOf(ctx: Context, asked: number | undefined): Promise<Draft['hold']> {
  if (asked !== undefined) return { seconds: asked, origin: 'request' };
  if (ctx.principal.kind !== 'user') return null;
  const { undoSendSeconds } = await companyOf(ctx);
  return { seconds: undoSendSeconds, origin: 'undo' };
}
