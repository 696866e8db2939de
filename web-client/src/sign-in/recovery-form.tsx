import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FailureAlert } from '../app/failure-alert.tsx';
import { useSubmit } from '../app/use-submit.ts';
import { authStep } from './auth.ts';
import { NewPassword } from './new-password.tsx';

/** Asks for the mail; with the link of the mail, asks for the new password. */
export function RecoveryForm({ token, mail }: { token: string; mail: boolean }) {
  return token === '' ? <RequestForm mail={mail} /> : <PasswordForm token={token} />;
}

function RequestForm({ mail }: { mail: boolean }) {
  const [sent, setSent] = useState(false);
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async (values) => {
      await authStep('/recovery/request', values);
      setSent(true);
    },
    ['email'],
  );
  return (
    <Stack gap="md">
      {sent ? (
        <Alert role="status" title="Look into your mail">
          If somebody signs in with this e-mail, a link is on its way. It works once, for an hour.
        </Alert>
      ) : (
        <form onSubmit={onSubmit}>
          <Stack gap="md">
            {failure && <FailureAlert failure={failure} />}
            <Text>We mail you a link to choose a new password.</Text>
            {!mail && (
              <Text size="sm" c="dimmed">
                This installation sends no mail. Whoever runs it finds the link in its log.
              </Text>
            )}
            <TextInput
              name="email"
              type="email"
              label="E-mail"
              autoComplete="username"
              required
              withAsterisk={false}
              autoFocus
              error={errorOf('email')}
            />
            <Button type="submit" loading={pending} fullWidth>
              Send the link
            </Button>
          </Stack>
        </form>
      )}
      <Anchor href="/sign-in" size="sm">
        Back to signing in
      </Anchor>
    </Stack>
  );
}

function PasswordForm({ token }: { token: string }) {
  const [changed, setChanged] = useState(false);
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async (values) => {
      await authStep('/recovery', { ...values, token });
      setChanged(true);
    },
    ['password'],
  );
  if (changed) {
    return (
      <Stack gap="md">
        <Alert role="status" title="Your password is changed">
          You are signed out everywhere else.
        </Alert>
        <Button component="a" href="/sign-in">
          Sign in
        </Button>
      </Stack>
    );
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <NewPassword label="New password" error={errorOf('password')} />
        <Button type="submit" loading={pending} fullWidth>
          Set the password
        </Button>
        <Anchor href="/recovery" size="sm">
          Ask for another link
        </Anchor>
      </Stack>
    </form>
  );
}
