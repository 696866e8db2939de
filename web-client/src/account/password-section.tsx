import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { FailureAlert } from '../app/failure-alert.tsx';
import { Section } from '../app/page.tsx';
import { told } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { useSubmit } from '../app/use-submit.ts';
import { authStep } from '../sign-in/auth.ts';
import { NewPassword } from '../sign-in/new-password.tsx';
import { PasswordField } from '../sign-in/password-field.tsx';
import { useProfile } from './use-profile.ts';

export function PasswordSection() {
  const { t } = useLingui();
  const { email } = useProfile();
  // A new form after each success: nothing of a password stays in the page.
  const [round, setRound] = useState(0);
  return (
    <Section title={t`Password`} description={t`A new one signs you out everywhere else.`}>
      <PasswordForm key={round} email={email} onChanged={() => setRound(round + 1)} />
    </Section>
  );
}

function PasswordForm({ email, onChanged }: { email: string; onChanged(): void }) {
  const { t } = useLingui();
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async ({ current_password, password }) => {
      await authStep('/password', { current_password, password });
      await queryClient.invalidateQueries(trpc.account.sessions.queryFilter());
      told(t`Your password is changed.`);
      onChanged();
    },
    ['current_password', 'password'],
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md" maw="26rem">
        {failure && <FailureAlert failure={failure} />}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          name="current_password"
          label={t`Present password`}
          toggle={t`Show or hide the present password`}
          error={errorOf('current_password')}
        />
        <NewPassword label={t`New password`} error={errorOf('password')} />
        <Group>
          <Button type="submit" variant="default" loading={pending}>
            <Trans>Change the password</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
