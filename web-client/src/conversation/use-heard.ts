import { plural, t } from '@lingui/core/macro';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Conversation } from '../../../schema/conversations.ts';
import type { TimelineEntry } from '../../../schema/timeline.ts';
import { useCalm } from '../app/use-calm.ts';
import { useLive } from './live.ts';
import { authorName, contactName } from './words.ts';

/** A customer who does not say any more that they are typing has stopped after so long, in milliseconds. */
const typingLasts = 8_000;

/** Follows the thread; tells what came, counts it while the end is out of sight, and says whether the customer types. */
export function useHeard({ id, contact }: Conversation, atEnd: boolean) {
  const [waiting, setWaiting] = useState(0);
  const [typing, setTyping] = useState(false);
  const name = contactName(contact);
  const [said, say] = useCalm<string>((texts) => {
    const [only = ''] = texts;
    const count = texts.length;
    if (count === 1) return only;
    return plural(count, { one: `# new message from ${name}`, other: `# new messages from ${name}` });
  });
  const end = useRef(atEnd);
  const known = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    end.current = atEnd;
    if (atEnd) setWaiting(0);
  }, [atEnd]);
  const types = useCallback((active: boolean) => {
    clearTimeout(timer.current);
    setTyping(active);
    if (active) timer.current = setTimeout(() => setTyping(false), typingLasts);
  }, []);
  const heard = useCallback(
    (entry: TimelineEntry) => {
      if (entry.kind === 'event' || known.current.has(entry.id)) return;
      known.current.add(entry.id);
      const inbound = entry.kind === 'message' && entry.direction === 'inbound';
      if (!inbound) return;
      types(false);
      say(`${authorName(entry.author, name)}: ${entry.text ?? t`Attachment`}`);
      if (!end.current) setWaiting((count) => count + 1);
    },
    [name, types, say],
  );
  useLive(id, heard, types);
  return { said, waiting, typing: typing ? name : null };
}
