import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Loader } from '@mantine/core';
import { ArrowDown } from 'lucide-react';
import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import type { Conversation } from '../../../schema/conversations.ts';
import type { TimelineEntry } from '../../../schema/timeline.ts';
import { failureOf } from '../app/failure.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { told } from '../app/toast.ts';
import { useDiscarded } from './discarded.ts';
import { flush, useOutbox } from './outbox.ts';
import { OutgoingMessage } from './outgoing-entry.tsx';
import { rowsOf, type Unread, unreadIn } from './rows.ts';
import { entriesIn, readThread, useThread } from './thread-data.ts';
import { TimelineRow } from './timeline-row.tsx';
import { useHeard } from './use-heard.ts';
import { useScroll } from './use-scroll.ts';
import { walk } from './walk.ts';
import { contactName } from './words.ts';

export interface TimelineHandle {
  /** @param focus whether the entry takes the focus */
  jump(id: string, focus: boolean): void;
  /** @param day such as `2026-11-28` */
  jumpToDay(day: string): void;
  toEnd(): void;
}

interface Props {
  conversation: Conversation;
  /** The entry that is shown first; else the end. */
  entry: string | undefined;
  ref: React.Ref<TimelineHandle>;
}

/** Everything that was said and done, oldest first, as it happens. */
export function Timeline({ conversation, entry: wanted, ref }: Props) {
  const { t } = useLingui();
  const { id } = conversation;
  const view = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const sentinel = useRef<HTMLDivElement>(null);
  const thread = useThread(id);
  const outbox = useOutbox(id);
  const discarded = useDiscarded(id);
  const entries = useMemo(
    () => entriesIn(thread.data).filter((entry) => !discarded.includes(entry.id)),
    [thread.data, discarded],
  );
  const unread = useUnread(entries, conversation.unread_count);
  const rows = useMemo(() => rowsOf(entries, unread), [entries, unread]);
  const { atEnd, toEnd, reveal } = useScroll(view, content);
  const { said, waiting, typing } = useHeard(conversation, atEnd);
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = thread;

  useEffect(() => flush(id), [id]);
  useEffect(() => {
    const mark = sentinel.current;
    if (!mark || !hasNextPage || isFetchingNextPage) return undefined;
    const sight = new IntersectionObserver(
      ([seen]) => {
        if (seen?.isIntersecting) void fetchNextPage({ cancelRefetch: false });
      },
      { root: view.current, rootMargin: '800px 0px 0px 0px' },
    );
    sight.observe(mark);
    return () => sight.disconnect();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  /** Loads older pages until an entry is there that is looked for. */
  const reach = useCallback(
    async (find: (entries: readonly TimelineEntry[], all: boolean) => string | undefined) => {
      for (;;) {
        const { data, hasNextPage: further } = readThread(id);
        const target = find(entriesIn(data), !further);
        if (target !== undefined || !further) return target;
        if ((await fetchNextPage({ cancelRefetch: false })).isError) return undefined;
      }
    },
    [id, fetchNextPage],
  );
  /** The last jump that was asked for is the one that is made. */
  const jumps = useRef(0);
  const jump = useCallback(
    async (target: string, focus: boolean) => {
      const turn = ++jumps.current;
      const found = await reach((all) => all.find((entry) => entry.id === target)?.id);
      const element = found === undefined ? null : await drawn(found);
      if (turn !== jumps.current) return;
      if (element) show(element, reveal, focus);
      else told(t`That message is not in this conversation any more.`);
    },
    [reach, reveal],
  );
  const jumpToDay = useCallback(
    async (day: string) => {
      const turn = ++jumps.current;
      const start = new Date(`${day}T00:00`).toISOString();
      const found = await reach((all, complete) =>
        complete || (all[0]?.at ?? '') < start
          ? (all.find(({ at }) => at >= start) ?? all.at(-1))?.id
          : undefined,
      );
      const element = found === undefined ? null : await drawn(found);
      if (element && turn === jumps.current) show(element, reveal, true);
    },
    [reach, reveal],
  );
  useImperativeHandle(
    ref,
    () => ({
      jump: (target, focus) => void jump(target, focus),
      jumpToDay: (day) => void jumpToDay(day),
      toEnd,
    }),
    [jump, jumpToDay, toEnd],
  );
  const loaded = thread.data !== undefined;
  useEffect(() => {
    if (wanted !== undefined && loaded) void jump(wanted, true);
  }, [wanted, loaded, jump]);

  const last = entries.findLast((entry) => entry.kind === 'message');
  const seen = outbox.length === 0 && last?.direction === 'outbound' && last.status === 'read';
  const label = t`Conversation with ${contactName(conversation.contact)}`;
  return (
    <div className="thread-view">
      {/* The region scrolls, so it can be reached by the keyboard. */}
      <div
        ref={view}
        className="thread-scroll"
        role="log"
        aria-live="off"
        aria-label={label}
        data-conversation={conversation.id}
        tabIndex={0}
        onKeyDown={walk}
      >
        <div ref={content} className="thread-content">
          <div ref={sentinel} className="thread-sentinel">
            {isFetchingNextPage && <Loader size="sm" aria-label={t`Loading older messages`} />}
          </div>
          {thread.error !== null && (
            <FailureAlert
              failure={failureOf(thread.error)}
              retry={() => void (thread.data ? fetchNextPage() : thread.refetch())}
            />
          )}
          {thread.data && !hasNextPage && rows.length === 0 && outbox.length === 0 && (
            <p className="thread-empty">
              <Trans>Nothing was said here yet.</Trans>
            </p>
          )}
          {rows.map((row) => (
            <TimelineRow key={row.id} row={row} />
          ))}
          {outbox.map((item) => (
            <OutgoingMessage key={item.ref} item={item} />
          ))}
          {seen && <p className="thread-seen">{t`Seen by ${contactName(conversation.contact)}`}</p>}
          {typing !== null && <p className="thread-typing" role="status">{t`${typing} is typing…`}</p>}
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
          {waiting === 0 ? t`To the newest` : waiting === 1 ? t`1 new message` : t`${waiting} new messages`}
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

/** The entry once it stands on the page; lifecycle entries stand in a block under the first of them. */
async function drawn(id: string): Promise<HTMLElement | null> {
  for (let frames = 0; frames < 30; frames++) {
    const element = document.getElementById(`entry-${id}`);
    if (element) return element;
    await new Promise(requestAnimationFrame);
  }
  return null;
}

function show(element: HTMLElement, reveal: (element: Element) => void, focus: boolean): void {
  reveal(element);
  if (focus) element.focus({ preventScroll: true });
  element.dataset['found'] = '';
  setTimeout(() => delete element.dataset['found'], 2_000);
}
