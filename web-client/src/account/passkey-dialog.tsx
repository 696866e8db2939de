import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { FailureAlert } from '../app/failure-alert.tsx';
import { told } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { useSubmit } from '../app/use-submit.ts';
import { PasswordField } from '../sign-in/password-field.tsx';
import { makePasskey, wasTurnedAway } from '../sign-in/passkeys.ts';
import type { Passkey } from './passkeys-section.tsx';

interface Props {
  /** Whose name is changed; null: closed. */
  passkey: Passkey | 'new' | null;
  onClose(): void;
}

/** Makes a passkey, for the password, or renames one. */
export function PasskeyDialog({ passkey, onClose }: Props) {
  const { t } = useLingui();
  return (
    <Modal
      opened={passkey !== null}
      onClose={onClose}
      title={passkey === 'new' ? t`Add a passkey` : t`Rename the passkey`}
    >
      {passkey === 'new' && <NewForm onClose={onClose} />}
      {passkey !== null && passkey !== 'new' && <NameForm passkey={passkey} onClose={onClose} />}
    </Modal>
  );
}

function NewForm({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  const add = useMutation(trpc.account.addPasskey.mutationOptions());
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async ({ name = '', password = '' }) => {
      try {
        await add.mutateAsync({ name, response: await makePasskey(password) });
      } catch (error) {
        // The form stays as it is for another try.
        if (wasTurnedAway(error)) return;
        throw error;
      }
      await queryClient.invalidateQueries(trpc.account.passkeys.queryFilter());
      told(t`The passkey is added.`);
      onClose();
    },
    ['name', 'password'],
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <Text>
          <Trans>Your browser asks you next where to keep it.</Trans>
        </Text>
        <NameField error={errorOf('name')} />
        <PasswordField error={errorOf('password')} />
        <Button type="submit" loading={pending}>
          <Trans>Continue</Trans>
        </Button>
      </Stack>
    </form>
  );
}

function NameForm({ passkey: { id, name: before }, onClose }: { passkey: Passkey; onClose(): void }) {
  const rename = useMutation(trpc.account.renamePasskey.mutationOptions());
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async ({ name = '' }) => {
      await rename.mutateAsync({ passkey: id, name });
      await queryClient.invalidateQueries(trpc.account.passkeys.queryFilter());
      onClose();
    },
    ['name'],
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <NameField defaultValue={before} error={errorOf('name')} />
        <Button type="submit" loading={pending}>
          <Trans>Save</Trans>
        </Button>
      </Stack>
    </form>
  );
}

function NameField({ defaultValue, error }: { defaultValue?: string; error: string | undefined }) {
  const { t } = useLingui();
  return (
    <TextInput
      name="name"
      label={t`Name`}
      description={t`So that you know it again: “Phone” or “Key at the office”.`}
      maxLength={50}
      required
      withAsterisk={false}
      data-autofocus
      defaultValue={defaultValue}
      error={error}
    />
  );
}
