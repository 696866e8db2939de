import { Trans, useLingui } from '@lingui/react/macro';
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type Failure, failureOf } from '../app/failure.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { useSubmit } from '../app/use-submit.ts';
import { authStep } from './auth.ts';
import { NewPassword } from './new-password.tsx';

interface Invitation {
  email: string;
  company: string;
  role: string;
  invited_by: string | null;
}

/** Who was invited chooses a name and a password, and is in. */
export function InvitationForm({ token, onSignedIn }: { token: string; onSignedIn(): void }) {
  const { t } = useLingui();
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [refusal, setRefusal] = useState<Failure | null>(null);
  useEffect(() => {
    authStep<Invitation & Record<string, unknown>>('/invitation', { token }).then(
      setInvitation,
      (error: unknown) => setRefusal(failureOf(error)),
    );
  }, [token]);
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async (values) => {
      await authStep('/invitation/accept', { name: values['name'], password: values['password'], token });
      onSignedIn();
    },
    ['name', 'password'],
  );
  if (refusal) {
    return (
      <Stack gap="md">
        <FailureAlert failure={refusal} />
        <Text>
          <Trans>Ask whoever invited you for a new link.</Trans>
        </Text>
        <Anchor href="/sign-in">
          <Trans>To signing in</Trans>
        </Anchor>
      </Stack>
    );
  }
  if (!invitation)
    return (
      <Text role="status">
        <Trans>Looking at your invitation…</Trans>
      </Text>
    );
  const by = invitation.invited_by === null ? t`You are invited` : t`${invitation.invited_by} invites you`;
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        <Text>
          <Trans>
            {by} to {invitation.company}, as {invitation.role}.
          </Trans>
        </Text>
        {failure && <FailureAlert failure={failure} />}
        <TextInput
          label={t`E-mail`}
          name="username"
          autoComplete="username"
          value={invitation.email}
          readOnly
        />
        <TextInput
          name="name"
          label={t`Your name`}
          autoComplete="name"
          required
          withAsterisk={false}
          autoFocus
          error={errorOf('name')}
        />
        <NewPassword error={errorOf('password')} />
        <Button type="submit" loading={pending} fullWidth>
          <Trans>Join</Trans>
        </Button>
      </Stack>
    </form>
  );
}
