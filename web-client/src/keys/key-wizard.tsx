import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Group, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Scope } from '../../../schema/scopes.ts';
import { type Failure, failureOf } from '../app/failure.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { queryClient, trpc } from '../app/trpc.ts';
import { KeyScopes, readOnly } from './key-scopes.tsx';

/** The field that each step asks for, in order. */
const steps = ['name', 'mode', 'scopes', 'expires_at'] as const;
type Step = (typeof steps)[number];

const day = 86_400_000;

/** One question after the other: what for, which mode, which scopes, until when. */
export function KeyWizard({ onCreated }: { onCreated(key: string): void }) {
  const { t } = useLingui();
  const [step, setStep] = useState<Step>('name');
  const [name, setName] = useState('');
  const [mode, setMode] = useState<'live' | 'test'>('test');
  const [user, setUser] = useState<string>();
  const [held, setHeld] = useState<readonly Scope[]>(readOnly);
  const [days, setDays] = useState('90');
  const [failure, setFailure] = useState<Failure | null>(null);
  const create = useMutation(trpc.keys.create.mutationOptions({ gcTime: 0 }));
  const at = steps.indexOf(step);

  const make = async () => {
    try {
      const { data } = await create.mutateAsync({
        name,
        mode,
        scopes: [...held],
        ...(user === undefined ? {} : { user }),
        expires_at: days === '' ? null : new Date(Date.now() + Number(days) * day).toISOString(),
      });
      create.reset();
      onCreated(data.key);
      await queryClient.invalidateQueries(trpc.keys.list.queryFilter());
    } catch (error) {
      const known = failureOf(error);
      setFailure(known);
      const wrong = steps.find((field) => known.param?.split('.')[0] === field);
      if (wrong) setStep(wrong);
      else if (known.param === 'user') setStep('mode');
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    const next = steps[at + 1];
    if (next) setStep(next);
    else if (!create.isPending) void make();
  };
  const before = steps[at - 1];
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="lg">
        <Text size="sm" c="dimmed" role="status">
          <Trans>
            Step {at + 1} of {steps.length}
          </Trans>
        </Text>
        {failure && <FailureAlert failure={failure} />}
        {step === 'name' && (
          <TextInput
            label={t`Name`}
            description={t`What the key is for, such as the program that uses it.`}
            autoComplete="off"
            required
            withAsterisk={false}
            maxLength={191}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        {step === 'mode' && <ModeStep mode={mode} setMode={setMode} user={user} setUser={setUser} />}
        {step === 'scopes' && (
          <KeyScopes
            held={held}
            hold={setHeld}
            error={held.length === 0 ? t`A key needs at least one scope.` : undefined}
          />
        )}
        {step === 'expires_at' && <ExpiryStep days={days} setDays={setDays} />}
        <Group justify="space-between">
          {before ? (
            <Button variant="default" onClick={() => setStep(before)}>
              <Trans>Back</Trans>
            </Button>
          ) : (
            <span />
          )}
          <Button type="submit" loading={create.isPending} disabled={step === 'scopes' && held.length === 0}>
            {at === steps.length - 1 ? t`Make the key` : t`Next`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ModeProps {
  mode: 'live' | 'test';
  setMode(mode: 'live' | 'test'): void;
  user: string | undefined;
  setUser(user: string): void;
}

function ModeStep({ mode, setMode, user, setUser }: ModeProps) {
  const { t } = useLingui();
  const agents = useQuery(trpc.agents.list.queryOptions({}));
  const people = (agents.data?.data ?? []).filter(({ deactivated_at }) => deactivated_at === null);
  return (
    <>
      <Radio.Group
        label={t`Mode`}
        value={mode}
        onChange={(value) => setMode(value === 'live' ? 'live' : 'test')}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="test"
            label={t`Test`}
            description={t`Answers as live does, and changes nothing.`}
            data-autofocus
          />
          <Radio
            value="live"
            label={t`Live`}
            description={t`Reads and changes your data, and reaches customers.`}
          />
        </Stack>
      </Radio.Group>
      <NativeSelect
        label={t`Acts as`}
        description={t`What the key does stands in this agent’s name, and it may never do more than they may.`}
        value={user ?? people.find(({ is_me }) => is_me)?.email ?? ''}
        onChange={(event) => setUser(event.currentTarget.value)}
        data={people.map(({ name, email }) => ({ value: email, label: `${name} (${email})` }))}
      />
    </>
  );
}

function ExpiryStep({ days, setDays }: { days: string; setDays(days: string): void }) {
  const { t } = useLingui();
  return (
    <>
      <NativeSelect
        label={t`Expires`}
        data-autofocus
        value={days}
        data={[
          { value: '30', label: t`in 30 days` },
          { value: '90', label: t`in 90 days` },
          { value: '365', label: t`in a year` },
          { value: '', label: 'never' },
        ]}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
      {days === '' && (
        <Alert color="yellow" title={t`A key that never expires works until somebody revokes it.`}>
          <Trans>Whoever finds it years from now can use it.</Trans>
        </Alert>
      )}
    </>
  );
}
