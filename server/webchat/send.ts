import { WebchatSend, WebchatTyping } from '../../schema/webchat.ts';
import { visitorAddress } from '../channels/webchat.ts';
import { useMedia } from '../media/service.ts';
import { receiveMessage } from '../messages/inbound.ts';
import { holdKey } from '../messages/open-thread.ts';
import { findMessage } from '../messages/record.ts';
import { announce } from '../platform/announce.ts';
import { mutation } from '../platform/operation.ts';
import { visitorChannel, visitorOf } from './channel.ts';
import { contactOfVisitor, ensureContact } from './contact.ts';
import { presentToVisitor, type VisitorMessage } from './messages.ts';

/**
 * Takes in what a visitor writes, by the same way as any provider's message. The client's id is the provider's: sent
 * again, as after a break, it is the same message.
 */
export const sendAsVisitor = mutation(
  { access: 'visitor', input: WebchatSend },
  async (ctx, { client_id, text = '', media_url }): Promise<VisitorMessage> => {
    const visitor = visitorOf(ctx);
    const channel = await visitorChannel(ctx);
    const from = visitorAddress(visitor.id);
    await holdKey(ctx, channel.id, from);
    await ensureContact(ctx, channel);
    const media = media_url === undefined ? null : await useMedia(ctx, media_url);
    const arrival = await receiveMessage(ctx, channel, {
      providerId: `${visitor.id}:${client_id}`,
      from,
      name: visitor.name,
      text: text.trim(),
      replyTo: null,
      ...(media ? { mediaId: media.id } : {}),
    });
    const message = arrival && (await findMessage(ctx, arrival.message));
    if (!arrival || !message) return unkept(client_id, text, ctx.now());
    const { contact, conversation } = arrival;
    const object = { visitor: visitor.id, contact, conversation, message: message.id };
    announce(ctx, { type: 'visitor.wrote', object });
    return presentToVisitor(message, ctx);
  },
);

/** A blocked visitor is not told that nothing was kept. */
function unkept(clientId: string, text: string, at: Date): VisitorMessage {
  const nothing = { author: null, automated: false, media: null, status: 'received' };
  return { id: clientId, clientId, fromVisitor: true, text, at, ...nothing };
}

/** Tells the agents who look at the thread that the visitor is writing. Forgotten at once. */
export const typeAsVisitor = mutation(
  { access: 'visitor', input: WebchatTyping },
  async (ctx, { typing }): Promise<boolean> => {
    const contact = await contactOfVisitor(ctx);
    const thread = contact && !contact.blocked ? await openThreadOf(ctx, contact.id) : null;
    if (!contact || !thread) return false;
    const object = { conversation: thread, contact: contact.id, name: contact.name, typing };
    announce(ctx, { type: 'typing', conversation: thread, object });
    return true;
  },
);

async function openThreadOf(
  ctx: Parameters<typeof visitorChannel>[0],
  contactId: string,
): Promise<string | null> {
  const found = await ctx.db.conversation.findFirst({
    where: { companyId: ctx.companyId, contactId, channelId: visitorOf(ctx).channelId, status: 'open' },
    orderBy: [{ lastMessageAt: 'desc' }, { id: 'desc' }],
    select: { id: true },
  });
  return found?.id ?? null;
}
