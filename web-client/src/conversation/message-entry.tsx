import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { ActionIcon, Badge, Button, Tooltip } from '@mantine/core';
import { Package, Reply, ShoppingBag } from 'lucide-react';
import { memo } from 'react';
import type { z } from 'zod';
import type { MessageEntry as Schema } from '../../../schema/timeline.ts';
import { Face } from '../agents/face.tsx';
import { Delivery } from './delivery.tsx';
import { discardFailed } from './discarded.ts';
import { copy, quote } from './entry-actions.ts';
import { EntryMenu } from './entry-menu.tsx';
import { HeldState } from './held-state.tsx';
import { MediaPart } from './media-part.tsx';
import { Rating } from './rating.tsx';
import { post } from './outbox.ts';
import { RichText } from './rich-text.tsx';
import { useThreadContext } from './thread-context.ts';
import { authorName, contactName, timeOf } from './words.ts';
import { currentLocale } from '../language/language.ts';

export type MessageEntry = z.infer<typeof Schema>;

const cards = {
  product: {
    icon: Package,
    get word() {
      return t`Product`;
    },
  },
  order: {
    icon: ShoppingBag,
    get word() {
      return t`Order`;
    },
  },
} as const;

/** One message. `continued`: the one before is by the same author, a moment ago. */
export const Message = memo(function Message({
  entry,
  continued,
}: {
  entry: MessageEntry;
  continued: boolean;
}) {
  const { conversation } = useThreadContext();
  const author = authorName(entry.author, contactName(conversation.contact));
  const outbound = entry.direction === 'outbound';
  const card = entry.type === 'product' || entry.type === 'order' ? cards[entry.type] : null;
  return (
    <article
      id={`entry-${entry.id}`}
      className="thread-message"
      data-outbound={outbound || undefined}
      data-continued={continued || undefined}
      data-status={entry.status}
      aria-label={`${author}, ${timeOf(entry.at)}`}
      tabIndex={-1}
    >
      {!continued && (
        <header className="thread-author">
          {outbound && <Face of={entry.author?.email} size={20} />}
          <span>{author}</span>
          {entry.ai_generated && (
            <Badge size="sm" variant="default">
              AI
            </Badge>
          )}
          {entry.author?.type === 'campaign' && (
            <Badge size="sm" variant="default">
              <Trans>Campaign</Trans>
            </Badge>
          )}
        </header>
      )}
      <div className="thread-bubble">
        {entry.reply_to && <Quoted entry={entry} />}
        {card && (
          <span className="thread-card">
            <card.icon size={16} aria-hidden /> {card.word}
          </span>
        )}
        {entry.media && <MediaPart media={entry.media} />}
        {entry.text !== null && entry.text !== '' && <RichText text={entry.text} />}
        <Tools entry={entry} author={author} />
      </div>
      <footer className="thread-foot">
        <time dateTime={entry.at} title={new Date(entry.at).toLocaleString(currentLocale())}>
          {timeOf(entry.at)}
        </time>
        {outbound && entry.status !== 'held' && <Delivery status={entry.status} />}
        {entry.ai_generated && <Rating message={entry.id} />}
      </footer>
      {entry.status === 'held' && <HeldState entry={entry} />}
      {entry.status === 'failed' && <Failed entry={entry} />}
    </article>
  );
});

function Quoted({ entry: { reply_to: quoted } }: { entry: MessageEntry }) {
  const { t } = useLingui();
  const { conversation, jump } = useThreadContext();
  if (!quoted) return null;
  const author = authorName(quoted.author, contactName(conversation.contact));
  return (
    <button type="button" className="thread-quote" onClick={() => jump(quoted.id)}>
      <span className="visually-hidden">
        <Trans>Answers</Trans>{' '}
      </span>
      <strong>{author}</strong>
      <span dir="auto">{quoted.snippet === '' ? t`Attachment` : quoted.snippet}</span>
    </button>
  );
}

function Tools({ entry, author }: { entry: MessageEntry; author: string }) {
  const { t } = useLingui();
  const { composer } = useThreadContext();
  return (
    <span className="thread-tools">
      <Tooltip label={t`Quote in a reply`}>
        <ActionIcon
          variant="default"
          size={26}
          aria-label={t`Quote the message of ${author}`}
          onClick={() => quote(composer.current, entry)}
        >
          <Reply size={15} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <EntryMenu entry={entry} author={author} />
    </span>
  );
}

function Failed({ entry }: { entry: MessageEntry }) {
  const { t } = useLingui();
  const { conversation } = useThreadContext();
  const sendable = entry.type === 'text' || entry.type === 'media';
  const again = () => {
    const letter = { text: entry.text ?? '', media: entry.media, replyTo: entry.reply_to };
    void post(conversation.id, [letter]);
  };
  return (
    <div className="thread-failed">
      <span>{entry.failure_reason ?? t`The message was not delivered.`}</span>
      {sendable && (
        <Button size="compact-xs" variant="default" onClick={again}>
          <Trans>Retry</Trans>
        </Button>
      )}
      {entry.text !== null && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => copy(entry.text ?? '', t`The text is copied.`)}
        >
          <Trans>Copy</Trans>
        </Button>
      )}
      <Button size="compact-xs" variant="default" onClick={() => discardFailed(conversation.id, entry.id)}>
        <Trans>Discard</Trans>
      </Button>
    </div>
  );
}
