import { useLingui } from '@lingui/react/macro';
import { Skeleton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Conversation } from '../../../schema/conversations.ts';
import type { Row } from '../realtime/apply-change.ts';
import { ConversationRow } from './conversation-row.tsx';
import { placeOf } from './place.ts';
import { linkTo, type RowAction } from './row-actions.ts';
import { RowTools } from './row-tools.tsx';
import { useMinute } from './use-minute.ts';

/** Height of a row, in pixels; `inbox.css` says the same. */
export const rowHeight = 88;

/** So many rows before the end the next page is asked for: keys go through some thirty rows in a second. */
const aheadOf = 25;

interface Props {
  rows: readonly Row[];
  /** What the agent has written and not sent, by conversation. */
  drafts: ReadonlyMap<string, string>;
  hasMore: boolean;
  open: string | undefined;
  active: string | null;
  selected: ReadonlySet<string>;
  left: ReadonlySet<string>;
  /** While they are scrolled nothing may move. */
  onScrolled(scrolled: boolean): void;
  onOpen(id: string): void;
  onToggle(id: string, range: boolean): void;
  onMove(step: 1 | -1): void;
  onEnter(): void;
  onNearEnd(): void;
  onSelectAll(): void;
  actionsOf(row: Conversation): RowAction[];
}

/** The rows that fit on the screen, of as many as there are. */
export function Rows(props: Props) {
  const { t } = useLingui();
  const { rows, drafts, hasMore, open, active, selected, left, onNearEnd, actionsOf } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [menu, setMenu] = useState(false);
  const minute = useMinute();
  const virtual = useVirtualizer({
    count: rows.length + (hasMore ? 3 : 0),
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    useFlushSync: false,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length - aheadOf) onNearEnd();
  }, [hasMore, last, rows.length, onNearEnd]);
  const at = placeOf(rows, active);
  useEffect(() => {
    if (at !== -1) virtual.scrollToIndex(at, { align: 'auto' });
    // Only when another row becomes the active one, not when rows come above it.
  }, [active, virtual]);

  const leave = () => {
    if (!menu) setHovered(null);
  };
  const over = (event: PointerEvent) => {
    const id = rowAt(event.target);
    if (id !== undefined && !menu && event.pointerType !== 'touch') setHovered(id);
  };
  const click = (event: MouseEvent) => {
    const id = rowAt(event.target);
    if (id === undefined) return;
    if (event.target instanceof Element && event.target.closest('[data-mark]'))
      props.onToggle(id, event.shiftKey);
    else if (event.ctrlKey || event.metaKey || event.button === 1)
      window.open(linkTo(id), '_blank', 'noopener');
    else props.onOpen(id);
  };
  const contextMenu = (event: MouseEvent) => {
    const id = rowAt(event.target);
    if (id === undefined) return;
    event.preventDefault();
    setHovered(id);
    setMenu(true);
  };
  const keyDown = (event: KeyboardEvent) => {
    const step = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key];
    if (step !== undefined) props.onMove(step);
    else if (event.key === 'Enter') props.onEnter();
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) props.onSelectAll();
    else return;
    event.preventDefault();
  };
  // The row itself is painted first: a key that is held down goes past rows whose buttons nobody needs.
  const tooled = placeOf(rows, useDeferredValue(hovered ?? active));
  const tools = rows[tooled];
  const activeShown = shown.some(({ index }) => index === at);
  return (
    <div
      ref={scroller}
      className="rows-scroller"
      onScroll={({ currentTarget }) => props.onScrolled(currentTarget.scrollTop > rowHeight / 2)}
      onPointerLeave={leave}
    >
      <div className="rows-canvas" style={{ height: virtual.getTotalSize() }} onPointerOver={over}>
        <div
          id="conversations"
          role="listbox"
          tabIndex={0}
          aria-label={t`Conversations`}
          aria-multiselectable
          aria-activedescendant={activeShown && active !== null ? `conversation-${active}` : undefined}
          className="rows"
          onClick={click}
          onAuxClick={(event) => event.button === 1 && click(event)}
          onContextMenu={contextMenu}
          onKeyDown={keyDown}
        >
          {shown.map(({ index, start }) => {
            const row = rows[index];
            if (!row) return null;
            return (
              <ConversationRow
                key={row.id}
                row={row}
                draft={drafts.get(row.id)}
                position={index + 1}
                size={hasMore ? -1 : rows.length}
                start={start}
                open={row.id === open}
                active={row.id === active}
                selected={selected.has(row.id)}
                left={left.has(row.id)}
                minute={minute}
              />
            );
          })}
        </div>
        {tools && (
          <RowTools
            key={tools.id}
            row={tools}
            start={tooled * rowHeight}
            actions={actionsOf(tools)}
            menu={menu}
            onMenu={setMenu}
          />
        )}
        {shown
          .filter(({ index }) => index >= rows.length)
          .map(({ index, start }) => (
            <RowSkeleton key={index} start={start} />
          ))}
      </div>
    </div>
  );
}

/** A row whose content is on its way. */
export function RowSkeleton({ start }: { start: number }) {
  return (
    <div className="row" aria-hidden="true" style={{ transform: `translateY(${start}px)` }}>
      <Skeleton circle h={40} w={40} />
      <span className="row-main">
        <Skeleton h={12} w="55%" />
        <Skeleton h={12} w="90%" mt={8} />
        <Skeleton h={10} w="30%" mt={8} />
      </span>
    </div>
  );
}

function rowAt(target: EventTarget): string | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-id]') : null;
  return row?.dataset['id'];
}
