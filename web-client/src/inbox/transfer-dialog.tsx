import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Modal, NativeSelect, Stack, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef } from 'react';
import type { Conversation } from '../../../schema/conversations.ts';
import { trpc } from '../app/trpc.ts';
import { useFocusBack } from '../keyboard/use-focus-back.ts';

interface Props {
  assignee: Conversation['assignee'];
  onChoose(to: { assignee: string } | { team: string }, name: string, note: string): void;
  onClose(): void;
}

/** Asks whom to hand a conversation over to, and what they should know. */
export function TransferDialog({ assignee, onChoose, onClose }: Props) {
  const { t } = useLingui();
  useFocusBack();
  const note = useRef<HTMLTextAreaElement>(null);
  const to = useRef<HTMLSelectElement>(null);
  const { data: agents } = useQuery(trpc.agents.list.queryOptions({}));
  const { data: teams } = useQuery(trpc.teams.list.queryOptions({}));
  const people = (agents?.data ?? []).filter(
    ({ email, deactivated_at }) => deactivated_at === null && email !== assignee?.email,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const value = to.current?.value ?? '';
    const agent = people.find(({ email }) => `agent ${email}` === value);
    const team = teams?.data.find(({ id }) => `team ${id}` === value);
    const words = note.current?.value.trim() ?? '';
    if (!agent && !team) return;
    onClose();
    if (agent) onChoose({ assignee: agent.email }, agent.name, words);
    else if (team) onChoose({ team: team.id }, team.name, words);
  };
  return (
    <Modal opened onClose={onClose} title={t`Transfer`} centered>
      <form onSubmit={submit}>
        <Stack gap="md">
          <NativeSelect
            ref={to}
            label={t`To`}
            data-autofocus
            data={[
              {
                group: t`Agents`,
                items: people.map(({ name, email }) => ({ value: `agent ${email}`, label: name })),
              },
              {
                group: t`Teams`,
                items: (teams?.data ?? []).map(({ id, name }) => ({ value: `team ${id}`, label: name })),
              },
            ].filter(({ items }) => items.length > 0)}
          />
          <Textarea
            ref={note}
            label={t`Note`}
            description={t`They are told. The customer does not see it.`}
            maxLength={2000}
            rows={3}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              <Trans>Cancel</Trans>
            </Button>
            <Button type="submit">
              <Trans>Transfer</Trans>
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
