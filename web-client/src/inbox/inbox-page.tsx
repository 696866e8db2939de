import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft, MessagesSquare } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { currentMode } from '../app/mode.ts';
import { KeyHint } from '../keyboard/key-hint.tsx';
import { unreadQuery } from '../realtime/list-cache.ts';
import { ConversationList } from './conversation-list.tsx';
import { InboxSplit } from './inbox-split.tsx';
import { ListHeader } from './list-header.tsx';
import { filtersOf, isNarrowed } from './search.ts';
import './inbox.css';

const loadPane = async () => {
  const { ConversationPane } = await import('../conversation/conversation-pane.tsx');
  return { default: ConversationPane };
};
/** The list does not wait for it. */
const ConversationPane = lazy(loadPane);

/** All conversations at the left, one of them at the right; on narrow screens one of both. */
export function InboxPage() {
  const { t } = useLingui();
  const search = useSearch({ from: '/shell/inbox' });
  const navigate = useNavigate({ from: '/inbox' });
  const { open } = search;
  useUnreadTitle();
  useEffect(() => void loadPane(), []);
  const show = (id: string | undefined) =>
    void navigate({
      search: (now) => ({ ...now, open: id }),
      replace: open !== undefined && id !== undefined,
    });
  return (
    <InboxSplit
      open={open !== undefined}
      // Stands outside of both, because narrow screens show the list or the conversation.
      title={
        <h1 className="visually-hidden" id="page-title" tabIndex={-1}>
          <Trans>Inbox</Trans>
        </h1>
      }
      list={
        <section className="inbox-side" aria-label={t`List`}>
          <ListHeader search={search} />
          <ConversationList
            filters={filtersOf(search)}
            open={open}
            narrowed={isNarrowed(search)}
            onOpen={show}
          />
        </section>
      }
    >
      <div className="inbox-pane" tabIndex={-1}>
        <Button
          className="inbox-back"
          variant="subtle"
          leftSection={<ArrowLeft size={16} aria-hidden />}
          onClick={() => show(undefined)}
        >
          <Trans>All conversations</Trans>
        </Button>
        <Suspense>
          {open === undefined ? <NothingOpen /> : <ConversationPane key={open} conversationId={open} />}
        </Suspense>
      </div>
    </InboxSplit>
  );
}

function NothingOpen() {
  return (
    <Stack className="inbox-nothing" align="center" justify="center" gap="xs">
      <MessagesSquare size={40} strokeWidth={1.25} aria-hidden />
      <Text fw={600}>
        <Trans>Choose a conversation</Trans>
      </Text>
      <Text size="sm" c="dimmed">
        <KeyHint keys="J" />{' '}
        <Trans>
          next, <KeyHint keys="K" /> previous, <KeyHint keys="?" /> all shortcuts
        </Trans>
      </Text>
    </Stack>
  );
}

/** How much is unread, in the browser's tab. */
function useUnreadTitle(): void {
  const { data: total = 0 } = useQuery(unreadQuery());
  const prefix = currentMode() === 'test' ? '[TEST] ' : '';
  useEffect(() => {
    document.title = `${prefix}${total > 0 ? `(${total}) ` : ''}Inbox · Parlour`;
  }, [prefix, total]);
}
