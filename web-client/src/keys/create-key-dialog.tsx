import {
  Alert,
  Button,
  Checkbox,
  Code,
  Group,
  Modal,
  NativeSelect,
  Radio,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Scope, scopeNames, scopes } from '../../../schema/scopes.ts';
import { CopyField } from '../app/copy-field.tsx';
import { FailureAlert } from '../app/failure-alert.tsx';
import { queryClient, trpc } from '../app/trpc.ts';
import { useSubmit } from '../app/use-submit.ts';

/** Asks what the key is for, then shows it, once. It is kept in this dialog alone and goes with it. */
export function CreateKeyDialog({ onClose }: { onClose(): void }) {
  const [key, setKey] = useState<string | null>(null);
  const shown = key !== null;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={shown ? 'Your new key' : 'New API key'}
      closeOnEscape={!shown}
      closeOnClickOutside={false}
      withCloseButton={!shown}
    >
      {shown ? <ShowKey value={key} onClose={onClose} /> : <Wizard onCreated={setKey} />}
    </Modal>
  );
}

const readOnly = scopeNames.filter((scope) => scope.endsWith('.view'));
const expiries = [
  { value: '30', label: 'in 30 days' },
  { value: '90', label: 'in 90 days' },
  { value: '365', label: 'in a year' },
  { value: '', label: 'never' },
];

function Wizard({ onCreated }: { onCreated(key: string): void }) {
  const agents = useQuery(trpc.agents.list.queryOptions({}));
  const [held, setHeld] = useState<readonly Scope[]>(readOnly);
  const [days, setDays] = useState('90');
  const create = useMutation(trpc.keys.create.mutationOptions({ gcTime: 0 }));
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async ({ name = '', mode, user = '' }) => {
      const { data } = await create.mutateAsync({
        name,
        mode: mode === 'live' ? 'live' : 'test',
        scopes: [...held],
        ...(user === '' ? {} : { user }),
        expires_at: days === '' ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString(),
      });
      create.reset();
      onCreated(data.key);
      await queryClient.invalidateQueries(trpc.keys.list.queryFilter());
    },
    ['name', 'user', 'expires_at'],
  );
  const people = (agents.data?.data ?? []).filter(({ deactivated_at }) => deactivated_at === null);
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="lg">
        {failure && <FailureAlert failure={failure} />}
        <TextInput
          name="name"
          label="Name"
          description="What the key is for, such as the program that uses it."
          autoComplete="off"
          required
          withAsterisk={false}
          data-autofocus
          error={errorOf('name')}
        />
        <Radio.Group name="mode" label="Mode" defaultValue="test">
          <Stack gap="xs" mt="xs">
            <Radio value="test" label="Test" description="Answers as live does, and changes nothing." />
            <Radio
              value="live"
              label="Live"
              description="Reads and changes your data, and reaches customers."
            />
          </Stack>
        </Radio.Group>
        <NativeSelect
          key={people.length}
          name="user"
          label="Acts as"
          defaultValue={people.find(({ is_me }) => is_me)?.email}
          data={people.map(({ name, email }) => ({ value: email, label: `${name} (${email})` }))}
          error={errorOf('user')}
        />
        <Stack gap="xs">
          <Group gap="xs">
            <Button size="compact-sm" variant="default" onClick={() => setHeld(readOnly)}>
              Read only
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setHeld(scopeNames)}>
              Everything
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setHeld([])}>
              Nothing
            </Button>
          </Group>
          <Checkbox.Group label="Scopes" value={[...held]} onChange={setHeld}>
            <Stack gap="xs" mt="xs">
              {scopeNames.map((scope) => (
                <Checkbox
                  key={scope}
                  value={scope}
                  label={scopes[scope].title}
                  description={scopes[scope].text}
                />
              ))}
            </Stack>
          </Checkbox.Group>
        </Stack>
        <NativeSelect
          label="Expires"
          value={days}
          data={expiries}
          onChange={(event) => setDays(event.currentTarget.value)}
          error={errorOf('expires_at')}
        />
        {days === '' && (
          <Alert color="yellow" title="A key that never expires works until somebody revokes it.">
            Whoever finds it years from now can use it.
          </Alert>
        )}
        <Button type="submit" loading={pending}>
          Make the key
        </Button>
      </Stack>
    </form>
  );
}

function ShowKey({ value, onClose }: { value: string; onClose(): void }) {
  const [stored, setStored] = useState(false);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, []);
  return (
    <Stack gap="md">
      <Text>This is the only time it is shown.</Text>
      <CopyField label="Key" value={value} />
      <Text size="sm">Try it:</Text>
      <Code
        block
        className="wrapped"
      >{`curl ${location.origin}/api/v1/me -H 'Authorization: Bearer ${value}'`}</Code>
      <Checkbox
        label="I have stored it"
        checked={stored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Button disabled={!stored} onClick={onClose}>
        Done
      </Button>
    </Stack>
  );
}
