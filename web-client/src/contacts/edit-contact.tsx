import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { done } from '../app/done.ts';
import { failureOf } from '../app/failure.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { queryClient, trpc } from '../app/trpc.ts';
import { useSubmit } from '../app/use-submit.ts';
import { ContactFields, contactFields, contactInput } from './contact-fields.tsx';
import type { ContactRecord } from './contacts-page.tsx';

type Input = ReturnType<typeof contactInput>;

const labels: Record<keyof Input, string> = {
  get name() {
    return t`name`;
  },
  get phone() {
    return t`phone`;
  },
  get email() {
    return t`e-mail`;
  },
  get country() {
    return t`country`;
  },
  get subscribed() {
    return t`consent to marketing`;
  },
};
const names = Object.keys(labels) as (keyof Input)[];

/** Changes a contact. What a colleague changed meanwhile is shown, and one chooses whose words stay. */
export function EditContact({ contact, onClose }: { contact: ContactRecord; onClose(): void }) {
  const { t } = useLingui();
  // What the form began with: the page behind it may be drawn anew meanwhile.
  const [base, setBase] = useState(contact);
  const [theirs, setTheirs] = useState<Theirs | null>(null);
  const [taken, setTaken] = useState(0);
  const sent = useRef(false);
  const edit = useMutation(trpc.contacts.edit.mutationOptions());
  const meet = async (record: ContactRecord) => setTheirs({ record, author: await authorOf(record.id) });
  const { onSubmit, pending, errorOf, existingOf, failure } = useSubmit(async (values) => {
    sent.current = true;
    try {
      const changes = changesOf(base, contactInput(values));
      await edit.mutateAsync({ contact: base.id, version: (theirs?.record ?? base).version, ...changes });
    } catch (error) {
      sent.current = false;
      if (failureOf(error).code !== 'conflict') throw error;
      const { data } = await queryClient.fetchQuery(
        trpc.contacts.record.queryOptions({ contact: base.id }, { staleTime: 0 }),
      );
      await meet(data);
      return;
    }
    await queryClient.invalidateQueries(trpc.contacts.pathFilter());
    done(t`The contact is saved.`);
    onClose();
  }, contactFields);
  const known = (theirs?.record ?? base).version;
  useEffect(() => {
    // The page behind the form has heard that somebody else saved.
    if (contact.version > known && !sent.current) void meet(contact);
  }, [contact, known]);
  const take = () => {
    if (theirs) setBase(theirs.record);
    setTheirs(null);
    setTaken(taken + 1);
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        {theirs && <Conflict base={base} theirs={theirs} pending={pending} onTake={take} />}
        <ContactFields key={taken} contact={base} errorOf={errorOf} existingOf={existingOf} />
        {!theirs && (
          <Button type="submit" loading={pending}>
            <Trans>Save</Trans>
          </Button>
        )}
      </Stack>
    </form>
  );
}

interface Theirs {
  record: ContactRecord;
  /** Who changed it last, where that is known. */
  author: string | null;
}

async function authorOf(contact: string): Promise<string | null> {
  const { data } = await queryClient
    .fetchQuery(trpc.contacts.activity.queryOptions({ contact }, { staleTime: 0 }))
    .catch(() => ({ data: [] }));
  return data.find(({ action }) => action === 'updated')?.actor ?? null;
}

interface ConflictProps {
  base: ContactRecord;
  theirs: Theirs;
  pending: boolean;
  onTake(): void;
}

function Conflict({ base, theirs: { record, author }, pending, onTake }: ConflictProps) {
  const { t } = useLingui();
  const changed = names.filter((name) => base[name] !== record[name]);
  const who = author ?? t`Somebody else`;
  return (
    <Alert role="alert" title={t`${who} changed this contact meanwhile`}>
      <Stack gap="sm">
        {changed.map((name) => (
          <Text key={name} size="sm">
            {t`${who} changed the ${labels[name]}: it is ${inWords(record[name])} now; it was ${inWords(base[name])}.`}
          </Text>
        ))}
        <Group gap="xs">
          <Button type="submit" size="compact-md" loading={pending}>
            <Trans>Keep mine</Trans>
          </Button>
          <Button size="compact-md" variant="default" onClick={onTake}>
            <Trans>Take theirs</Trans>
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

const inWords = (value: string | boolean | null) =>
  typeof value === 'boolean' ? (value ? t`given` : t`not given`) : value === null ? t`empty` : `“${value}”`;

/** Only what was changed is sent, so that nothing else of a colleague's is written over. */
function changesOf(base: ContactRecord, input: Input): Partial<Input> {
  return Object.fromEntries(
    names.filter((name) => input[name] !== base[name]).map((name) => [name, input[name]]),
  );
}
