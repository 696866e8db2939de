const minute = 60_000;
const day = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The clock of a zone, as if it were one of UTC: the difference to the real time is the zone's offset. */
function wallClock(moment: number, timezone: string): number {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formats.set(timezone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const { year, month, day: date, hour, minute: minutes, second } = parts;
  return Date.parse(`${year?.padStart(4, '0')}-${month}-${date}T${hour}:${minutes}:${second}Z`);
}

/** The date that calendars of a zone show, as `YYYY-MM-DD`. */
export function zonedDate(moment: Date, timezone: string): string {
  return new Date(wallClock(moment.getTime(), timezone)).toISOString().slice(0, 10);
}

/**
 * When the clocks of a zone show a time of a date, in milliseconds. A time that they skip is the moment they skip it.
 * @param time `HH:MM`, up to 24:00
 * @param which of two moments when the clocks are set back and show it twice
 */
export function zonedMoment(date: string, time: string, timezone: string, which: 'first' | 'last'): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const wanted = Date.parse(date) + (hours * 60 + minutes) * minute;
  const offsetAt = (moment: number) => wallClock(moment, timezone) - Math.floor(moment / 1000) * 1000;
  const [before, after] = [offsetAt(wanted - day), offsetAt(wanted + day)];
  const shown = [wanted - before, wanted - after]
    .filter((moment) => moment + offsetAt(moment) === wanted)
    .sort((a, b) => a - b);
  const found = which === 'first' ? shown[0] : shown.at(-1);
  return found ?? changeOf(offsetAt, Math.min(wanted - before, wanted - after), after);
}

/** The moment at which a zone takes on an offset, within a day after `start`, to the minute. */
function changeOf(offsetAt: (moment: number) => number, start: number, offset: number): number {
  let [low, high] = [start, start + day];
  while (high - low > minute) {
    const middle = low + Math.floor((high - low) / 2 / minute) * minute;
    if (offsetAt(middle) === offset) high = middle;
    else low = middle;
  }
  return high;
}
