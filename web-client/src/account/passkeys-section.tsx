import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Confirm } from '../app/confirm.tsx';
import { Moment } from '../app/moment.tsx';
import { Section } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { told } from '../app/toast.ts';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';
import { signInState } from '../sign-in/auth.ts';
import { passkeysWork } from '../sign-in/passkeys.ts';
import { PasskeyDialog } from './passkey-dialog.tsx';
import './sessions.css';

export type Passkey = inferOutput<typeof trpc.account.passkeys>['data'][number];

/** What signs one in without a password: listed, named, added and removed. */
export function PasskeysSection() {
  const { t } = useLingui();
  const passkeys = useQuery(trpc.account.passkeys.queryOptions({}));
  const offer = useQuery({ queryKey: ['sign-in-state'], queryFn: signInState, staleTime: Infinity });
  const remove = useMutation(trpc.account.removePasskey.mutationOptions());
  const [edited, setEdited] = useState<Passkey | 'new' | null>(null);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const host = offer.data?.passkeys ?? null;
  const possible = passkeysWork(host);
  return (
    <Section
      title={t`Passkeys`}
      description={t`Sign in with your finger, your face or a security key instead of the password.`}
      actions={
        <Button variant="default" disabled={!possible} onClick={() => setEdited('new')}>
          <Trans>Add a passkey</Trans>
        </Button>
      }
    >
      {offer.data && !possible && (
        <Text size="sm" c="dimmed" mb="md">
          {host === null ? (
            <Trans>
              This installation has no address that passkeys can be bound to: it takes a name and https.
            </Trans>
          ) : host === location.hostname ? (
            <Trans>This browser does not know passkeys.</Trans>
          ) : (
            <Trans>Passkeys work at {host}, and you are at another address.</Trans>
          )}
        </Text>
      )}
      <QueryState query={passkeys}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">
              <Trans>You have none yet.</Trans>
            </Text>
          ) : (
            <ul className="sessions">
              {data.map((passkey) => (
                <Row
                  key={passkey.id}
                  passkey={passkey}
                  onRename={() => setEdited(passkey)}
                  onRemove={() => setRemoved(passkey)}
                />
              ))}
            </ul>
          )
        }
      </QueryState>
      <PasskeyDialog passkey={edited} onClose={() => setEdited(null)} />
      <Confirm
        title={removed && t`Remove ${removed.name}?`}
        action={t`Remove`}
        run={async () => {
          if (!removed) return;
          await remove.mutateAsync({ passkey: removed.id });
          await queryClient.invalidateQueries(trpc.account.passkeys.queryFilter());
          told(t`The passkey is removed.`);
        }}
        onClose={() => setRemoved(null)}
      >
        <Trans>It signs you in no more. Your device may still offer it until you delete it there.</Trans>
      </Confirm>
    </Section>
  );
}

function Row({
  passkey: { name, created_at: created, last_used_at: used },
  onRename,
  onRemove,
}: {
  passkey: Passkey;
  onRename(): void;
  onRemove(): void;
}) {
  const { t } = useLingui();
  return (
    <li>
      <Stack gap={2}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          {used === null ? (
            <Trans>
              added <Moment at={created} />, not used yet
            </Trans>
          ) : (
            <Trans>
              used <Moment at={used} />, added <Moment at={created} />
            </Trans>
          )}
        </Text>
      </Stack>
      <Group gap="xs" wrap="nowrap">
        <Button variant="default" size="compact-md" aria-label={t`Rename ${name}`} onClick={onRename}>
          <Trans>Rename</Trans>
        </Button>
        <Button variant="default" size="compact-md" aria-label={t`Remove ${name}`} onClick={onRemove}>
          <Trans>Remove</Trans>
        </Button>
      </Group>
    </li>
  );
}
