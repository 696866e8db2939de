import { Trans, useLingui } from '@lingui/react/macro';
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import type { SignInState } from '../../../schema/sign-in.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { useSubmit } from '../app/use-submit.ts';
import { authStep } from './auth.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { PasswordField } from './password-field.tsx';
import { passkeysWork } from './passkeys.ts';

interface Props {
  /** E-mail to begin with. */
  email?: string;
  demo?: SignInState['demo'];
  /** The host at which passkeys work. */
  passkeys?: string | null;
  onSignedIn(): void;
}

interface Outcome {
  signed_in: boolean;
  second_factor?: boolean;
}

/** E-mail and password, then the second factor where there is one. */
export function SignInForm({ email = '', demo = [], passkeys = null, onSignedIn }: Props) {
  const { t } = useLingui();
  const [second, setSecond] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async (values) => {
      const outcome = await authStep<Outcome>('/sign-in', values);
      if (outcome.second_factor) setSecond(true);
      else onSignedIn();
    },
    ['email', 'password'],
  );
  if (second) return <SecondFactorForm onSignedIn={onSignedIn} onBack={() => setSecond(false)} />;

  const fill = (login: SignInState['demo'][number]) => {
    const fields = form.current?.elements;
    const set = (name: string, value: string) => {
      const field = fields?.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = value;
    };
    set('email', login.email);
    set('password', login.password);
    form.current?.requestSubmit();
  };

  return (
    <Stack gap="lg">
      <form ref={form} onSubmit={onSubmit}>
        <Stack gap="md">
          {failure && <FailureAlert failure={failure} />}
          <TextInput
            name="email"
            type="email"
            label={t`E-mail`}
            autoComplete="username"
            required
            withAsterisk={false}
            autoFocus={email === ''}
            defaultValue={email}
            error={errorOf('email')}
          />
          <PasswordField begins={email !== ''} error={errorOf('password')} />
          <Button type="submit" loading={pending} fullWidth>
            <Trans>Sign in</Trans>
          </Button>
          <Anchor href="/recovery" size="sm">
            <Trans>Forgot your password?</Trans>
          </Anchor>
        </Stack>
      </form>
      {passkeysWork(passkeys) && <PasskeyButton onSignedIn={onSignedIn} />}
      {demo.length > 0 && (
        <section aria-labelledby="demo">
          <Text id="demo" component="h2" size="sm" fw={600} mb="xs">
            <Trans>This is a demo. Come in as</Trans>
          </Text>
          <Stack gap="xs">
            {demo.map((login) => (
              <Button
                key={login.email}
                variant="default"
                justify="space-between"
                h="auto"
                py="xs"
                disabled={pending}
                onClick={() => fill(login)}
                rightSection={<Text size="sm">{login.role}</Text>}
              >
                {login.name}
              </Button>
            ))}
          </Stack>
        </section>
      )}
    </Stack>
  );
}

function SecondFactorForm({ onSignedIn, onBack }: { onSignedIn(): void; onBack(): void }) {
  const { t } = useLingui();
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async (values) => {
      await authStep('/second-factor', values);
      onSignedIn();
    },
    ['code'],
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <TextInput
          name="code"
          label={t`Code of your authenticator app`}
          description={t`Or one of your recovery codes.`}
          autoComplete="one-time-code"
          inputMode="text"
          required
          withAsterisk={false}
          autoFocus
          error={errorOf('code')}
        />
        <Button type="submit" loading={pending} fullWidth>
          <Trans>Continue</Trans>
        </Button>
        <Button variant="subtle" onClick={onBack}>
          <Trans>Back</Trans>
        </Button>
      </Stack>
    </form>
  );
}
