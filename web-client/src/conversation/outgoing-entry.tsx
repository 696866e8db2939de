import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { CircleAlert, Clock } from 'lucide-react';
import { copy } from './entry-actions.ts';
import { MediaPart } from './media-part.tsx';
import { discard, type Outgoing, retry } from './outbox.ts';
import { RichText } from './rich-text.tsx';
import { useThreadContext } from './thread-context.ts';

/** A message that is on its way to the server, or was refused by it. */
export function OutgoingMessage({ item }: { item: Outgoing }) {
  const { t } = useLingui();
  const { conversation, composer } = useThreadContext();
  const edit = () => {
    discard(conversation.id, item.ref);
    composer.current?.restore(item.text, item.media);
  };
  return (
    <article
      className="thread-message"
      data-outbound
      data-status={item.refusal === null ? 'queued' : 'failed'}
      aria-label={t`Your message`}
      tabIndex={-1}
    >
      <div className="thread-bubble">
        {item.media && <MediaPart media={item.media} />}
        {item.text !== '' && <RichText text={item.text} />}
      </div>
      {item.refusal === null ? (
        <footer className="thread-foot">
          <span className="thread-delivery">
            <Clock size={14} aria-hidden /> <Trans>Sending</Trans>
          </span>
        </footer>
      ) : (
        <div className="thread-failed" role="alert">
          <span>
            <CircleAlert size={14} aria-hidden /> {item.refusal}
          </span>
          <Button size="compact-xs" variant="default" onClick={() => retry(conversation.id, item.ref)}>
            <Trans>Retry</Trans>
          </Button>
          {item.text !== '' && (
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => copy(item.text, t`The text is copied.`)}
            >
              <Trans>Copy</Trans>
            </Button>
          )}
          <Button size="compact-xs" variant="default" onClick={edit}>
            <Trans>Edit</Trans>
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => discard(conversation.id, item.ref)}>
            <Trans>Discard</Trans>
          </Button>
        </div>
      )}
    </article>
  );
}
