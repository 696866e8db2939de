import { type InfiniteData, notifyManager, type QueryFilters } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { EventFamily } from '../../../schema/events.ts';
import { queryClient } from '../app/trpc.ts';
import { followEvents, type RecordEvent } from './follow-events.ts';

/** Events that come within it are drawn together, in milliseconds. */
const pause = 250;

/** What a list has heard of and does not show yet. */
export interface News {
  count: number;
  /** Loads the list anew. */
  show(): void;
}

interface Options {
  family: EventFamily;
  /** Whether one may hear of the family at all. */
  enabled: boolean;
  /** What shows such records; read anew when events were missed. */
  filter: QueryFilters;
  /** Puts the record of an event into what shows it. */
  apply(event: RecordEvent): void;
}

/**
 * Keeps the records of a page as they are on the server. Those that are new are counted only: what somebody is about
 * to click does not move.
 */
export function useRecordNews({ family, enabled, filter, apply }: Options): News {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const latest = useRef({ filter, apply });
  latest.current = { filter, apply };
  useEffect(() => {
    if (!enabled) return;
    const waiting: RecordEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      timer = undefined;
      const events = waiting.splice(0);
      const made = events.filter(({ type }) => type === `${family}.created`).map(({ object }) => object.id);
      if (made.length > 0) setFresh((ids) => new Set([...ids, ...made]));
      notifyManager.batch(() => {
        for (const event of events) if (event.type !== `${family}.created`) latest.current.apply(event);
      });
    };
    const stop = followEvents(
      family,
      (event) => {
        waiting.push(event);
        timer ??= setTimeout(flush, pause);
      },
      () => void queryClient.invalidateQueries(latest.current.filter),
    );
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [family, enabled]);
  return {
    count: fresh.size,
    show: () => {
      setFresh(new Set());
      void queryClient.invalidateQueries(filter);
    },
  };
}

interface Row {
  id: string;
}

interface Paged<T> {
  data: T[];
}

/** The same pages with one row changed, wherever it stands. */
export function withRow<T extends Row, P extends Paged<T>>(
  list: InfiniteData<P> | undefined,
  id: string,
  change: (row: T) => T,
): InfiniteData<P> | undefined {
  if (!list?.pages.some(({ data }) => data.some((row) => row.id === id))) return list;
  return {
    ...list,
    pages: list.pages.map((page) => ({
      ...page,
      data: page.data.map((row) => (row.id === id ? change(row) : row)),
    })),
  };
}
