import { useLingui } from '@lingui/react/macro';
import { Events } from './event-entries.tsx';
import { Message } from './message-entry.tsx';
import { Note } from './note-entry.tsx';
import type { Row } from './rows.ts';
import { dayOf } from './words.ts';

export function TimelineRow({ row }: { row: Row }) {
  const { t } = useLingui();
  switch (row.kind) {
    case 'day':
      return (
        <div className="thread-day">
          <span>{dayOf(row.at)}</span>
        </div>
      );
    case 'unread':
      return (
        <div className="thread-unread">
          <span>{row.count === 1 ? t`1 unread message` : t`${row.count} unread messages`}</span>
        </div>
      );
    case 'message':
      return <Message entry={row.entry} continued={row.continued} />;
    case 'note':
      return <Note entry={row.entry} />;
    case 'events':
      return <Events entries={row.entries} />;
  }
}
