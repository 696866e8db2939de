import { findChannel } from '../channels/service.ts';
import { findContact } from '../contacts/service.ts';
import { automation } from '../conversations/authors.ts';
import type { ConversationRecord } from '../conversations/record.ts';
import { type Changes, changeConversation, lockConversation } from '../conversations/thread.ts';
import { postMessage, textContent } from '../messages/post.ts';
import { isSendable } from '../messages/send.ts';
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
  const content = textContent(text);
  if (!(await isSendable(ctx, { channel, contact, record, named: 'conversation' }, content))) return false;
  const { at } = await postMessage(ctx, record, { content, author: automation });
  await changeConversation(ctx, await lockConversation(ctx, record.id), changes(at));
  return true;
}
