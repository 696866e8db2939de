import { Trans, useLingui } from '@lingui/react/macro';
import { Lock } from 'lucide-react';
import { memo } from 'react';
import type { NoteEntry } from '../../../schema/timeline.ts';
import { Face } from '../agents/face.tsx';
import { EntryMenu } from './entry-menu.tsx';
import { RichText } from './rich-text.tsx';
import { authorName, timeOf } from './words.ts';
import { currentLocale } from '../language/language.ts';

/** A note that the customer never sees. */
export const Note = memo(function Note({ entry }: { entry: NoteEntry }) {
  const { t } = useLingui();
  const author = authorName(entry.author, t`Contact`);
  return (
    <article
      id={`entry-${entry.id}`}
      className="thread-note"
      aria-label={t`Private note of ${author}, ${timeOf(entry.at)}`}
      tabIndex={-1}
    >
      <header className="thread-author">
        <Lock size={13} aria-hidden />
        <span>
          <Trans>Private note</Trans>
        </span>
        <Face of={entry.author?.email} size={18} />
        <span className="thread-small">{author}</span>
        <span className="thread-tools">
          <EntryMenu entry={entry} author={author} />
        </span>
      </header>
      <RichText text={entry.text} />
      <footer className="thread-foot">
        <time dateTime={entry.at} title={new Date(entry.at).toLocaleString(currentLocale())}>
          {timeOf(entry.at)}
        </time>
        {entry.mentions.length > 0 && (
          <span>
            <Trans>Mentions</Trans> {entry.mentions.map(({ name }) => name).join(', ')}
          </span>
        )}
      </footer>
    </article>
  );
});
