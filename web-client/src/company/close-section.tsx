import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useProfile } from '../account/use-profile.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { currentMode } from '../app/mode.ts';
import { Section } from '../app/page.tsx';
import { useSubmit } from '../app/use-submit.ts';
import { authStep } from '../sign-in/auth.ts';
import { PasswordField } from '../sign-in/password-field.tsx';

/** The end of a company: for its Owner, who types its name and the password. */
export function CloseSection({ name }: { name: string }) {
  const { t } = useLingui();
  const { role } = useProfile();
  const [asked, setAsked] = useState(false);
  const reason =
    role.key !== 'owner'
      ? t`Only the Owner may do that.`
      : currentMode() === 'test'
        ? t`Switch to live mode for it.`
        : null;
  return (
    <Section
      title={t`Danger zone`}
      description={t`Closing the company ends all of its sessions and API keys, stops its webhooks, campaigns and channels, and erases all that it keeps after 30 days.`}
    >
      <Group gap="sm">
        <Button
          color="red.9"
          disabled={reason !== null}
          aria-describedby={reason === null ? undefined : 'close-reason'}
          onClick={() => setAsked(true)}
        >
          <Trans>Close the company…</Trans>
        </Button>
        {reason !== null && (
          <Text id="close-reason" size="sm" c="dimmed">
            {reason}
          </Text>
        )}
      </Group>
      <Modal
        opened={asked}
        onClose={() => setAsked(false)}
        closeOnClickOutside={false}
        title={t`Close ${name}?`}
        centered
      >
        <CloseForm name={name} onClose={() => setAsked(false)} />
      </Modal>
    </Section>
  );
}

function CloseForm({ name, onClose }: { name: string; onClose(): void }) {
  const { t } = useLingui();
  const [typed, setTyped] = useState('');
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async (values) => {
      await authStep('/close-company', values);
      location.assign('/sign-in');
    },
    ['name', 'password'],
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <Alert color="red" title={t`Everybody is signed out at once`}>
          <Trans>
            Nothing is sent or received any more. For 30 days whoever runs the server can open the company
            again, with all that it keeps; then it is gone.
          </Trans>
        </Alert>
        <TextInput
          name="name"
          label={t`Type ${name} to go on`}
          autoComplete="off"
          required
          withAsterisk={false}
          data-autofocus
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={errorOf('name')}
        />
        <PasswordField error={errorOf('password')} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" color="red.9" loading={pending} disabled={typed !== name}>
            <Trans>Close the company</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
