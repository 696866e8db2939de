import { useEffect, useRef } from 'react';
import type { Conversation } from '../../../schema/conversations.ts';
import { preference, usePreference } from '../account/preferences.ts';
import { send } from '../app/send.ts';
import { trpc } from '../app/trpc.ts';
import { acceptConversation } from './conversation-data.ts';

/** How long a conversation is looked at before it counts as read, in milliseconds. */
const glance = 2_000;

/**
 * Marks a conversation as read as the agent prefers: once it was seen for a moment, with an answer, or not by itself.
 * One that is flagged while it is open stays flagged.
 */
export function useRead({ id, read, last_message: last }: Conversation): void {
  const rule = usePreference('markRead');
  const newest = `${id} ${last?.id}`;
  const seen = useRef<string | null>(null);
  useEffect(() => {
    if (read) seen.current = newest;
    if (rule !== 'seen' || seen.current === newest) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const mark = () => {
      seen.current = newest;
      send(trpc.conversations.read.mutationOptions(), { conversation: id }).then(
        ({ data }) => acceptConversation(data),
        () => {
          seen.current = null;
        },
      );
    };
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible' && document.hasFocus()) timer = setTimeout(mark, glance);
    };
    look();
    addEventListener('focus', look);
    addEventListener('blur', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      removeEventListener('focus', look);
      removeEventListener('blur', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [id, read, newest, rule]);
}

/** An answer is on its way: for some that is what makes a conversation read. */
export function readByReply(conversation: string): void {
  if (preference('markRead') !== 'reply') return;
  send(trpc.conversations.read.mutationOptions(), { conversation }).then(
    ({ data }) => acceptConversation(data),
    () => {},
  );
}
