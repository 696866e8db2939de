import { ownZone } from '../account/own-zone.ts';
import { dateFormat, relativeFormat } from '../language/formats.ts';
import { serverNow } from './clock.ts';

/** A moment: near ones in words, the exact one on hover and for programs. */
export function Moment({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {inWords(date, serverNow())}
    </time>
  );
}

const exact = dateFormat({ dateStyle: 'full', timeStyle: 'long' }, ownZone);
const day = dateFormat({ dateStyle: 'medium' }, ownZone);
const near = relativeFormat({ numeric: 'auto', style: 'short' });

function inWords(date: Date, now: number): string {
  const seconds = (date.getTime() - now) / 1000;
  const size = Math.abs(seconds);
  if (size < 60) return near.format(0, 'minute');
  if (size < 3_600) return near.format(Math.round(seconds / 60), 'minute');
  if (size < 86_400) return near.format(Math.round(seconds / 3_600), 'hour');
  if (size < 7 * 86_400) return near.format(Math.round(seconds / 86_400), 'day');
  return day.format(date);
}
