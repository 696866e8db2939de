import { useLingui } from '@lingui/react/macro';
import { memo } from 'react';
import type { z } from 'zod';
import type { EventEntry } from '../../../schema/timeline.ts';
import { authorName, contactName, timeOf } from './words.ts';
import { useThreadContext } from './thread-context.ts';

type Event = z.infer<typeof EventEntry>;

/** What one author did within so many milliseconds stands in one line. */
const together = 60_000;

const words = new Intl.ListFormat(undefined, { type: 'unit', style: 'short' });

/** What happened to the conversation: a line for all that somebody did at once. */
export const Events = memo(function Events({ entries }: { entries: readonly Event[] }) {
  const { t } = useLingui();
  const contact = contactName(useThreadContext().conversation.contact);
  return (
    <article
      className="thread-events"
      aria-label={t`What happened`}
      tabIndex={-1}
      id={`entry-${entries[0]?.id}`}
    >
      {linesOf(entries).map((line) => {
        const [first] = line;
        if (!first) return null;
        const said = words.format(line.map(({ label }) => label));
        const author = first.author === null ? null : authorName(first.author, contact);
        return (
          <p key={first.id}>
            {author === null ? said : `${author}: ${said}`}{' '}
            <time dateTime={first.at}>{timeOf(first.at)}</time>
          </p>
        );
      })}
    </article>
  );
});

function linesOf(entries: readonly Event[]): Event[][] {
  const lines: Event[][] = [];
  for (const entry of entries) {
    const last = lines.at(-1);
    const [first] = last ?? [];
    const joins =
      first?.author?.name === entry.author?.name &&
      first?.author?.type === entry.author?.type &&
      Date.parse(entry.at) - Date.parse(first?.at ?? entry.at) < together;
    if (last && joins) last.push(entry);
    else lines.push([entry]);
  }
  return lines;
}
