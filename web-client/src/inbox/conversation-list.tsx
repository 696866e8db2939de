import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ArrowUp } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Conversation } from '../../../schema/conversations.ts';
import { useProfile } from '../account/use-profile.ts';
import { failureOf } from '../app/failure.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { useCalm } from '../app/use-calm.ts';
import { type Listed, rowsOf } from '../realtime/apply-change.ts';
import type { InboxFilters } from '../realtime/follow-inbox.ts';
import { leaveBehind, listQuery, trimList } from '../realtime/list-cache.ts';
import { BulkBar } from './bulk-bar.tsx';
import { useCalmOrder } from './calm-order.ts';
import { EmptyList, LoadingList } from './list-states.tsx';
import { placeOf } from './place.ts';
import { QuestionDialog } from './question-dialog.tsx';
import { usePrefetch } from './prefetch.ts';
import { type Question, rowActions } from './row-actions.ts';
import { Rows } from './rows.tsx';
import { useCalmLoading } from '../app/use-calm-loading.ts';
import { useDrafts } from './use-drafts.ts';
import { useListCommands } from './use-list-commands.ts';
import { useSelection } from './use-selection.ts';

interface Props {
  filters: InboxFilters;
  open: string | undefined;
  /** Whether something narrows the view, so that nothing found is not the same as nothing there. */
  narrowed: boolean;
  onOpen(id: string): void;
}

const nobody: ReadonlySet<string> = new Set();

/** The list of conversations: what is loaded of it, kept current, with all that can be done from it. */
export function ConversationList({ filters, open, narrowed, onOpen }: Props) {
  const { t } = useLingui();
  const key = JSON.stringify(filters);
  const me = useProfile();
  const drafts = useDrafts();
  const query = useInfiniteQuery(listQuery(filters));
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = query;
  const loading = useCalmLoading(data === undefined && error === null);
  const all = useMemo(() => (data ? rowsOf(data) : []), [data]);
  const left = useMemo(() => leftOf(data), [data]);
  const [inside, setInside] = useState(false);
  const [scrolled, setScrolled] = useState(false);
  const { rows, waiting, apply } = useCalmOrder(all, left, inside || scrolled, key);
  const [active, setActive] = useState<string | null>(open ?? null);
  const [asked, setAsked] = useState<{ question: Question; row: Conversation } | null>(null);
  const selection = useSelection(rows, key);

  useEffect(() => {
    setScrolled(false);
    return () => trimList(JSON.parse(key) as InboxFilters);
  }, [key]);
  useEffect(() => {
    if (open !== undefined) setActive(open);
  }, [open]);
  // What has left the list stays until one moves on to another row.
  const before = useRef(active);
  useEffect(() => {
    if (before.current !== active) leaveBehind(JSON.parse(key) as InboxFilters, active);
    before.current = active;
  }, [active, key]);

  // Whoever closes and goes on has moved on before the server says that the row has left.
  const passed = useRef(new Set<string>());
  useEffect(() => {
    const late = [...passed.current].filter((id) => left.has(id) && id !== active);
    if (late.length === 0) return;
    for (const id of late) passed.current.delete(id);
    leaveBehind(JSON.parse(key) as InboxFilters, active);
  }, [left, active, key]);

  const more = useCallback(() => {
    // While the list is loaded anew the answer would be that one; `more` changes when it is there, and is called again.
    if (!isFetching && error === null) void fetchNextPage();
  }, [isFetching, error, fetchNextPage]);
  const show = (id: string) => {
    setActive(id);
    onOpen(id);
  };
  const commands = useListCommands({
    rows,
    hasMore: hasNextPage,
    active,
    selection,
    me,
    activate: setActive,
    open: onOpen,
    ask: setAsked,
    onPass: (id) => void passed.current.add(id),
  });
  const found = hasNextPage ? t`More than ${all.length} conversations` : t`${all.length} conversations`;
  const state = waiting > 0 ? found + t`, ${waiting} new` : found;
  const told = data !== undefined && !isFetching;
  const [said, say] = useCalm<string>((states) => states.at(-1) ?? '');
  useEffect(() => {
    if (told) say(state);
  }, [told, state, say]);
  const at = placeOf(rows, open);
  usePrefetch(open, rows[at - 1]?.id, rows[at + 1]?.id);
  const newOnes = () => {
    apply();
    document.querySelector('.rows-scroller')?.scrollTo({ top: 0 });
  };

  return (
    <>
      <div
        className="list-bar"
        data-busy={(isFetching && data !== undefined) || undefined}
        aria-hidden="true"
      />
      {error !== null && (
        <div className="list-failure">
          <FailureAlert
            failure={failureOf(error)}
            retry={() => void (query.isFetchNextPageError ? fetchNextPage() : refetch())}
          />
        </div>
      )}
      <div
        className="list-body"
        onPointerEnter={({ pointerType }) => setInside(pointerType !== 'touch')}
        onPointerLeave={() => setInside(false)}
      >
        {waiting > 0 && (
          <Button
            className="list-pill"
            size="compact-sm"
            radius="xl"
            leftSection={<ArrowUp size={14} aria-hidden />}
            onClick={newOnes}
          >
            <Trans>{waiting} new</Trans>
          </Button>
        )}
        {loading && <LoadingList />}
        {data !== undefined && !loading && rows.length === 0 && <EmptyList narrowed={narrowed} />}
        {!loading && rows.length > 0 && (
          <Rows
            key={key}
            rows={rows}
            drafts={drafts}
            hasMore={hasNextPage}
            open={open}
            active={active}
            selected={selection.ids}
            left={left}
            onScrolled={setScrolled}
            onOpen={show}
            onToggle={selection.toggle}
            onMove={commands.move}
            onEnter={commands.enter}
            onNearEnd={more}
            onSelectAll={selection.all}
            actionsOf={(row) => rowActions(row, { me, ask: setAsked, open: show })}
          />
        )}
      </div>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <BulkBar selection={selection} bulk={commands.bulk} />
      {asked && <QuestionDialog {...asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function leftOf(list: Listed | undefined): ReadonlySet<string> {
  const left = list?.pages[0]?.left;
  return left ? new Set(Object.keys(left)) : nobody;
}
