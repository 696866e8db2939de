import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { ActionIcon, Alert, Anchor, Button, Menu, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { CardTable } from '../app/card-table.tsx';
import { Empty } from '../app/empty.tsx';
import { currentMode } from '../app/mode.ts';
import { Moment } from '../app/moment.tsx';
import { Page } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { Status } from '../app/status.tsx';
import { refused, told } from '../app/toast.ts';
import { type inferOutput, trpc } from '../app/trpc.ts';
import { number, share } from '../app/words.ts';
import { type Doing, EndpointDialogs, SecretDialog } from './endpoint-dialogs.tsx';
import { State } from './state.tsx';

export type Endpoint = inferOutput<typeof trpc.webhooks.list>['data'][number];

type Figures = inferOutput<typeof trpc.webhooks.figures>['data'][number];

/** Who is told of events by HTTP. */
export function WebhooksPage() {
  const { t } = useLingui();
  const endpoints = useQuery(trpc.webhooks.list.queryOptions({}));
  const recent = useQuery(trpc.webhooks.figures.queryOptions({}));
  const figures = new Map((recent.data?.data ?? []).map((one) => [one.endpoint, one]));
  const [doing, setDoing] = useState<Doing>(null);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Page
      title={t`Webhooks`}
      description={t`Each event is sent to the endpoints that ask for it, signed, and again until it is taken.`}
      actions={
        <Button onClick={() => setDoing({ what: 'create' })}>
          <Trans>New endpoint</Trans>
        </Button>
      }
    >
      {currentMode() === 'test' && (
        <Alert title={t`Test mode sends no webhooks`}>
          <Trans>
            What you do in test mode changes nothing, so nobody is told. These are the endpoints of live mode.
          </Trans>
        </Alert>
      )}
      <Text>
        <Anchor component={Link} to="/settings/webhooks/deliveries">
          <Trans>All deliveries</Trans>
        </Anchor>
        {' · '}
        <Anchor component={Link} to="/settings/events">
          <Trans>Event catalogue</Trans>
        </Anchor>
      </Text>
      <QueryState query={endpoints} rows={2}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty
              title={t`No endpoints yet`}
              action={
                <Button onClick={() => setDoing({ what: 'create' })}>
                  <Trans>Make an endpoint</Trans>
                </Button>
              }
            >
              <Trans>Your program hears of everything that happens, as it happens.</Trans>
            </Empty>
          ) : (
            <CardTable
              caption={t`Endpoints`}
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                { label: t`Endpoint`, bare: true, cell: (endpoint) => <NameCell endpoint={endpoint} /> },
                { label: t`Events`, cell: ({ events }) => <Scope events={events} /> },
                { label: t`Status`, cell: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
                {
                  label: t`24 h success`,
                  cell: ({ id }) => <Success figures={figures.get(id)} />,
                },
                {
                  label: t`p95 latency`,
                  cell: ({ id }) => {
                    const took = figures.get(id)?.p95_ms ?? null;
                    return took === null ? '–' : `${number.format(took)} ms`;
                  },
                },
                {
                  label: t`Last delivery`,
                  cell: ({ id }) => {
                    const at = figures.get(id)?.last_delivery_at ?? null;
                    return at === null ? t`never` : <Moment at={at} />;
                  },
                },
                {
                  label: t`Actions`,
                  bare: true,
                  cell: (endpoint) => <EndpointMenu endpoint={endpoint} setDoing={setDoing} />,
                },
              ]}
            />
          )
        }
      </QueryState>
      <EndpointDialogs doing={doing} setDoing={setDoing} setSecret={setSecret} />
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

function Scope({ events }: { events: readonly string[] }) {
  const { t } = useLingui();
  if (events.includes('*'))
    return (
      <Stack gap={2} align="flex-start">
        <Status tone="warning">
          <Trans>Receives everything</Trans>
        </Status>
        <Text size="sm" c="dimmed">
          <Trans>also what is added later</Trans>
        </Text>
      </Stack>
    );
  return (
    <Text size="sm" className="wrapped">
      {events.length > 2
        ? t`${events.slice(0, 2).join(', ')} and ${events.length - 2} more`
        : events.join(', ')}
    </Text>
  );
}

function Success({ figures }: { figures: Figures | undefined }) {
  if (!figures || figures.deliveries === 0) return '–';
  return `${share(figures.succeeded, figures.deliveries)} of ${number.format(figures.deliveries)}`;
}

const reasons = {
  manual: t`by hand`,
  gone: t`it answered 410`,
  failing: t`it failed for 120 hours`,
} as const;

function EndpointStatus({ endpoint: { status, disabled_reason, failing_since } }: { endpoint: Endpoint }) {
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
          <Trans>
            since <Moment at={failing_since} />
          </Trans>
        </Text>
      )}
    </Stack>
  );
}

function EndpointMenu({ endpoint, setDoing }: { endpoint: Endpoint; setDoing(doing: Doing): void }) {
  const { t } = useLingui();
  const test = useMutation(
    trpc.webhooks.sendTest.mutationOptions({
      onError: refused,
      onSuccess: () => told(t`A test event is on its way. It appears among the deliveries.`),
    }),
  );
  const navigate = useNavigate();
  const { id, url, enabled } = endpoint;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t`Actions for ${url}`}>
          <Ellipsis size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => setDoing({ what: 'edit', endpoint })}>
          <Trans>Edit</Trans>
        </Menu.Item>
        <Menu.Item
          onClick={() => void navigate({ to: '/settings/webhooks/deliveries', search: { endpoint: id } })}
        >
          <Trans>Deliveries</Trans>
        </Menu.Item>
        <Menu.Item disabled={!enabled} onClick={() => test.mutate({ endpoint: id })}>
          <Trans>Send a test event</Trans>
        </Menu.Item>
        <Menu.Item onClick={() => setDoing({ what: 'switch', endpoint })}>
          {enabled ? t`Disable…` : t`Enable…`}
        </Menu.Item>
        <Menu.Item onClick={() => setDoing({ what: 'rotate', endpoint })}>
          <Trans>Rotate the secret…</Trans>
        </Menu.Item>
        <Menu.Item onClick={() => setDoing({ what: 'delete', endpoint })}>
          <Trans>Delete…</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
