import type { Conversation } from '../../../schema/conversations.ts';
import { send } from '../app/send.ts';
import { refused } from '../app/toast.ts';
import { trpc } from '../app/trpc.ts';
import { acceptConversation, refreshConversation } from './conversation-data.ts';

const { conversations } = trpc;

type Answer = Promise<{ data: Conversation }>;

/** What needs nothing but the conversation; the words are those of `allowed_actions`. */
export const plainActions = {
  close: (conversation: string): Answer => send(conversations.close.mutationOptions(), { conversation }),
  reopen: (conversation: string): Answer => send(conversations.reopen.mutationOptions(), { conversation }),
  unassign: (conversation: string): Answer =>
    send(conversations.unassign.mutationOptions(), { conversation }),
  unread: (conversation: string): Answer => send(conversations.unread.mutationOptions(), { conversation }),
  pin: (conversation: string): Answer => send(conversations.pin.mutationOptions(), { conversation }),
  unpin: (conversation: string): Answer => send(conversations.unpin.mutationOptions(), { conversation }),
  follow: (conversation: string): Answer => send(conversations.follow.mutationOptions(), { conversation }),
  unfollow: (conversation: string): Answer =>
    send(conversations.unfollow.mutationOptions(), { conversation }),
  mute: (conversation: string): Answer => send(conversations.mute.mutationOptions(), { conversation }),
  unmute: (conversation: string): Answer => send(conversations.unmute.mutationOptions(), { conversation }),
  archive: (conversation: string): Answer => send(conversations.archive.mutationOptions(), { conversation }),
  unarchive: (conversation: string): Answer =>
    send(conversations.unarchive.mutationOptions(), { conversation }),
} as const;

/** Runs an action, shows what became of the conversation, and says what is refused. @returns whether it was done */
export async function act(conversation: string, answer: Answer): Promise<boolean> {
  try {
    acceptConversation((await answer).data);
    return true;
  } catch (error) {
    refused(error);
    refreshConversation(conversation);
    return false;
  }
}

/** @param assignee an agent's e-mail, or `me` */
export function assign(conversation: string, assignee: string): Promise<boolean> {
  return act(conversation, send(conversations.assign.mutationOptions(), { conversation, assignee }));
}

/** Assigns to oneself what is nobody's, or `from`'s; whoever was faster keeps it, and that is said. */
export function take({ id, assignee }: Conversation): Promise<boolean> {
  return act(
    id,
    send(conversations.take.mutationOptions(), { conversation: id, from: assignee?.email ?? null }),
  );
}

export function attachTag(conversation: string, tag: string): Promise<boolean> {
  return act(conversation, send(conversations.attachTag.mutationOptions(), { conversation, tag }));
}

export function detachTag(conversation: string, tag: string): Promise<boolean> {
  return act(conversation, send(conversations.detachTag.mutationOptions(), { conversation, tag }));
}
