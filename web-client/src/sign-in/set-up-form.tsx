import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { FailureAlert } from '../app/failure-alert.tsx';
import { useSubmit } from '../app/use-submit.ts';
import { authStep } from './auth.ts';
import { NewPassword } from './new-password.tsx';

/** The first thing on an empty installation: the company and its Owner. */
export function SetUpForm({ onSignedIn }: { onSignedIn(): void }) {
  const { t } = useLingui();
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async (values) => {
      const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
      await authStep('/set-up', { ...values, timezone });
      onSignedIn();
    },
    ['company', 'name', 'email', 'password'],
  );
  const field = { required: true, withAsterisk: false } as const;
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        <Text>
          <Trans>Nobody is here yet. The owner can do everything; invite your team afterwards.</Trans>
        </Text>
        {failure && <FailureAlert failure={failure} />}
        <TextInput
          {...field}
          name="company"
          label={t`Company`}
          autoComplete="organization"
          autoFocus
          error={errorOf('company')}
        />
        <TextInput {...field} name="name" label={t`Your name`} autoComplete="name" error={errorOf('name')} />
        <TextInput
          {...field}
          name="email"
          type="email"
          label={t`E-mail`}
          autoComplete="username"
          error={errorOf('email')}
        />
        <NewPassword error={errorOf('password')} />
        <Button type="submit" loading={pending} fullWidth>
          <Trans>Create the owner account</Trans>
        </Button>
      </Stack>
    </form>
  );
}
