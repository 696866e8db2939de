import { Trans, useLingui } from '@lingui/react/macro';
import { Badge, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CardTable } from '../app/card-table.tsx';
import { Empty } from '../app/empty.tsx';
import { Moment } from '../app/moment.tsx';
import { Page } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { refused, told } from '../app/toast.ts';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';
import { State } from '../webhooks/state.tsx';
import { ChannelDialog } from './channel-dialog.tsx';
import { kindNames } from './kinds.ts';
import { Snippet } from './snippet.tsx';

export type Channel = inferOutput<typeof trpc.channels.list>['data'][number];

/** Ways that messages travel. For admins and the Owner. */
export function ChannelsPage() {
  const { t } = useLingui();
  const channels = useQuery(trpc.channels.list.queryOptions({}));
  const [open, setOpen] = useState<Channel | 'new' | null>(null);
  const [made, setMade] = useState<Channel | null>(null);
  return (
    <Page
      title={t`Channels`}
      description={t`One number, one widget or one mailbox each. The default one is used for a contact without a conversation.`}
      actions={
        <Button onClick={() => setOpen('new')}>
          <Trans>New channel</Trans>
        </Button>
      }
    >
      <QueryState query={channels} rows={3}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty
              title={t`No channels yet`}
              action={
                <Button onClick={() => setOpen('new')}>
                  <Trans>Connect a channel</Trans>
                </Button>
              }
            >
              <Trans>Connect one, and customers can write to you.</Trans>
            </Empty>
          ) : (
            <CardTable
              caption={t`Channels`}
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                { label: t`Channel`, bare: true, cell: (channel) => <NameCell channel={channel} /> },
                { label: t`Status`, cell: (channel) => <Status channel={channel} /> },
                { label: t`AI answers`, cell: ({ ai_auto_reply }) => (ai_auto_reply ? t`on` : t`off`) },
                {
                  label: t`Last message`,
                  cell: ({ last_inbound_at: at }) => (at === null ? t`never` : <Moment at={at} />),
                },
                {
                  label: t`Actions`,
                  bare: true,
                  cell: (channel) => <Actions channel={channel} edit={() => setOpen(channel)} />,
                },
              ]}
            />
          )
        }
      </QueryState>
      {open !== null && (
        <ChannelDialog
          channel={open === 'new' ? null : open}
          onMade={setMade}
          onClose={() => setOpen(null)}
        />
      )}
      {made && (
        <Modal opened onClose={() => setMade(null)} title={t`${made.name} is ready`} size="lg">
          <Snippet channel={made} />
        </Modal>
      )}
    </Page>
  );
}

function NameCell({ channel: { name, kind, is_default } }: { channel: Channel }) {
  return (
    <Stack gap={2}>
      <Text component="div" fw={600}>
        {name}
        {is_default && (
          <Badge variant="default" tt="none" ml={8}>
            <Trans>default</Trans>
          </Badge>
        )}
      </Text>
      <Text size="sm" c="dimmed">
        {kindNames[kind]}
      </Text>
    </Stack>
  );
}

function Status({ channel: { status, failure_reason } }: { channel: Channel }) {
  return (
    <Stack gap={0}>
      <State of={status} />
      {failure_reason !== null && (
        <Text size="sm" c="dimmed">
          {failure_reason}
        </Text>
      )}
    </Stack>
  );
}

function Actions({ channel: { id, name, kind }, edit }: { channel: Channel; edit(): void }) {
  const { t } = useLingui();
  const check = useMutation(
    trpc.channels.check.mutationOptions({
      onError: refused,
      onSuccess: async ({ data }) => {
        await queryClient.invalidateQueries(trpc.channels.list.queryFilter());
        told(
          data.status === 'active'
            ? t`${name} works.`
            : t`${name} does not work: ${data.failure_reason ?? data.status}`,
        );
      },
    }),
  );
  return (
    <Group gap="xs" wrap="nowrap">
      <Button variant="default" size="compact-md" aria-label={t`Edit ${name}`} onClick={edit}>
        <Trans>Edit</Trans>
      </Button>
      {(kind === 'whatsapp' || kind === 'email') && (
        <Button
          variant="default"
          size="compact-md"
          aria-label={t`Check ${name}`}
          loading={check.isPending}
          onClick={() => check.mutate({ channel: id })}
        >
          <Trans>Check</Trans>
        </Button>
      )}
    </Group>
  );
}
