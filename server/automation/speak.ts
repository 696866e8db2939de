import { findChannel } from '../channels/service.ts';
import { findContact } from '../contacts/service.ts';
import { automation } from '../conversations/authors.ts';
import type { ConversationRecord } from '../conversations/record.ts';
import { type Changes, changeConversation, lockConversation } from '../conversations/thread.ts';
import { type Content, postMessage } from '../messages/post.ts';
import { requireSendable } from '../messages/send.ts';
import { AppError } from '../platform/errors.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';

/**
 * Lets the house write in a locked thread, along the way of any message. Whatever would refuse an agent's message keeps
 * it silent, and so does a customer's wish to hear no more of the house.
 * @param changes made of the message's time, written with it
 * @returns whether it was said
 */
export async function speak(
  ctx: WorkContext,
  record: ConversationRecord,
  text: string,
  changes: (at: Date) => Changes,
): Promise<boolean> {
  const contact = await findContact(ctx, record.contactId);
  const channel = await findChannel(ctx, record.channelId);
  if (!contact?.subscribed || !channel) return false;
  const content: Content = {
    type: 'text',
    text,
    mediaId: null,
    template: null,
    productId: null,
    orderId: null,
  };
  const refused = await requireSendable(
    ctx,
    { channel, contact, record, named: 'conversation' },
    content,
  ).then(
    () => false,
    (error: unknown) => {
      if (error instanceof AppError) return true;
      throw error;
    },
  );
  if (refused) return false;
  const { at } = await postMessage(ctx, record, { content, author: automation });
  await changeConversation(ctx, await lockConversation(ctx, record.id), changes(at));
  return true;
}
