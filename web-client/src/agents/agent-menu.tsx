import { Trans, useLingui } from '@lingui/react/macro';
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
  const { t } = useLingui();
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
          <ActionIcon variant="subtle" size="lg" aria-label={t`Actions for ${agent.name}`}>
            <Ellipsis size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={untouchable} onClick={() => setOpen('edit')}>
            <Trans>Name and role…</Trans>
          </Menu.Item>
          {active ? (
            <Menu.Item disabled={untouchable || agent.is_me} onClick={() => setOpen('deactivate')}>
              <Trans>Deactivate…</Trans>
            </Menu.Item>
          ) : (
            <Menu.Item onClick={() => reactivate.mutate({ agent: agent.id })}>
              <Trans>Reactivate</Trans>
            </Menu.Item>
          )}
          {isOwner && (
            <Menu.Item
              disabled={agent.is_me || !active || !agent.signs_in}
              onClick={() => setOpen('transfer')}
            >
              <Trans>Make Owner…</Trans>
            </Menu.Item>
          )}
          {untouchable && (
            <Menu.Label>
              <Trans>Only the Owner may change the Owner.</Trans>
            </Menu.Label>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={open === 'edit'} onClose={close} title={agent.name}>
        <Edit agent={agent} onClose={close} />
      </Modal>
      <Confirm
        title={open === 'deactivate' ? t`Deactivate ${agent.name}?` : null}
        action={t`Deactivate`}
        onClose={close}
        run={async () => {
          await deactivate.mutateAsync({ agent: agent.id });
          await refresh();
          told(t`${agent.name} is deactivated.`);
        }}
      >
        <Trans>
          They are signed out everywhere at once and their API keys stop working. What they did stays.
        </Trans>
      </Confirm>
      <Confirm
        title={open === 'transfer' ? t`Make ${agent.name} the Owner?` : null}
        action={t`Transfer ownership`}
        onClose={close}
        run={async () => {
          await transfer.mutateAsync({ agent: agent.id });
          await Promise.all([refresh(), refreshProfile()]);
          told(t`${agent.name} is the Owner now.`);
        }}
      >
        <Text>
          <Trans>You become an admin. Only the new Owner can give it back.</Trans>
        </Text>
      </Confirm>
    </>
  );
}

function Edit({ agent, onClose }: { agent: Agent; onClose(): void }) {
  const { t } = useLingui();
  const roles = useQuery(trpc.roles.list.queryOptions({}));
  const update = useMutation(trpc.agents.update.mutationOptions());
  const owner = agent.role.key === 'owner';
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async ({ name, role }) => {
      await update.mutateAsync({ agent: agent.id, name, ...(owner ? {} : { role }) });
      await Promise.all([refresh(), refreshProfile()]);
      told(t`Saved.`);
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
          label={t`Name`}
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
            label={t`Role`}
            defaultValue={agent.role.id}
            data={choices.map(({ id, name }) => ({ value: id, label: name }))}
            error={errorOf('role')}
          />
        )}
        <Button type="submit" loading={pending}>
          <Trans>Save</Trans>
        </Button>
      </Stack>
    </form>
  );
}
