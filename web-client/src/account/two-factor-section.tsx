import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Button, Code, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { renderSVG } from 'uqr';
import { FailureAlert } from '../app/failure-alert.tsx';
import { Section } from '../app/page.tsx';
import { told } from '../app/toast.ts';
import { useSubmit } from '../app/use-submit.ts';
import { authStep } from '../sign-in/auth.ts';
import { PasswordField } from '../sign-in/password-field.tsx';
import { refreshProfile, useProfile } from './use-profile.ts';

interface Secret {
  uri: string;
  recovery_codes: string[];
}

type Step =
  | { at: 'closed' }
  | { at: 'password'; purpose: 'enable' | 'disable' | 'codes' }
  | { at: 'scan'; secret: Secret }
  | { at: 'codes'; codes: string[] };

/** A code of an authenticator app, asked for after the password. */
export function TwoFactorSection() {
  const { t } = useLingui();
  const { two_factor: enabled } = useProfile();
  const [step, setStep] = useState<Step>({ at: 'closed' });
  const close = () => setStep({ at: 'closed' });
  const ask = (purpose: 'enable' | 'disable' | 'codes') => () => setStep({ at: 'password', purpose });
  return (
    <Section
      title={t`Second factor`}
      description={
        enabled
          ? t`On. Signing in asks for a code of your authenticator app.`
          : t`Off. With it, your password alone lets nobody in.`
      }
    >
      <Group>
        {enabled ? (
          <>
            <Button variant="default" onClick={ask('codes')}>
              <Trans>New recovery codes</Trans>
            </Button>
            <Button variant="default" onClick={ask('disable')}>
              <Trans>Switch it off</Trans>
            </Button>
          </>
        ) : (
          <Button variant="default" onClick={ask('enable')}>
            <Trans>Set it up</Trans>
          </Button>
        )}
      </Group>
      <Modal opened={step.at !== 'closed'} onClose={close} closeOnClickOutside={false} title={titleOf(step)}>
        {step.at === 'password' && <PasswordStep purpose={step.purpose} onDone={setStep} />}
        {step.at === 'scan' && (
          <ScanStep
            secret={step.secret}
            onDone={() => setStep({ at: 'codes', codes: step.secret.recovery_codes })}
          />
        )}
        {step.at === 'codes' && <CodesStep codes={step.codes} onClose={close} />}
      </Modal>
    </Section>
  );
}

function titleOf(step: Step): string {
  if (step.at === 'scan') return t`Add Parlour to your app`;
  return step.at === 'codes' ? t`Recovery codes` : t`Your password, please`;
}

function PasswordStep({
  purpose,
  onDone,
}: {
  purpose: 'enable' | 'disable' | 'codes';
  onDone(next: Step): void;
}) {
  const { t } = useLingui();
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async (values) => {
      if (purpose === 'enable') {
        onDone({ at: 'scan', secret: await authStep<Secret>('/two-factor/enable', values) });
      } else if (purpose === 'codes') {
        const { recovery_codes: codes } = await authStep<Secret>('/two-factor/recovery-codes', values);
        onDone({ at: 'codes', codes });
      } else {
        await authStep('/two-factor/disable', values);
        await refreshProfile();
        told(t`The second factor is off.`);
        onDone({ at: 'closed' });
      }
    },
    ['password'],
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <PasswordField begins error={errorOf('password')} />
        <Button type="submit" loading={pending}>
          <Trans>Continue</Trans>
        </Button>
      </Stack>
    </form>
  );
}

function ScanStep({ secret: { uri }, onDone }: { secret: Secret; onDone(): void }) {
  const { t } = useLingui();
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async (values) => {
      await authStep('/two-factor/confirm', values);
      await refreshProfile();
      onDone();
    },
    ['code'],
  );
  const image = `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`;
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <Text>
          <Trans>Scan this with your authenticator app, or type the key below it.</Trans>
        </Text>
        <img src={image} alt={t`QR code of the key below`} width={200} height={200} />
        <Code block className="wrapped">
          {new URL(uri).searchParams.get('secret')}
        </Code>
        <TextInput
          name="code"
          label={t`The code it shows`}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          error={errorOf('code')}
        />
        <Button type="submit" loading={pending}>
          <Trans>Switch it on</Trans>
        </Button>
      </Stack>
    </form>
  );
}

function CodesStep({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  return (
    <Stack gap="md">
      <Text>
        <Trans>
          Each of these lets you in once, when your app is out of reach. They are not shown again.
        </Trans>
      </Text>
      <SimpleGrid cols={2} spacing="xs">
        {codes.map((code) => (
          <Code key={code} fz="sm">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Button onClick={onClose}>
        <Trans>I have stored them</Trans>
      </Button>
    </Stack>
  );
}
