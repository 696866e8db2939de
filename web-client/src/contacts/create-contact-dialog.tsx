import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Modal, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FailureAlert } from '../app/failure-alert.tsx';
import { currentMode } from '../app/mode.ts';
import { done } from '../app/done.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { useSubmit } from '../app/use-submit.ts';
import { ContactFields, contactFields, contactInput } from './contact-fields.tsx';

/** Adds somebody, and goes to them. */
export function CreateContactDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const { t } = useLingui();
  return (
    <Modal opened={opened} onClose={onClose} title={t`New contact`}>
      <Create onClose={onClose} />
    </Modal>
  );
}

function Create({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const create = useMutation(trpc.contacts.create.mutationOptions());
  const { onSubmit, pending, errorOf, existingOf, failure } = useSubmit(async (values) => {
    const { data } = await create.mutateAsync({ ...contactInput(values), source: 'dashboard' });
    await queryClient.invalidateQueries(trpc.contacts.records.pathFilter());
    done(t`The contact is saved.`);
    // The sandbox keeps nothing, so there is no page to go to.
    if (currentMode() === 'test') onClose();
    else await navigate({ to: '/contacts/$contact', params: { contact: data.id } });
  }, contactFields);
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <ContactFields errorOf={errorOf} existingOf={existingOf} />
        <Button type="submit" loading={pending}>
          <Trans>Save</Trans>
        </Button>
      </Stack>
    </form>
  );
}
