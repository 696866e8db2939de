import { Trans, useLingui } from '@lingui/react/macro';
import { ActionIcon, Menu } from '@mantine/core';
import {
  EllipsisVertical,
  Link as LinkIcon,
  MessageSquarePlus,
  Reply,
  Copy,
  ThumbsDown,
  ThumbsUp,
} from 'lucide-react';
import { useState } from 'react';
import type { NoteEntry } from '../../../schema/timeline.ts';
import { useCan } from '../account/use-profile.ts';
import { currentMode } from '../app/mode.ts';
import { copy, quote } from './entry-actions.ts';
import type { MessageEntry } from './message-entry.tsx';
import { useRating } from './rating.tsx';
import { useThreadContext } from './thread-context.ts';

interface Props {
  entry: MessageEntry | NoteEntry;
  /** Who wrote it. */
  author: string;
}

/** What can be done with an entry. Its menu is made when it is opened: a thread has hundreds of entries. */
export function EntryMenu({ entry, author }: Props) {
  const { t } = useLingui();
  const [opened, setOpened] = useState(false);
  const button = (
    <ActionIcon
      variant="default"
      size={26}
      data-entry-menu
      aria-label={t`More about the entry of ${author}`}
      aria-haspopup="menu"
      aria-expanded={opened}
      onClick={() => setOpened(true)}
    >
      <EllipsisVertical size={15} aria-hidden />
    </ActionIcon>
  );
  if (!opened) return button;
  const close = (open: boolean) => {
    setOpened(open);
    // The reader goes on from the entry.
    if (!open) document.getElementById(`entry-${entry.id}`)?.focus({ preventScroll: true });
  };
  return (
    <Menu opened onChange={close} position="bottom-start" returnFocus={false}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Items entry={entry} />
      </Menu.Dropdown>
    </Menu>
  );
}

function Items({ entry }: Pick<Props, 'entry'>) {
  const { t } = useLingui();
  const { conversation, composer, saveAsReply } = useThreadContext();
  const can = useCan();
  const link = () => {
    const mode = currentMode() === 'test' ? '&mode=test' : '';
    copy(
      `${location.origin}/conversations/${conversation.id}?entry=${entry.id}${mode}`,
      t`The link is copied.`,
    );
  };
  const { text } = entry;
  return (
    <>
      {text !== null && text !== '' && (
        <Menu.Item
          leftSection={<Copy size={16} aria-hidden />}
          onClick={() => copy(text, t`The text is copied.`)}
        >
          <Trans>Copy the text</Trans>
        </Menu.Item>
      )}
      {entry.kind === 'message' && (
        <Menu.Item
          leftSection={<Reply size={16} aria-hidden />}
          onClick={() => quote(composer.current, entry)}
        >
          <Trans>Quote in a reply</Trans>
        </Menu.Item>
      )}
      {text !== null && text !== '' && can('quick-replies.manage') && (
        <Menu.Item
          leftSection={<MessageSquarePlus size={16} aria-hidden />}
          onClick={() => saveAsReply(text)}
        >
          <Trans>Create a quick reply…</Trans>
        </Menu.Item>
      )}
      <Menu.Item leftSection={<LinkIcon size={16} aria-hidden />} onClick={link}>
        <Trans>Copy the link</Trans>
      </Menu.Item>
      {entry.kind === 'message' && entry.ai_generated && <RatingItems message={entry.id} />}
    </>
  );
}

function RatingItems({ message }: { message: string }) {
  const { t } = useLingui();
  const { rating, rate } = useRating(message);
  if (!rate) return null;
  return (
    <>
      <Menu.Item leftSection={<ThumbsUp size={16} aria-hidden />} onClick={() => rate(1)}>
        {rating === 'up' ? t`Not a good answer any more` : t`A good answer`}
      </Menu.Item>
      <Menu.Item leftSection={<ThumbsDown size={16} aria-hidden />} onClick={() => rate(-1)}>
        {rating === 'down' ? t`Not a bad answer any more` : t`A bad answer`}
      </Menu.Item>
    </>
  );
}
