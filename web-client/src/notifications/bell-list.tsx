import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { ConversationLink } from '../app/conversation-link.tsx';
import { LoadMore } from '../app/load-more.tsx';
import { Moment } from '../app/moment.tsx';
import { QueryState } from '../app/query-state.tsx';
import { refused } from '../app/toast.ts';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';

type Told = inferOutput<typeof trpc.notifications.list>['data'][number];

/** The newest first. */
export function BellList() {
  const { t } = useLingui();
  const list = useInfiniteQuery(
    trpc.notifications.list.infiniteQueryOptions(
      { limit: 20 },
      { getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined },
    ),
  );
  const refresh = async () => {
    await Promise.all([
      queryClient.invalidateQueries(trpc.notifications.list.infiniteQueryFilter()),
      queryClient.invalidateQueries(trpc.notifications.unreadCount.queryFilter()),
    ]);
  };
  const settle = { onError: refused, onSuccess: refresh };
  const all = useMutation(trpc.notifications.markAllRead.mutationOptions(settle));
  const one = useMutation(trpc.notifications.markRead.mutationOptions(settle));
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text fw={600}>
          <Trans>Notifications</Trans>
        </Text>
        {/* Never disabled: it would lose the focus, and Escape with it. */}
        <Button variant="default" size="compact-sm" onClick={() => all.mutate({})}>
          <Trans>Mark all as read</Trans>
        </Button>
      </Group>
      <QueryState query={list} rows={4}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0)
            return (
              <Text c="dimmed">
                <Trans>Nothing yet. Mentions and assignments come here.</Trans>
              </Text>
            );
          return (
            <>
              {/* Scrolls, so it can be reached by keyboard. */}
              <ul className="bell-list" tabIndex={0} aria-label={t`Notifications, newest first`}>
                {rows.map((told) => (
                  <Item key={told.id} told={told} read={() => one.mutate({ notification: told.id })} />
                ))}
              </ul>
              <LoadMore query={list} />
            </>
          );
        }}
      </QueryState>
    </Stack>
  );
}

function Item({ told, read }: { told: Told; read(): void }) {
  const { t } = useLingui();
  const { conversation, snippet } = told;
  return (
    <li data-unread={told.read ? undefined : ''}>
      <Text size="sm">
        {!told.read && (
          <span className="visually-hidden">
            <Trans>Unread:</Trans>{' '}
          </span>
        )}
        {sentence(told)}{' '}
        {conversation !== null && (
          <span onClickCapture={read}>
            <ConversationLink id={conversation.id}>
              {conversation.contact ?? t`a conversation`}
            </ConversationLink>
          </span>
        )}
      </Text>
      {snippet !== null && (
        <Text size="sm" c="dimmed" lineClamp={2}>
          {snippet}
        </Text>
      )}
      <Group justify="space-between" mt={2}>
        <Text size="xs" c="dimmed">
          <Moment at={told.created_at} />
        </Text>
        {!told.read && (
          <UnstyledButton fz="xs" c="dimmed" td="underline" mih={24} onClick={read}>
            <Trans>Mark as read</Trans>
          </UnstyledButton>
        )}
      </Group>
    </li>
  );
}

function sentence({ kind, by, details }: Told): string {
  const who = by?.name ?? t`Somebody`;
  switch (kind) {
    case 'mention':
      return t`${who} mentioned you in a note on`;
    case 'assigned':
      return by === null ? t`You were assigned to` : t`${who} assigned you to`;
    case 'transferred':
      return t`${who} handed over to you:`;
    case 'reply':
      return t`New message from`;
    case 'system':
      return details?.['topic'] === 'webhook.disabled'
        ? t`The webhook endpoint ${String(details['url'])} was switched off, because it did not answer.`
        : t`News of the system.`;
  }
}
