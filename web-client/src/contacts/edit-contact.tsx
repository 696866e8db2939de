import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { done } from '../app/done.ts';
import { failureOf } from '../app/failure.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { queryClient, trpc } from '../app/trpc.ts';
import { useSubmit } from '../app/use-submit.ts';
import { ContactFields, contactFields, contactInput } from './contact-fields.tsx';
import type { ContactRecord } from './contacts-page.tsx';

type Input = ReturnType<typeof contactInput>;

const labels: Record<keyof Input, string> = {
  name: 'name',
  phone: 'phone',
  email: 'e-mail',
  country: 'country',
  subscribed: 'consent to marketing',
};
const names = Object.keys(labels) as (keyof Input)[];

/** Changes a contact. What a colleague changed meanwhile is shown, and one chooses whose words stay. */
export function EditContact({ contact, onClose }: { contact: ContactRecord; onClose(): void }) {
  // What the form began with: the page behind it may be drawn anew meanwhile.
  const [base, setBase] = useState(contact);
  const [theirs, setTheirs] = useState<ContactRecord | null>(null);
  const edit = useMutation(trpc.contacts.edit.mutationOptions());
  const { onSubmit, pending, errorOf, existingOf, failure } = useSubmit(async (values) => {
    try {
      const changes = changesOf(base, contactInput(values));
      await edit.mutateAsync({ contact: base.id, version: (theirs ?? base).version, ...changes });
    } catch (error) {
      if (failureOf(error).code !== 'conflict') throw error;
      const { data } = await queryClient.fetchQuery(
        trpc.contacts.record.queryOptions({ contact: base.id }, { staleTime: 0 }),
      );
      setTheirs(data);
      return;
    }
    await queryClient.invalidateQueries(trpc.contacts.pathFilter());
    done('The contact is saved.');
    onClose();
  }, contactFields);
  const take = () => {
    if (theirs) setBase(theirs);
    setTheirs(null);
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        {theirs && <Conflict base={base} theirs={theirs} pending={pending} onTake={take} />}
        <ContactFields key={base.version} contact={base} errorOf={errorOf} existingOf={existingOf} />
        {!theirs && (
          <Button type="submit" loading={pending}>
            Save
          </Button>
        )}
      </Stack>
    </form>
  );
}

interface ConflictProps {
  base: ContactRecord;
  theirs: ContactRecord;
  pending: boolean;
  onTake(): void;
}

function Conflict({ base, theirs, pending, onTake }: ConflictProps) {
  const changed = names.filter((name) => base[name] !== theirs[name]);
  return (
    <Alert role="alert" title="Somebody else changed this contact meanwhile">
      <Stack gap="sm">
        {changed.map((name) => (
          <Text key={name} size="sm">
            The {labels[name]} is {inWords(theirs[name])} now; it was {inWords(base[name])}.
          </Text>
        ))}
        <Group gap="xs">
          <Button type="submit" size="compact-md" loading={pending}>
            Keep mine
          </Button>
          <Button size="compact-md" variant="default" onClick={onTake}>
            Take theirs
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

const inWords = (value: string | boolean | null) =>
  typeof value === 'boolean' ? (value ? 'given' : 'not given') : value === null ? 'empty' : `“${value}”`;

/** Only what was changed is sent, so that nothing else of a colleague's is written over. */
function changesOf(base: ContactRecord, input: Input): Partial<Input> {
  return Object.fromEntries(
    names.filter((name) => input[name] !== base[name]).map((name) => [name, input[name]]),
  );
}
