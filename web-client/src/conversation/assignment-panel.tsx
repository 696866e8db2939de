import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Confirm } from '../app/confirm.tsx';
import { send } from '../app/send.ts';
import { trpc } from '../app/trpc.ts';
import { act, assign, plainActions } from './actions.ts';
import { acceptConversation } from './conversation-data.ts';
import { useThreadContext } from './thread-context.ts';

/** Whose it is, who follows it, and how it is handed on. */
export function AssignmentPanel() {
  const { conversation } = useThreadContext();
  const { id, assignee, team, followed, followers_count: followers } = conversation;
  const [transferring, setTransferring] = useState(false);
  const agents = useQuery(trpc.agents.list.queryOptions({}));
  const people = (agents.data?.data ?? []).filter(({ deactivated_at }) => deactivated_at === null);
  const options = people.map(({ name, email }) => ({ value: email, label: name }));
  if (assignee && !options.some(({ value }) => value === assignee.email))
    options.push({ value: assignee.email, label: assignee.name });
  return (
    <Stack gap="xs">
      <NativeSelect
        aria-label="Assignee"
        size="sm"
        value={assignee?.email ?? ''}
        data={[{ value: '', label: 'Nobody' }, ...options]}
        onChange={({ currentTarget: { value } }) =>
          void (value === '' ? act(id, plainActions.unassign(id)) : assign(id, value))
        }
      />
      {team && <Text size="sm">Team: {team.name}</Text>}
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={() => setTransferring(true)}>
          Transfer
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => void act(id, followed ? plainActions.unfollow(id) : plainActions.follow(id))}
        >
          {followed ? 'Stop following' : 'Follow'}
        </Button>
      </Group>
      {followers !== undefined && followers > 0 && (
        <Text size="sm" c="dimmed">
          {followers === 1 ? '1 follower' : `${followers} followers`}
        </Text>
      )}
      {transferring && <Transfer options={options} onClose={() => setTransferring(false)} />}
    </Stack>
  );
}

function Transfer({ options, onClose }: { options: { value: string; label: string }[]; onClose(): void }) {
  const { conversation } = useThreadContext();
  const others = options.filter(({ value }) => value !== conversation.assignee?.email);
  const [to, setTo] = useState(others[0]?.value ?? '');
  const [note, setNote] = useState('');
  const run = async () => {
    const { data } = await send(trpc.conversations.transfer.mutationOptions(), {
      conversation: conversation.id,
      assignee: to,
      ...(note.trim() === '' ? {} : { note }),
    });
    acceptConversation(data);
  };
  return (
    <Confirm
      title="Transfer the conversation"
      action="Transfer"
      disabled={to === ''}
      run={run}
      onClose={onClose}
    >
      <Stack gap="sm">
        <NativeSelect
          label="To"
          value={to}
          data={others}
          onChange={({ currentTarget: { value } }) => setTo(value)}
        />
        <Textarea
          label="Note for them"
          description="Your colleague is told. The customer does not see it."
          maxLength={2000}
          rows={3}
          value={note}
          onChange={({ currentTarget: { value } }) => setNote(value)}
        />
      </Stack>
    </Confirm>
  );
}
