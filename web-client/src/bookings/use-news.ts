import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { useProfile } from '../account/use-profile.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { socket } from '../realtime/socket.ts';
import type { Booking } from './bookings-page.tsx';
import { spoken } from './spoken.ts';

const subscription = `subscription ($after: ID) {
  events(after: $after) { type sequence resync event { object actor { id name } } }
}`;

interface News {
  type: string;
  sequence: number | null;
  resync: boolean;
  event: {
    object: Booking;
    actor: { id: string | null; name: string | null };
  } | null;
}

/** An id that no event has: the server answers with `resync`, so nothing between list and stream is missed. */
const nowhere = '0'.repeat(26);

/** How long one that was moved is marked, and how often the list is loaded anew at most, in milliseconds. */
const marked = 2_500;
const calm = 1_000;

/**
 * Bookings that somebody else has just moved, and a sentence about it; the lists are loaded anew meanwhile.
 * @param live in test mode nothing is heard: the page has a socket of that mode alone
 */
export function useBookingNews(zone: string, live: boolean): { moved: ReadonlySet<string>; said: string } {
  const { id: me } = useProfile();
  const [moved, setMoved] = useState<ReadonlySet<string>>(new Set());
  const [said, setSaid] = useState('');
  const shown = useRef(zone);
  shown.current = zone;
  useEffect(() => {
    if (!live) return;
    const variables = { after: nowhere };
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const later = (run: () => void, after: number) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        run();
      }, after);
      timers.add(timer);
    };
    let heard: News[] = [];
    const flush = () => {
      const news = heard.splice(0);
      void queryClient.invalidateQueries(trpc.bookings.pathFilter());
      const others = news.filter(({ event }) => event !== null && event.actor.id !== me);
      const moves = others.filter(({ type }) => type === 'booking.rescheduled');
      const ids = new Set(moves.map(({ event }) => event?.object.id ?? ''));
      if (others.length > 0) setSaid(sentence(others, moves, shown.current));
      if (ids.size === 0) return;
      setMoved(ids);
      later(() => setMoved(new Set()), marked);
    };
    const hear = (news: News) => {
      if (news.sequence !== null) variables.after = String(news.sequence);
      if (!news.resync && !news.type.startsWith('booking.')) return;
      if (heard.length === 0) later(flush, calm);
      heard.push(news);
    };
    const ignore = () => {};
    const leave = socket('live').subscribe<{ events: News }>(
      { query: subscription, variables },
      { next: ({ data }) => data && hear(data.events), error: ignore, complete: ignore },
    );
    return () => {
      leave();
      heard = [];
      for (const timer of timers) clearTimeout(timer);
    };
  }, [me, live]);
  return { moved, said };
}

/** What screen readers hear: one that was moved with its new time, more as a number. */
function sentence(others: readonly News[], moves: readonly News[], zone: string): string {
  const event = moves[0]?.event;
  const changed = new Set(others.map((news) => news.event?.object.id));
  if (changed.size > 1 || !event) return t`Bookings changed by others: ${changed.size}.`;
  const who = event.actor.name ?? t`Somebody`;
  return t`${who} moved ${event.object.title} to ${spoken(event.object, zone)}.`;
}
