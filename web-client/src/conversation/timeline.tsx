import { Button, Loader } from '@mantine/core';
import { ArrowDown } from 'lucide-react';
import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Conversation } from '../../../schema/conversations.ts';
import type { TimelineEntry } from '../../../schema/timeline.ts';
import { failureOf } from '../app/failure.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { told } from '../app/toast.ts';
import { Events } from './event-entries.tsx';
import { useLive } from './live.ts';
import { Message } from './message-entry.tsx';
import { Note } from './note-entry.tsx';
import { flush, useOutbox } from './outbox.ts';
import { OutgoingMessage } from './outgoing-entry.tsx';
import { type Row, rowsOf, type Unread, unreadIn } from './rows.ts';
import { entriesIn, useThread } from './thread-data.ts';
import { useScroll } from './use-scroll.ts';
import { authorName, contactName, dayOf } from './words.ts';

export interface TimelineHandle {
  jump(id: string): void;
  toEnd(): void;
}

interface Props {
  conversation: Conversation;
  ref: React.Ref<TimelineHandle>;
}

/** Everything that was said and done, oldest first, as it happens. */
export function Timeline({ conversation, ref }: Props) {
  const { id } = conversation;
  const view = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const sentinel = useRef<HTMLDivElement>(null);
  const thread = useThread(id);
  const outbox = useOutbox(id);
  const entries = useMemo(() => entriesIn(thread.data), [thread.data]);
  const unread = useUnread(entries, conversation.unread_count);
  const rows = useMemo(() => rowsOf(entries, unread), [entries, unread]);
  const { atEnd, toEnd, stay } = useScroll(view, content);
  const { said, waiting } = useHeard(conversation, atEnd);
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = thread;

  useEffect(() => flush(id), [id]);
  useEffect(() => {
    const mark = sentinel.current;
    if (!mark || !hasNextPage || isFetchingNextPage) return undefined;
    const sight = new IntersectionObserver(
      ([seen]) => {
        if (seen?.isIntersecting) void fetchNextPage();
      },
      { root: view.current, rootMargin: '800px 0px 0px 0px' },
    );
    sight.observe(mark);
    return () => sight.disconnect();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  const jump = useCallback(
    async (target: string) => {
      for (let more = true; more;) {
        const element = document.getElementById(`entry-${target}`);
        if (element) return show(element, stay);
        const { data, hasNextPage: further, isError } = await fetchNextPage();
        // Drawn before it is looked for again.
        await new Promise(requestAnimationFrame);
        more = !isError && (further || entriesIn(data).some((entry) => entry.id === target));
      }
      told('That message is not in this conversation any more.');
    },
    [fetchNextPage, stay],
  );
  useImperativeHandle(ref, () => ({ jump: (target) => void jump(target), toEnd }), [jump, toEnd]);

  const label = `Conversation with ${contactName(conversation.contact)}`;
  return (
    <div className="thread-view">
      {/* The region scrolls, so it can be reached by the keyboard. */}
      <div
        ref={view}
        className="thread-scroll"
        role="log"
        aria-live="off"
        aria-label={label}
        tabIndex={0}
        onKeyDown={walk}
      >
        <div ref={content} className="thread-content">
          <div ref={sentinel} className="thread-sentinel">
            {isFetchingNextPage && <Loader size="sm" aria-label="Loading older messages" />}
          </div>
          {thread.error !== null && (
            <FailureAlert
              failure={failureOf(thread.error)}
              retry={() => void (thread.data ? fetchNextPage() : thread.refetch())}
            />
          )}
          {thread.data && !hasNextPage && rows.length === 0 && outbox.length === 0 && (
            <p className="thread-empty">Nothing was said here yet.</p>
          )}
          {rows.map((row) => (
            <TimelineRow key={row.id} row={row} />
          ))}
          {outbox.map((item) => (
            <OutgoingMessage key={item.ref} item={item} />
          ))}
        </div>
      </div>
      {!atEnd && (
        <Button
          className="thread-pill"
          size="compact-md"
          radius="xl"
          leftSection={<ArrowDown size={16} aria-hidden />}
          onClick={toEnd}
        >
          {waiting === 0 ? 'To the newest' : waiting === 1 ? '1 new message' : `${waiting} new messages`}
        </Button>
      )}
      <div role="status" className="visually-hidden">
        {said}
      </div>
    </div>
  );
}

/** Where reading starts: decided once; what comes later is seen as it comes. */
function useUnread(entries: readonly TimelineEntry[], count: number): Unread | null {
  const [unread, setUnread] = useState<Unread | null>(null);
  const [decided, setDecided] = useState(false);
  if (!decided && entries.length > 0) {
    setDecided(true);
    setUnread(unreadIn(entries, count));
  }
  return unread;
}

function TimelineRow({ row }: { row: Row }) {
  switch (row.kind) {
    case 'day':
      return (
        <div className="thread-day">
          <span>{dayOf(row.at)}</span>
        </div>
      );
    case 'unread':
      return (
        <div className="thread-unread">
          <span>{row.count === 1 ? '1 unread message' : `${row.count} unread messages`}</span>
        </div>
      );
    case 'message':
      return <Message entry={row.entry} continued={row.continued} />;
    case 'note':
      return <Note entry={row.entry} />;
    case 'events':
      return <Events entries={row.entries} />;
  }
}

/** Follows the thread; tells what came, and counts it while the end is out of sight. */
function useHeard({ id, contact }: Conversation, atEnd: boolean) {
  const [said, setSaid] = useState('');
  const [waiting, setWaiting] = useState(0);
  const name = contactName(contact);
  const end = useRef(atEnd);
  const known = useRef(new Set<string>());
  useEffect(() => {
    end.current = atEnd;
    if (atEnd) setWaiting(0);
  }, [atEnd]);
  const heard = useCallback(
    (entry: TimelineEntry) => {
      if (entry.kind === 'event' || known.current.has(entry.id)) return;
      known.current.add(entry.id);
      const inbound = entry.kind === 'message' && entry.direction === 'inbound';
      if (inbound) setSaid(`${authorName(entry.author, name)}: ${entry.text ?? 'Attachment'}`);
      if (inbound && !end.current) setWaiting((count) => count + 1);
    },
    [name],
  );
  useLive(id, heard);
  return { said, waiting };
}

function show(element: HTMLElement, stay: () => void): void {
  stay();
  element.scrollIntoView({ block: 'center' });
  element.focus({ preventScroll: true });
  element.dataset['found'] = '';
  setTimeout(() => delete element.dataset['found'], 2_000);
}

/** The arrows go from entry to entry. */
function walk(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const { target, currentTarget } = event;
  if (step === undefined || !(target instanceof HTMLElement)) return;
  if (target !== currentTarget && target.tagName !== 'ARTICLE') return;
  const all = [...currentTarget.querySelectorAll('article')];
  const from = all.findIndex((one) => one === target);
  const next = from === -1 ? all.at(-1) : all[from + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
