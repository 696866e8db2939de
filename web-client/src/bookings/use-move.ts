import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { done } from '../app/done.ts';
import { failureOf } from '../app/failure.ts';
import { refused } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import type { Booking } from './bookings-page.tsx';
import { type Clash, lookAround } from './look-around.ts';

/** The window of the list that is on the screen. */
export interface Range {
  from: string;
  to: string;
}

/** A move that was refused because the agent is busy then. */
export interface RefusedMove extends Clash {
  booking: Booking;
  minutes: number;
}

/**
 * Moves bookings at once in what is shown, then on the server. What the server refuses goes back to where it was.
 */
export function useMove(range: Range) {
  const { t } = useLingui();
  const [refusedMove, setRefusedMove] = useState<RefusedMove | null>(null);
  const update = useMutation(trpc.bookings.update.mutationOptions());
  const key = trpc.bookings.list.queryKey(range);
  const place = ({ id }: Booking, starts_at: string, ends_at: string) =>
    queryClient.setQueryData(
      key,
      (list) =>
        list && { data: list.data.map((row) => (row.id === id ? { ...row, starts_at, ends_at } : row)) },
    );
  const move = async (booking: Booking, start: Date, end: Date) => {
    setRefusedMove(null);
    await queryClient.cancelQueries(trpc.bookings.list.queryFilter(range));
    const [starts_at, ends_at] = [start.toISOString(), end.toISOString()];
    place(booking, starts_at, ends_at);
    try {
      await update.mutateAsync({ booking: booking.id, starts_at, ends_at });
      done(t`${booking.title} is moved.`);
    } catch (error) {
      place(booking, booking.starts_at, booking.ends_at);
      if (failureOf(error).code !== 'conflict') return refused(error);
      const minutes = (end.getTime() - start.getTime()) / 60_000;
      const clash = await lookAround(booking.agent_email, start, minutes, booking);
      if (clash) setRefusedMove({ ...clash, booking, minutes });
      else refused(error);
    } finally {
      await queryClient.invalidateQueries(trpc.bookings.pathFilter());
    }
  };
  return {
    refusedMove,
    forget: () => setRefusedMove(null),
    move: (booking: Booking, start: Date, end: Date) => void move(booking, start, end).catch(refused),
  };
}
