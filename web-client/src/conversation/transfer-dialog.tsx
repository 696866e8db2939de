import { useLingui } from '@lingui/react/macro';
import { NativeSelect, Stack, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Conversation } from '../../../schema/conversations.ts';
import { Confirm } from '../app/confirm.tsx';
import { send } from '../app/send.ts';
import { told } from '../app/toast.ts';
import { trpc } from '../app/trpc.ts';
import { acceptConversation } from './conversation-data.ts';

/** Hands a conversation on to a colleague, with a word about it. */
export function TransferDialog({ conversation, onClose }: { conversation: Conversation; onClose(): void }) {
  const { t } = useLingui();
  const agents = useQuery(trpc.agents.list.queryOptions({}));
  const others = (agents.data?.data ?? []).filter(
    ({ email, deactivated_at }) => deactivated_at === null && email !== conversation.assignee?.email,
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const to = chosen ?? others[0]?.email ?? '';
  const run = async () => {
    const { data } = await send(trpc.conversations.transfer.mutationOptions(), {
      conversation: conversation.id,
      assignee: to,
      ...(note.trim() === '' ? {} : { note }),
    });
    acceptConversation(data);
    told(t`The conversation is with ${data.assignee?.name ?? to} now.`);
  };
  return (
    <Confirm
      title={t`Transfer the conversation`}
      action={t`Transfer`}
      disabled={to === ''}
      run={run}
      onClose={onClose}
    >
      <Stack gap="sm">
        <NativeSelect
          label={t`To`}
          value={to}
          data={others.map(({ name, email }) => ({ value: email, label: name }))}
          onChange={({ currentTarget: { value } }) => setChosen(value)}
        />
        <Textarea
          label={t`Note for them`}
          description={t`Your colleague is told. The customer does not see it.`}
          maxLength={2000}
          rows={3}
          value={note}
          onChange={({ currentTarget: { value } }) => setNote(value)}
        />
      </Stack>
    </Confirm>
  );
}
