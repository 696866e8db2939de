import { Trans, useLingui } from '@lingui/react/macro';
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
  const { t } = useLingui();
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
        <Alert role="status" title={t`Look into your mail`}>
          <Trans>
            If somebody signs in with this e-mail, a link is on its way. It works once, for an hour.
          </Trans>
        </Alert>
      ) : (
        <form onSubmit={onSubmit}>
          <Stack gap="md">
            {failure && <FailureAlert failure={failure} />}
            <Text>
              <Trans>We mail you a link to choose a new password.</Trans>
            </Text>
            {!mail && (
              <Text size="sm" c="dimmed">
                <Trans>This installation sends no mail. Whoever runs it finds the link in its log.</Trans>
              </Text>
            )}
            <TextInput
              name="email"
              type="email"
              label={t`E-mail`}
              autoComplete="username"
              required
              withAsterisk={false}
              autoFocus
              error={errorOf('email')}
            />
            <Button type="submit" loading={pending} fullWidth>
              <Trans>Send the link</Trans>
            </Button>
          </Stack>
        </form>
      )}
      <Anchor href="/sign-in" size="sm">
        <Trans>Back to signing in</Trans>
      </Anchor>
    </Stack>
  );
}

function PasswordForm({ token }: { token: string }) {
  const { t } = useLingui();
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
        <Alert role="status" title={t`Your password is changed`}>
          <Trans>You are signed out everywhere else.</Trans>
        </Alert>
        <Button component="a" href="/sign-in">
          <Trans>Sign in</Trans>
        </Button>
      </Stack>
    );
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <NewPassword label={t`New password`} error={errorOf('password')} />
        <Button type="submit" loading={pending} fullWidth>
          <Trans>Set the password</Trans>
        </Button>
        <Anchor href="/recovery" size="sm">
          <Trans>Ask for another link</Trans>
        </Anchor>
      </Stack>
    </form>
  );
}
