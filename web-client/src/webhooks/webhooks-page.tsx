import { ActionIcon, Alert, Anchor, Button, Menu, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { CardTable } from '../app/card-table.tsx';
import { Confirm } from '../app/confirm.tsx';
import { CopyField } from '../app/copy-field.tsx';
import { currentMode } from '../app/mode.ts';
import { Moment } from '../app/moment.tsx';
import { Page } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { refused, told } from '../app/toast.ts';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { State } from './state.tsx';

export type Endpoint = inferOutput<typeof trpc.webhooks.list>['data'][number];

type Doing = { what: 'edit' | 'rotate' | 'delete'; endpoint: Endpoint } | { what: 'create' } | null;

/** Who is told of events by HTTP. */
export function WebhooksPage() {
  const endpoints = useQuery(trpc.webhooks.list.queryOptions({}));
  const [doing, setDoing] = useState<Doing>(null);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Page
      title="Webhooks"
      description="Each event is sent to the endpoints that ask for it, signed, and again until it is taken."
      actions={<Button onClick={() => setDoing({ what: 'create' })}>New endpoint</Button>}
    >
      {currentMode() === 'test' && (
        <Alert title="Test mode sends no webhooks">
          What you do in test mode changes nothing, so nobody is told. These are the endpoints of live mode.
        </Alert>
      )}
      <Text>
        <Anchor component={Link} to="/settings/webhooks/deliveries">
          All deliveries
        </Anchor>
        {' · '}
        <Anchor component={Link} to="/settings/events">
          Event catalogue
        </Anchor>
      </Text>
      <QueryState query={endpoints} rows={2}>
        {({ data }) =>
          data.length === 0 ? (
            <Text>No endpoints yet. Make one, and your program hears of everything that happens.</Text>
          ) : (
            <CardTable
              caption="Endpoints"
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                { label: 'Endpoint', bare: true, cell: (endpoint) => <NameCell endpoint={endpoint} /> },
                { label: 'Events', cell: ({ events }) => eventsInWords(events) },
                { label: 'Status', cell: (endpoint) => <Status endpoint={endpoint} /> },
                {
                  label: 'Last success',
                  cell: ({ last_success_at: at }) => (at === null ? 'never' : <Moment at={at} />),
                },
                {
                  label: 'Actions',
                  bare: true,
                  cell: (endpoint) => <EndpointMenu endpoint={endpoint} setDoing={setDoing} />,
                },
              ]}
            />
          )
        }
      </QueryState>
      <Dialogs doing={doing} setDoing={setDoing} setSecret={setSecret} />
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </Page>
  );
}

function NameCell({ endpoint: { url, description } }: { endpoint: Endpoint }) {
  return (
    <Stack gap={0}>
      <Text fw={600} className="wrapped">
        {url}
      </Text>
      {description !== null && (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
    </Stack>
  );
}

function eventsInWords(events: readonly string[]): string {
  if (events.includes('*')) return 'everything';
  return events.length > 2
    ? `${events.slice(0, 2).join(', ')} and ${events.length - 2} more`
    : events.join(', ');
}

const reasons = { manual: 'by hand', gone: 'it answered 410', failing: 'it failed for 120 hours' } as const;

function Status({ endpoint: { status, disabled_reason, failing_since } }: { endpoint: Endpoint }) {
  return (
    <Stack gap={0}>
      <State of={status} />
      {status === 'disabled' && disabled_reason !== null && (
        <Text size="sm" c="dimmed">
          {reasons[disabled_reason]}
        </Text>
      )}
      {status === 'failing' && failing_since !== null && (
        <Text size="sm" c="dimmed">
          since <Moment at={failing_since} />
        </Text>
      )}
    </Stack>
  );
}

function EndpointMenu({ endpoint, setDoing }: { endpoint: Endpoint; setDoing(doing: Doing): void }) {
  const refresh = () => queryClient.invalidateQueries(trpc.webhooks.list.queryFilter());
  const update = useMutation(trpc.webhooks.update.mutationOptions({ onError: refused, onSuccess: refresh }));
  const test = useMutation(
    trpc.webhooks.sendTest.mutationOptions({
      onError: refused,
      onSuccess: () => told('A test event is on its way. It appears among the deliveries.'),
    }),
  );
  const navigate = useNavigate();
  const { id, url, enabled } = endpoint;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={`Actions for ${url}`}>
          <Ellipsis size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => setDoing({ what: 'edit', endpoint })}>Edit</Menu.Item>
        <Menu.Item
          onClick={() => void navigate({ to: '/settings/webhooks/deliveries', search: { endpoint: id } })}
        >
          Deliveries
        </Menu.Item>
        <Menu.Item onClick={() => test.mutate({ endpoint: id })}>Send a test event</Menu.Item>
        <Menu.Item onClick={() => update.mutate({ endpoint: id, enabled: !enabled })}>
          {enabled ? 'Switch off' : 'Switch on'}
        </Menu.Item>
        <Menu.Item onClick={() => setDoing({ what: 'rotate', endpoint })}>New secret</Menu.Item>
        <Menu.Item onClick={() => setDoing({ what: 'delete', endpoint })}>Delete</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Dialogs({
  doing,
  setDoing,
  setSecret,
}: {
  doing: Doing;
  setDoing(doing: Doing): void;
  setSecret(secret: string): void;
}) {
  const rotate = useMutation(trpc.webhooks.rotateSecret.mutationOptions({ gcTime: 0 }));
  const remove = useMutation(trpc.webhooks.delete.mutationOptions());
  const close = () => setDoing(null);
  const target = doing !== null && doing.what !== 'create' ? doing.endpoint : null;
  const refresh = () => queryClient.invalidateQueries(trpc.webhooks.list.queryFilter());
  return (
    <>
      {(doing?.what === 'create' || doing?.what === 'edit') && (
        <EndpointDialog endpoint={target} onSecret={setSecret} onClose={close} />
      )}
      <Confirm
        title={doing?.what === 'rotate' ? 'Make a new secret?' : null}
        action="Make a new secret"
        onClose={close}
        run={async () => {
          const { data } = await rotate.mutateAsync({ endpoint: target?.id ?? '' });
          rotate.reset();
          setSecret(data.secret);
        }}
      >
        For a day the old secret of {target?.url} signs as well, so you can change over.
      </Confirm>
      <Confirm
        title={doing?.what === 'delete' ? 'Delete the endpoint?' : null}
        action="Delete"
        onClose={close}
        run={async () => {
          await remove.mutateAsync({ endpoint: target?.id ?? '' });
          await refresh();
          told('The endpoint is deleted.');
        }}
      >
        {target?.url} is told nothing any more, and its deliveries go with it. It can’t be undone.
      </Confirm>
    </>
  );
}

function SecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      title="The signing secret"
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <Stack gap="md">
        <Text>This is the only time it is shown. Your program needs it to check signatures.</Text>
        <CopyField label="Secret" value={secret} />
        <Button onClick={onClose}>I have stored it</Button>
      </Stack>
    </Modal>
  );
}
