import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CardTable } from '../app/card-table.tsx';
import { Moment } from '../app/moment.tsx';
import { Page, Section } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { refused, told } from '../app/toast.ts';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';
import { inWords } from '../app/words.ts';
import { AgentMenu } from './agent-menu.tsx';
import { Face } from './face.tsx';
import { InviteDialog } from './invite-dialog.tsx';

export type Agent = inferOutput<typeof trpc.agents.list>['data'][number];
type Invitation = inferOutput<typeof trpc.invitations.list>['data'][number];

/** Who works here, and who is invited to. */
export function TeamPage() {
  const { t } = useLingui();
  const agents = useQuery(trpc.agents.list.queryOptions({}));
  const [inviting, setInviting] = useState(false);
  return (
    <Page
      title={t`Team`}
      description={t`Who signs in, and what their role allows.`}
      actions={
        <Button onClick={() => setInviting(true)}>
          <Trans>Invite</Trans>
        </Button>
      }
    >
      <QueryState query={agents} rows={6}>
        {({ data }) => (
          <CardTable
            caption={t`Agents`}
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              { label: t`Name`, bare: true, cell: (agent) => <NameCell agent={agent} /> },
              { label: t`Role`, cell: ({ role }) => role.name },
              {
                label: t`Status`,
                cell: ({ availability, deactivated_at: gone }) =>
                  gone === null ? inWords(availability) : '–',
              },
              { label: t`Second factor`, cell: ({ two_factor }) => (two_factor ? t`on` : t`off`) },
              {
                label: t`Last seen`,
                cell: ({ last_seen_at }) => (last_seen_at === null ? t`never` : <Moment at={last_seen_at} />),
              },
              { label: t`Actions`, bare: true, cell: (agent) => <AgentMenu agent={agent} /> },
            ]}
          />
        )}
      </QueryState>
      <Invitations />
      <InviteDialog opened={inviting} onClose={() => setInviting(false)} />
    </Page>
  );
}

function NameCell({ agent }: { agent: Agent }) {
  const notes = [
    agent.is_me ? t`you` : null,
    agent.deactivated_at === null ? null : t`deactivated`,
    agent.signs_in ? null : t`has no login`,
  ].filter((note) => note !== null);
  return (
    <Group gap="sm" wrap="nowrap">
      <Face of={agent.id} size={32} />
      <Stack gap={0}>
        <Text fw={600}>
          {agent.name}
          {notes.length > 0 && (
            <Text span c="dimmed" fw={400}>
              {' '}
              ({notes.join(', ')})
            </Text>
          )}
        </Text>
        <Text size="sm" c="dimmed">
          {agent.email}
        </Text>
      </Stack>
    </Group>
  );
}

function Invitations() {
  const { t } = useLingui();
  const invitations = useQuery(trpc.invitations.list.queryOptions({}));
  const revoke = useMutation(
    trpc.invitations.revoke.mutationOptions({
      onError: refused,
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.invitations.list.queryFilter());
        told(t`The invitation is withdrawn.`);
      },
    }),
  );
  return (
    <Section title={t`Open invitations`}>
      <QueryState query={invitations} rows={1}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">
              <Trans>Nobody is invited right now.</Trans>
            </Text>
          ) : (
            <CardTable<Invitation>
              caption={t`Open invitations`}
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                { label: t`E-mail`, bare: true, cell: ({ email }) => <Text fw={600}>{email}</Text> },
                { label: t`Role`, cell: ({ role }) => role.name },
                { label: t`Invited by`, cell: ({ invited_by }) => invited_by ?? '–' },
                { label: t`Ends`, cell: ({ expires_at }) => <Moment at={expires_at} /> },
                {
                  label: t`Actions`,
                  bare: true,
                  cell: ({ id, email }) => (
                    <Button
                      variant="default"
                      size="compact-md"
                      aria-label={t`Withdraw the invitation of ${email}`}
                      onClick={() => revoke.mutate({ invitation: id })}
                    >
                      <Trans>Withdraw</Trans>
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </QueryState>
    </Section>
  );
}
