import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyField } from '../app/copy-field.tsx';
import { FailureAlert } from '../app/failure-alert.tsx';
import { queryClient, trpc } from '../app/trpc.ts';
import { useSubmit } from '../app/use-submit.ts';

/** Asks whom and as what; shows the link once. */
export function InviteDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const { t } = useLingui();
  return (
    <Modal opened={opened} onClose={onClose} title={t`Invite somebody`}>
      <Invite onClose={onClose} />
    </Modal>
  );
}

function Invite({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  const [made, setMade] = useState<{ email: string; link: string } | null>(null);
  const roles = useQuery(trpc.roles.list.queryOptions({}));
  const create = useMutation(trpc.invitations.create.mutationOptions());
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async ({ email = '', role = '' }) => {
      const { data } = await create.mutateAsync({ email, role });
      // The link is in no cache: it opens an account.
      create.reset();
      setMade({ email: data.email, link: data.link });
      await queryClient.invalidateQueries(trpc.invitations.list.queryFilter());
    },
    ['email', 'role'],
  );
  if (made) {
    return (
      <Stack gap="md">
        <Text>
          <Trans>
            A mail is on its way to {made.email}. You can pass on the link yourself, too; it works once.
          </Trans>
        </Text>
        <CopyField label={t`Link`} value={made.link} />
        <Button onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </Stack>
    );
  }
  const choices = (roles.data?.data ?? []).filter(({ key }) => key !== 'owner');
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <TextInput
          name="email"
          type="email"
          label={t`E-mail`}
          autoComplete="off"
          required
          withAsterisk={false}
          data-autofocus
          error={errorOf('email')}
        />
        <NativeSelect
          key={choices.length}
          name="role"
          label={t`Role`}
          defaultValue={choices.find(({ key }) => key === 'agent')?.id}
          data={choices.map(({ id, name }) => ({ value: id, label: name }))}
          error={errorOf('role')}
        />
        <Button type="submit" loading={pending}>
          <Trans>Invite</Trans>
        </Button>
      </Stack>
    </form>
  );
}
