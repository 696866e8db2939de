import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient, trpc } from '../app/trpc.ts';
import { act, assign, plainActions } from './actions.ts';
import { useThreadContext } from './thread-context.ts';

/** Whose it is, who follows it, and how it is handed on. */
export function AssignmentPanel() {
  const { t } = useLingui();
  const { conversation, transfer } = useThreadContext();
  const { id, assignee, team, followed, followers_count: followers } = conversation;
  const agents = useQuery(trpc.agents.list.queryOptions({}));
  const people = (agents.data?.data ?? []).filter(({ deactivated_at }) => deactivated_at === null);
  const options = people.map(({ name, email }) => ({ value: email, label: name }));
  if (assignee && !options.some(({ value }) => value === assignee.email))
    options.push({ value: assignee.email, label: assignee.name });
  return (
    <Stack gap="xs">
      <NativeSelect
        aria-label={t`Assignee`}
        size="sm"
        value={assignee?.email ?? ''}
        data={[{ value: '', label: t`Nobody` }, ...options]}
        onChange={({ currentTarget: { value } }) =>
          void (value === '' ? act(id, plainActions.unassign(id)) : assign(id, value))
        }
      />
      {team && (
        <Text size="sm">
          <Trans>Team: {team.name}</Trans>
        </Text>
      )}
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={transfer}>
          <Trans>Transfer</Trans>
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => void act(id, followed ? plainActions.unfollow(id) : plainActions.follow(id))}
        >
          {followed ? t`Stop following` : t`Follow`}
        </Button>
      </Group>
      <Followers conversation={id} count={followers ?? 0} />
    </Stack>
  );
}

function Followers({ conversation, count }: { conversation: string; count: number }) {
  const { t } = useLingui();
  const { data } = useQuery(
    trpc.conversations.followers.queryOptions({ conversation }, { enabled: count > 0 }),
  );
  useEffect(() => {
    void queryClient.invalidateQueries(trpc.conversations.followers.queryFilter({ conversation }));
  }, [conversation, count]);
  if (count === 0 || !data) return null;
  return (
    <Text size="sm" c="dimmed">
      {t`Followed by ${new Intl.ListFormat().format(data.data.map(({ name }) => name))}`}
    </Text>
  );
}
