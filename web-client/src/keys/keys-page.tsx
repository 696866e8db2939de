import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Anchor, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useProfile } from '../account/use-profile.ts';
import { CardTable } from '../app/card-table.tsx';
import { Confirm } from '../app/confirm.tsx';
import { Empty } from '../app/empty.tsx';
import { Moment } from '../app/moment.tsx';
import { Page } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { told } from '../app/toast.ts';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

export type ApiKey = inferOutput<typeof trpc.keys.list>['data'][number];

/** The company's API keys. Only the Owner comes here. */
export function KeysPage() {
  const { t } = useLingui();
  const { role } = useProfile();
  const keys = useQuery(trpc.keys.list.queryOptions({}));
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  return (
    <Page
      title={t`API keys`}
      description={t`A key acts as an agent, with the scopes it was given. Test keys answer as live ones do and change nothing.`}
      actions={
        <Button disabled={role.key !== 'owner'} onClick={() => setCreating(true)}>
          <Trans>New key</Trans>
        </Button>
      }
    >
      <QueryState query={keys}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty
              title={t`No keys yet`}
              action={
                <Button onClick={() => setCreating(true)}>
                  <Trans>Make a key</Trans>
                </Button>
              }
            >
              <Trans>A key lets a program work for you.</Trans>
            </Empty>
          ) : (
            <CardTable
              caption={t`API keys`}
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                { label: t`Key`, bare: true, cell: (key) => <NameCell apiKey={key} /> },
                { label: t`Acts as`, cell: ({ user }) => user.name },
                { label: t`Scopes`, cell: ({ scopes }) => <Text size="sm">{inWords(scopes)}</Text> },
                { label: t`Created`, cell: (key) => <Created apiKey={key} /> },
                { label: t`Last used`, cell: (key) => <LastUsed apiKey={key} /> },
                { label: t`Status`, cell: (key) => <Status apiKey={key} /> },
                {
                  label: t`Actions`,
                  bare: true,
                  cell: (key) => (
                    <Group gap="xs" wrap="nowrap">
                      {!hasEnded(key) && (
                        <Button
                          variant="default"
                          size="compact-md"
                          aria-label={t`Rotate ${key.name}`}
                          onClick={() => setRotating(key)}
                        >
                          <Trans>Rotate</Trans>
                        </Button>
                      )}
                      {key.revoked_at === null && (
                        <Button
                          variant="default"
                          size="compact-md"
                          aria-label={t`Revoke ${key.name}`}
                          onClick={() => setRevoking(key)}
                        >
                          <Trans>Revoke</Trans>
                        </Button>
                      )}
                      <Anchor
                        size="sm"
                        aria-label={t`Requests of ${key.name}`}
                        renderRoot={(props) => (
                          <Link {...props} to="/developers/requests" search={{ key: key.id }} />
                        )}
                      >
                        <Trans>Requests</Trans>
                      </Anchor>
                    </Group>
                  ),
                },
              ]}
            />
          )
        }
      </QueryState>
      {creating && <CreateKeyDialog onClose={() => setCreating(false)} />}
      {rotating && <RotateKeyDialog apiKey={rotating} onClose={() => setRotating(null)} />}
      <RevokeDialog apiKey={revoking} onClose={() => setRevoking(null)} />
    </Page>
  );
}

function NameCell({ apiKey: { name, mode, hint } }: { apiKey: ApiKey }) {
  return (
    <Stack gap={2} align="flex-start">
      <Text component="div" fw={600}>
        {name}{' '}
        <Badge variant="default" tt="none" ml={4}>
          {mode}
        </Badge>
      </Text>
      <Text size="sm" c="dimmed" ff="monospace">
        {hint}
      </Text>
    </Stack>
  );
}

function inWords(scopes: readonly string[]): string {
  if (scopes.length === 0) return t`none`;
  const first = scopes.slice(0, 3).join(', ');
  return scopes.length > 3 ? t`${first} and ${scopes.length - 3} more` : first;
}

function Created({ apiKey: { created_at, created_by } }: { apiKey: ApiKey }) {
  const { t } = useLingui();
  return (
    <Stack gap={0}>
      <Moment at={created_at} />
      <Text size="sm" c="dimmed">
        {created_by ?? t`on the command line`}
      </Text>
    </Stack>
  );
}

function LastUsed({ apiKey: { last_used_at, last_used_ip, last_used_agent } }: { apiKey: ApiKey }) {
  if (last_used_at === null) return t`never`;
  return (
    <Stack gap={0}>
      <Moment at={last_used_at} />
      <Text size="sm" c="dimmed" className="wrapped">
        {[last_used_ip, last_used_agent].filter((part) => part !== null && part !== '').join(', ')}
      </Text>
    </Stack>
  );
}

function hasEnded({ revoked_at, expires_at }: ApiKey): boolean {
  return revoked_at !== null || (expires_at !== null && new Date(expires_at) <= new Date());
}

function Status({ apiKey: { revoked_at, expires_at } }: { apiKey: ApiKey }) {
  if (revoked_at !== null) return t`revoked`;
  if (expires_at === null) return t`active`;
  if (new Date(expires_at) <= new Date()) return t`expired`;
  return (
    <span>
      <Trans>
        until <Moment at={expires_at} />
      </Trans>
    </span>
  );
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey | null; onClose(): void }) {
  const { t } = useLingui();
  const [typed, setTyped] = useState('');
  const revoke = useMutation(trpc.keys.revoke.mutationOptions());
  const close = () => {
    setTyped('');
    onClose();
  };
  return (
    <Confirm
      title={apiKey === null ? null : t`Revoke ${apiKey.name}?`}
      action={t`Revoke`}
      disabled={typed !== apiKey?.name}
      onClose={close}
      run={async () => {
        await revoke.mutateAsync({ key: apiKey?.id ?? '' });
        await queryClient.invalidateQueries(trpc.keys.list.queryFilter());
        told(t`The key is revoked.`);
      }}
    >
      <Stack gap="sm">
        <span>
          <Trans>What uses this {apiKey?.mode} key stops working at once. It can’t be undone.</Trans>
        </span>
        <TextInput
          label={t`Type ${apiKey?.name ?? ''} to go on`}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Stack>
    </Confirm>
  );
}
