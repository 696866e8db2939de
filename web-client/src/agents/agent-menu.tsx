import { ActionIcon, Button, Menu, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { refreshProfile, useProfile } from '../account/use-profile.ts';
import { Confirm } from '../app/confirm.tsx';
import { FailureAlert } from '../app/failure-alert.tsx';
import { refused, told } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { useSubmit } from '../app/use-submit.ts';
import type { Agent } from './team-page.tsx';

type Open = 'edit' | 'deactivate' | 'transfer' | null;

const refresh = () => queryClient.invalidateQueries(trpc.agents.list.queryFilter());

/** What can be done about a colleague. */
export function AgentMenu({ agent }: { agent: Agent }) {
  const me = useProfile();
  const [open, setOpen] = useState<Open>(null);
  const deactivate = useMutation(trpc.agents.deactivate.mutationOptions());
  const reactivate = useMutation(
    trpc.agents.reactivate.mutationOptions({ onError: refused, onSuccess: refresh }),
  );
  const transfer = useMutation(trpc.agents.transferOwnership.mutationOptions());
  const close = () => setOpen(null);
  const isOwner = me.role.key === 'owner';
  const untouchable = agent.role.key === 'owner' && !isOwner;
  const active = agent.deactivated_at === null;
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" size="lg" aria-label={`Actions for ${agent.name}`}>
            <Ellipsis size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={untouchable} onClick={() => setOpen('edit')}>
            Name and role…
          </Menu.Item>
          {active ? (
            <Menu.Item disabled={untouchable || agent.is_me} onClick={() => setOpen('deactivate')}>
              Deactivate…
            </Menu.Item>
          ) : (
            <Menu.Item onClick={() => reactivate.mutate({ agent: agent.id })}>Reactivate</Menu.Item>
          )}
          {isOwner && (
            <Menu.Item
              disabled={agent.is_me || !active || !agent.signs_in}
              onClick={() => setOpen('transfer')}
            >
              Make Owner…
            </Menu.Item>
          )}
          {untouchable && <Menu.Label>Only the Owner may change the Owner.</Menu.Label>}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={open === 'edit'} onClose={close} title={agent.name}>
        <Edit agent={agent} onClose={close} />
      </Modal>
      <Confirm
        title={open === 'deactivate' ? `Deactivate ${agent.name}?` : null}
        action="Deactivate"
        onClose={close}
        run={async () => {
          await deactivate.mutateAsync({ agent: agent.id });
          await refresh();
          told(`${agent.name} is deactivated.`);
        }}
      >
        They are signed out everywhere at once and their API keys stop working. What they did stays.
      </Confirm>
      <Confirm
        title={open === 'transfer' ? `Make ${agent.name} the Owner?` : null}
        action="Transfer ownership"
        onClose={close}
        run={async () => {
          await transfer.mutateAsync({ agent: agent.id });
          await Promise.all([refresh(), refreshProfile()]);
          told(`${agent.name} is the Owner now.`);
        }}
      >
        <Text>You become an admin. Only the new Owner can give it back.</Text>
      </Confirm>
    </>
  );
}

function Edit({ agent, onClose }: { agent: Agent; onClose(): void }) {
  const roles = useQuery(trpc.roles.list.queryOptions({}));
  const update = useMutation(trpc.agents.update.mutationOptions());
  const owner = agent.role.key === 'owner';
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async ({ name, role }) => {
      await update.mutateAsync({ agent: agent.id, name, ...(owner ? {} : { role }) });
      await Promise.all([refresh(), refreshProfile()]);
      told('Saved.');
      onClose();
    },
    ['name', 'role'],
  );
  const choices = (roles.data?.data ?? []).filter(({ key }) => key !== 'owner');
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <TextInput
          name="name"
          label="Name"
          autoComplete="off"
          required
          withAsterisk={false}
          data-autofocus
          defaultValue={agent.name}
          error={errorOf('name')}
        />
        {!owner && (
          <NativeSelect
            key={choices.length}
            name="role"
            label="Role"
            defaultValue={agent.role.id}
            data={choices.map(({ id, name }) => ({ value: id, label: name }))}
            error={errorOf('role')}
          />
        )}
        <Button type="submit" loading={pending}>
          Save
        </Button>
      </Stack>
    </form>
  );
}
