import { memo } from 'react';
import type { z } from 'zod';
import type { EventEntry } from '../../../schema/timeline.ts';
import { timeOf } from './words.ts';

/** What happened to the conversation, one line each; those that follow one another are one block. */
export const Events = memo(function Events({ entries }: { entries: readonly z.infer<typeof EventEntry>[] }) {
  return (
    <article
      className="thread-events"
      aria-label="What happened"
      tabIndex={-1}
      id={`entry-${entries[0]?.id}`}
    >
      {entries.map(({ id, label, at }) => (
        <p key={id}>
          {label} <time dateTime={at}>{timeOf(at)}</time>
        </p>
      ))}
    </article>
  );
});
