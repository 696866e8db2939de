import { Button, Code, Group, Modal, PasswordInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { renderSVG } from 'uqr';
import { FailureAlert } from '../app/failure-alert.tsx';
import { Section } from '../app/page.tsx';
import { told } from '../app/toast.ts';
import { useSubmit } from '../app/use-submit.ts';
import { authStep } from '../sign-in/auth.ts';
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
  const { two_factor: enabled } = useProfile();
  const [step, setStep] = useState<Step>({ at: 'closed' });
  const close = () => setStep({ at: 'closed' });
  const ask = (purpose: 'enable' | 'disable' | 'codes') => () => setStep({ at: 'password', purpose });
  return (
    <Section
      title="Second factor"
      description={
        enabled
          ? 'On. Signing in asks for a code of your authenticator app.'
          : 'Off. With it, your password alone lets nobody in.'
      }
    >
      <Group>
        {enabled ? (
          <>
            <Button variant="default" onClick={ask('codes')}>
              New recovery codes
            </Button>
            <Button variant="default" onClick={ask('disable')}>
              Switch it off
            </Button>
          </>
        ) : (
          <Button variant="default" onClick={ask('enable')}>
            Set it up
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
  if (step.at === 'scan') return 'Add Parlour to your app';
  return step.at === 'codes' ? 'Recovery codes' : 'Your password, please';
}

function PasswordStep({
  purpose,
  onDone,
}: {
  purpose: 'enable' | 'disable' | 'codes';
  onDone(next: Step): void;
}) {
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
        told('The second factor is off.');
        onDone({ at: 'closed' });
      }
    },
    ['password'],
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <PasswordInput
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          error={errorOf('password')}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
        />
        <Button type="submit" loading={pending}>
          Continue
        </Button>
      </Stack>
    </form>
  );
}

function ScanStep({ secret: { uri }, onDone }: { secret: Secret; onDone(): void }) {
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
        <Text>Scan this with your authenticator app, or type the key below it.</Text>
        <img src={image} alt="QR code of the key below" width={200} height={200} />
        <Code block className="wrapped">
          {new URL(uri).searchParams.get('secret')}
        </Code>
        <TextInput
          name="code"
          label="The code it shows"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          error={errorOf('code')}
        />
        <Button type="submit" loading={pending}>
          Switch it on
        </Button>
      </Stack>
    </form>
  );
}

function CodesStep({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  return (
    <Stack gap="md">
      <Text>Each of these lets you in once, when your app is out of reach. They are not shown again.</Text>
      <SimpleGrid cols={2} spacing="xs">
        {codes.map((code) => (
          <Code key={code} fz="sm">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Button onClick={onClose}>I have stored them</Button>
    </Stack>
  );
}
