import { useLingui } from '@lingui/react/macro';
import { useDirection } from '@mantine/core';
import { useSplitter } from '@mantine/hooks';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { readStored, writeStored } from '../conversation/stored.ts';
import { useCommands } from '../keyboard/commands.ts';

/** Width of the list in pixels: at first, and how far it goes. */
const width = { usual: 360, min: 280, max: 560 } as const;

interface Props {
  /** A conversation is open: narrow screens show it alone. */
  open: boolean;
  title: ReactNode;
  list: ReactNode;
  children: ReactNode;
}

/** List and conversation beside each other. The line between them moves, with the pointer and with arrow keys. */
export function InboxSplit({ open, title, list, children }: Props) {
  const { t } = useLingui();
  const { dir } = useDirection();
  const [pixels, setPixels] = useState(() => within(readStored<number>('list.width') ?? width.usual));
  const [hidden, setHidden] = useState(() => readStored<boolean>('list.hidden') ?? false);
  const splitter = useSplitter<HTMLDivElement>({
    panels: [
      { defaultSize: `${width.usual}px`, min: `${width.min}px`, max: `${width.max}px` },
      { defaultSize: 100 },
    ],
    sizes: [`${pixels}px`, 100],
    onSizeChange: ([size]) => {
      const next = within(Number.parseFloat(String(size)));
      setPixels(next);
      writeStored('list.width', next);
    },
    step: '16px',
    shiftStep: '64px',
    dir,
  });
  useCommands([
    {
      id: 'list-panel',
      title: hidden ? t`Show the list` : t`Hide the list`,
      group: 'Conversations',
      keys: ['['],
      run: () => {
        writeStored('list.hidden', hidden ? null : true);
        setHidden(!hidden);
      },
    },
  ]);
  return (
    <div
      ref={splitter.ref}
      className="inbox"
      data-open={open || undefined}
      data-list-hidden={hidden || undefined}
      style={{ '--list-width': `${pixels}px` } as CSSProperties}
    >
      {title}
      {list}
      <div
        {...splitter.getHandleProps({ index: 0 })}
        className="inbox-handle"
        aria-label={t`Width of the list`}
        aria-valuenow={pixels}
        aria-valuemin={width.min}
        aria-valuemax={width.max}
        aria-valuetext={`${pixels} pixels`}
        title={t`Drag, or press the arrow keys, to change the width of the list`}
      />
      {children}
    </div>
  );
}

function within(pixels: number): number {
  return Math.round(Math.min(width.max, Math.max(width.min, Number.isFinite(pixels) ? pixels : width.usual)));
}
