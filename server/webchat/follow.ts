import { z } from 'zod';
import { resumable } from '../../schema/realtime.ts';
import { presenceOf } from '../conversations/presence.ts';
import type { Announcement } from '../platform/announce.ts';
import type { Context } from '../platform/context.ts';
import { query } from '../platform/operation.ts';
import { type Followed, follow, isResync } from '../realtime/follow.ts';
import { mapStream } from '../platform/streams.ts';
import { visitorChannel, visitorOf } from './channel.ts';
import { contactOfVisitor } from './contact.ts';
import { presentToVisitor, visitorMessage, type VisitorMessage } from './messages.ts';

/** What the widget is told. */
export interface WebchatChange {
  /** Where to resume; null for what is not in the log. */
  sequence: number | null;
  type: 'message' | 'seen' | 'typing' | 'resync';
  /** As it is now, new or changed. */
  message: VisitorMessage | null;
  typing: { name: string | null; active: boolean } | null;
}

/** Whom a stream is about; a visitor becomes a contact with their first message. */
interface Place {
  contact: string | null;
  conversations: Set<string>;
}

const nothing = { sequence: null, message: null, typing: null };

/**
 * What happens in the visitor's own thread. Resumes after a sequence without gap or repetition; an item is the message
 * as it is now, so a client that keeps messages by id is right whatever it missed.
 */
export const followAsVisitor = query(
  { access: 'visitor', input: z.object(resumable) },
  async (ctx, { after }) => {
    await visitorChannel(ctx);
    const place: Place = { contact: (await contactOfVisitor(ctx))?.id ?? null, conversations: new Set() };
    if (place.contact !== null) await learnConversations(ctx, place, place.contact);
    const source = await follow(ctx, {
      after,
      families: ['message', 'conversation'],
      contact: () => place.contact,
      transient: (told) => concerns(ctx, place, told),
    });
    const late = place.contact === null ? await contactOfVisitor(ctx) : null;
    if (late) place.contact = late.id;
    // Their first message came while we joined: what was told meanwhile was told to nobody.
    let reload = late !== null;
    return mapStream(source, (item) => {
      if (!reload) return changeOf(ctx, place, item);
      reload = false;
      return { ...nothing, type: 'resync' as const };
    });
  },
);

async function learnConversations(ctx: Context, place: Place, contactId: string): Promise<void> {
  const rows = await ctx.db.conversation.findMany({
    where: { companyId: ctx.companyId, contactId, channelId: visitorOf(ctx).channelId },
    orderBy: [{ lastMessageAt: 'desc' }, { id: 'desc' }],
    take: 5,
    select: { id: true },
  });
  for (const { id } of rows) place.conversations.add(id);
}

/** Learns from the visitor's own first message who they are, before anything is told of it. */
function concerns(ctx: Context, place: Place, { type, conversation, object }: Announcement): boolean {
  if (type === 'presence.updated') return conversation !== null && place.conversations.has(conversation);
  if (type !== 'visitor.wrote' || object['visitor'] !== visitorOf(ctx).id) return false;
  place.contact = String(object['contact']);
  place.conversations.add(String(object['conversation']));
  return true;
}

async function changeOf(ctx: Context, place: Place, item: Followed): Promise<WebchatChange | undefined> {
  if (isResync(item)) return { ...nothing, type: 'resync', sequence: item.sequence };
  if ('announcement' in item) {
    const { type, conversation, object } = item.announcement;
    if (type === 'visitor.wrote') return told(ctx, place, String(object['message']), null);
    const state =
      conversation === null ? undefined : (await presenceOf(ctx, [conversation])).get(conversation);
    const active = state?.typing ?? false;
    return {
      ...nothing,
      type: 'typing',
      typing: { name: active ? (state?.holderName ?? null) : null, active },
    };
  }
  const { event, family, sequence, conversationId } = item.entry;
  if (family === 'message') {
    const change = await told(ctx, place, String(event.data.object['id']), sequence);
    if (change && conversationId !== null) place.conversations.add(conversationId);
    return change;
  }
  const read =
    event.type === 'conversation.read' && conversationId !== null && place.conversations.has(conversationId);
  return read ? { ...nothing, type: 'seen', sequence } : undefined;
}

async function told(
  ctx: Context,
  place: Place,
  id: string,
  sequence: number | null,
): Promise<WebchatChange | undefined> {
  const row = place.contact === null ? null : await visitorMessage(ctx, place.contact, id);
  return row ? { ...nothing, type: 'message', sequence, message: presentToVisitor(row, ctx) } : undefined;
}
