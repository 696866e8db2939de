import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useProfile } from '../account/use-profile.ts';
import { Confirm } from '../app/confirm.tsx';
import { done } from '../app/done.ts';
import { currentMode } from '../app/mode.ts';
import { saveFile } from '../app/save-file.ts';
import { refused } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';

/** What a person may ask for, done by an admin: all that is kept of them, and that nothing is. */
export function PersonActions({ contact, name }: { contact: string; name: string }) {
  const { t } = useLingui();
  const { role } = useProfile();
  const navigate = useNavigate();
  const [asked, setAsked] = useState(false);
  const [pending, setPending] = useState(false);
  const erase = useMutation(trpc.privacy.erase.mutationOptions());
  if (currentMode() === 'test' || (role.key !== 'owner' && role.key !== 'admin')) return null;
  const download = async () => {
    setPending(true);
    try {
      const { data } = await queryClient.fetchQuery(
        trpc.privacy.export.queryOptions({ contact }, { staleTime: 0, gcTime: 0 }),
      );
      saveFile(JSON.stringify(data, null, 2), `contact-${contact}.json`, 'application/json');
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      <Button variant="default" loading={pending} onClick={() => void download().catch(refused)}>
        <Trans>Download all data</Trans>
      </Button>
      <Button variant="default" onClick={() => setAsked(true)}>
        <Trans>Erase…</Trans>
      </Button>
      <Confirm
        title={asked ? t`Erase everything about ${name}?` : null}
        action={t`Erase`}
        onClose={() => setAsked(false)}
        run={async () => {
          await erase.mutateAsync({ contact });
          done(t`${name} is deleted and will be erased within minutes.`);
          await navigate({ to: '/contacts' });
          await queryClient.invalidateQueries(trpc.contacts.pathFilter());
        }}
      >
        <Trans>
          The contact is deleted at once. What they and you wrote, files, notes, bookings’ words and addresses
          of orders go with them. It can’t be undone.
        </Trans>
      </Confirm>
    </>
  );
}
