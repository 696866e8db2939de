import type { Channel as ChannelRow, Prisma } from '../../prisma/generated/client/client.ts';
import type { ContactRow } from '../contacts/columns.ts';
import { email as Email } from '../../schema/common.ts';
import type { InboundMessage } from '../channels/adapter.ts';
import { adapterFor } from '../channels/registry.ts';
import { parsePhone } from '../contacts/phone.ts';
import { rememberAddress } from '../contacts/identities.ts';
import { emitChanges, findByEmail, insertContact } from '../contacts/service.ts';
import type { StoredAuthor } from '../conversations/authors.ts';
import { cancelHeld } from '../conversations/held.ts';
import { notifyFollowers } from '../conversations/notifications.ts';
import { changeConversation, entryTime, lockConversation, recordEntry } from '../conversations/thread.ts';
import { recordReceivedFile } from '../media/receive.ts';
import { databaseTime } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import { newId } from '../platform/ids.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { countReply, countUnsubscribed } from './broadcast.ts';
import { type Fetched, textWithout } from './inbound-media.ts';
import { findOrOpen, holdKey } from './open-thread.ts';
import { authorColumns, emitMessage, previewOf } from './post.ts';
import { takeRating } from './rating.ts';
import { findMessage, insertMessage } from './record.ts';
import { wakeAutomation } from './wake.ts';

/** Where an inbound message ended up. */
export interface Arrival {
  message: string;
  conversation: string;
  contact: string;
}

/** What customers write within so many milliseconds AI reads at once. */
const thinkingDelayMs = 1_000;

/** The whole message, in capitals: whoever sends it wants no more marketing. */
const stopWords = new Set(['STOP', 'UNSUBSCRIBE', 'BAJA', 'PARAR']);

/**
 * Takes in one message of a customer: the contact and the thread are found or made, once however many messages come
 * at the same time. The same provider id again is no second message.
 * @returns null when nothing was kept: an address that can't be one, or a blocked contact without a thread
 */
export async function receiveMessage(
  ctx: WorkContext,
  channel: ChannelRow,
  inbound: InboundMessage,
  fetched: Fetched | null = null,
): Promise<Arrival | null> {
  const address = adapterFor(channel.kind)?.address(inbound.from) ?? null;
  if (address === null) return null;
  await holdKey(ctx, channel.id, address);
  const known = await knownMessage(ctx, channel, inbound.providerId);
  if (known) return { message: known.id, conversation: known.conversationId, contact: known.contactId };
  const contact = await findOrCreateContact(ctx, channel, address, inbound.name);
  const kept = { content: await contentOf(ctx, inbound, fetched), later: fetched === 'later' };
  return contact.blocked
    ? keepQuietly(ctx, channel, contact, inbound, kept)
    : arrive(ctx, channel, contact, inbound, kept);
}

async function arrive(
  ctx: WorkContext,
  channel: ChannelRow,
  contact: ContactRow,
  inbound: InboundMessage,
  kept: Pick<Insertion, 'content' | 'later'>,
): Promise<Arrival> {
  const author = authorFor(contact);
  const store = (conversationId: string, at: Date) =>
    insert(ctx, { channel, contact, inbound, ...kept, conversationId, at });
  const stop = stopWords.has(inbound.text.trim().toUpperCase());
  const rated = stop ? null : await takeRating(ctx, { channel, contact, inbound, author, store });
  if (rated) return rated;
  const named = inbound.thread ? await threadOf(ctx, channel, contact, inbound.thread) : null;
  let record = await findOrOpen(ctx, channel, contact, author, named);
  if (record.archived) {
    record = await recordEntry(ctx, record, 'conversation.unarchived', {
      changes: { archived: false },
      data: {},
      author,
    });
  }
  const cancelled = await cancelHeld(ctx, [record], 'superseded_by_inbound', { origin: 'ai' });
  const at = entryTime(record, ctx.now());
  const id = await store(record.id, at);
  await changeConversation(ctx, record, {
    ...cancelled.get(record.id),
    lastMessage: {
      id,
      direction: 'inbound',
      type: kept.content.type,
      snippet: previewOf({ ...kept.content, template: null }),
      status: 'received',
      at: at.toISOString(),
    },
    lastMessageAt: at,
    lastEntryAt: at,
    lastInboundAt: at,
    unreadCount: record.unreadCount + 1,
    waitingSince: record.waitingSince ?? at,
  });
  const message = await findMessage(ctx, id);
  if (message) emitMessage(ctx, 'message.received', message);
  await notifyFollowers(ctx, record, id);
  await countReply(ctx, contact, channel.id);
  if (record.aiAutoReply === 'on' && !inbound.automatic)
    await ctx.enqueue('ai.reply', { companyId: ctx.companyId, conversationId: record.id, messageId: id });
  if (contact.subscribed && stop) {
    await unsubscribe(ctx, contact);
    await countUnsubscribed(ctx, contact, channel.id);
  }
  await wakeAutomation(ctx, record, { id, automatic: inbound.automatic ?? false });
  // A little later, since customers write in bursts.
  const startAfter = new Date(databaseTime() + thinkingDelayMs);
  await ctx.enqueue('ai.insights', { companyId: ctx.companyId, conversationId: record.id }, { startAfter });
  return { message: id, conversation: record.id, contact: contact.id };
}

/** From a blocked contact: kept where there is a thread, and nobody is told. */
async function keepQuietly(
  ctx: WorkContext,
  channel: ChannelRow,
  contact: ContactRow,
  inbound: InboundMessage,
  kept: Pick<Insertion, 'content' | 'later'>,
): Promise<Arrival | null> {
  const newest = await ctx.db.conversation.findFirst({
    where: { companyId: ctx.companyId, contactId: contact.id, channelId: channel.id },
    orderBy: [{ lastMessageAt: 'desc' }, { id: 'desc' }],
    select: { id: true },
  });
  if (!newest) return null;
  const record = await lockConversation(ctx, newest.id);
  const at = entryTime(record, ctx.now());
  const id = await insert(ctx, { channel, contact, inbound, ...kept, conversationId: record.id, at });
  await changeConversation(ctx, record, { lastEntryAt: at });
  return { message: id, conversation: record.id, contact: contact.id };
}

/** The conversation of this contact that one of these messages stands in; the nearest one decides. */
async function threadOf(
  ctx: WorkContext,
  channel: ChannelRow,
  contact: ContactRow,
  thread: readonly string[],
): Promise<string | null> {
  const known = await ctx.db.message.findMany({
    where: { companyId: ctx.companyId, channelId: channel.id, providerId: { in: [...thread] } },
    select: { providerId: true, conversationId: true, contactId: true },
  });
  const own = known.filter(({ contactId }) => contactId === contact.id);
  const nearest = thread.find((id) => own.some(({ providerId }) => providerId === id));
  return own.find(({ providerId }) => providerId === nearest)?.conversationId ?? null;
}

/** The message that is kept of the provider's id already; null when there is none. */
export function knownMessage(ctx: Context, channel: ChannelRow, providerId: string) {
  return ctx.db.message.findFirst({
    where: { companyId: ctx.companyId, channelId: channel.id, providerId },
    select: { id: true, conversationId: true, contactId: true },
  });
}

interface Insertion {
  channel: ChannelRow;
  contact: ContactRow;
  inbound: InboundMessage;
  content: Received;
  /** Whether its file may be had still. */
  later: boolean;
  conversationId: string;
  at: Date;
}

async function insert(
  ctx: WorkContext,
  { channel, contact, inbound, content, later, conversationId, at }: Insertion,
): Promise<string> {
  const quoted = inbound.replyTo === null ? null : await knownMessage(ctx, channel, inbound.replyTo);
  const id = newId();
  const data: Prisma.MessageUncheckedCreateInput = {
    companyId: ctx.companyId,
    id,
    conversationId,
    contactId: contact.id,
    channelId: channel.id,
    direction: 'inbound',
    ...content,
    replyToId: quoted?.conversationId === conversationId ? quoted.id : null,
    ...(inbound.extra ? { extra: inbound.extra } : {}),
    ...authorColumns(authorFor(contact)),
    status: 'received',
    providerId: inbound.providerId,
    at,
    createdAt: at,
    updatedAt: at,
  };
  await insertMessage(ctx, data);
  if (inbound.media && later) {
    const { media, text: caption } = inbound;
    const place = { companyId: ctx.companyId, channelId: channel.id, messageId: id };
    await ctx.enqueue('channels.media', { ...place, media, caption });
  }
  return id;
}

/** What is kept of a message: a file that is not there is named in the text. */
interface Received {
  type: 'text' | 'media';
  text: string | null;
  mediaId: string | null;
}

async function contentOf(
  ctx: WorkContext,
  { text, media, mediaId: known }: InboundMessage,
  fetched: Fetched | null,
): Promise<Received> {
  // A file may come without words.
  if (known !== undefined) return { type: 'media', text: text === '' ? null : text, mediaId: known };
  if (!media) return { type: 'text', text, mediaId: null };
  if (fetched === null || typeof fetched === 'string')
    return { type: 'text', text: textWithout(text, media), mediaId: null };
  const mediaId = await recordReceivedFile(ctx, fetched.file);
  return { type: 'media', text: text === '' ? null : text, mediaId };
}

/** By the address on this channel, else by phone or e-mail; else a new contact. The address is remembered. */
async function findOrCreateContact(
  ctx: WorkContext,
  channel: ChannelRow,
  address: string,
  name: string | null,
): Promise<ContactRow> {
  const identity = await ctx.db.contactIdentity.findUnique({
    where: { companyId_channelId_address: { companyId: ctx.companyId, channelId: channel.id, address } },
    include: { contact: true },
  });
  if (identity && !identity.contact.deletedAt) return identity.contact;
  const email = Email.safeParse(address).success ? address : null;
  const phone = email === null ? parsePhone(address) : null;
  const found =
    (email !== null && (await findByEmail(ctx, email))) ||
    (phone &&
      (await ctx.db.contact.findFirst({
        where: { companyId: ctx.companyId, phoneKey: phone.key, deletedAt: null },
      })));
  const contact = found || (await createContact(ctx, channel, { phone, email, name }));
  await rememberAddress(ctx, { contactId: contact.id, channelId: channel.id, address });
  return contact;
}

interface Known {
  phone: { number: string; key: string } | null;
  email: string | null;
  name: string | null;
}

function createContact(
  ctx: WorkContext,
  channel: ChannelRow,
  { phone, email, name }: Known,
): Promise<ContactRow> {
  return insertContact(ctx, {
    name: name === null ? null : [...name].slice(0, 191).join(''),
    phone,
    email,
    source: channel.kind,
  });
}

async function unsubscribe(ctx: WorkContext, before: ContactRow): Promise<void> {
  const now = ctx.now();
  const contact = await ctx.db.contact.update({
    where: { companyId_id: { companyId: ctx.companyId, id: before.id } },
    data: { subscribed: false, unsubscribedAt: now, updatedAt: now, version: { increment: 1 } },
  });
  emitChanges(ctx, before, contact);
}

function authorFor({ id, name, email }: ContactRow): StoredAuthor {
  return { type: 'contact', id, name, email };
}
