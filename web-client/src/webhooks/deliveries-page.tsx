import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Alert, Anchor, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BackLink } from '../app/back-link.tsx';
import { Empty } from '../app/empty.tsx';
import { currentMode } from '../app/mode.ts';
import { Moment } from '../app/moment.tsx';
import { Page } from '../app/page.tsx';
import { byCursor, type RecordColumn, RecordTable } from '../app/record-table.tsx';
import { useSetSearch } from '../app/search.ts';
import { type inferOutput, trpc } from '../app/trpc.ts';
import { number } from '../app/words.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryFilters, filterNames, noFilters, startOf } from './delivery-filters.tsx';
import { ResendDialog } from './resend-dialog.tsx';
import { deliveriesRoute, type DeliveriesSearch } from './routes.ts';
import { State } from './state.tsx';

export type Delivery = inferOutput<typeof trpc.deliveries.list>['data'][number];

/** While the list follows, it is asked for again after so many milliseconds. */
const tailInterval = 2_000;

/** What was sent to endpoints, and what became of it. */
export function DeliveriesPage() {
  const { t } = useLingui();
  const search = deliveriesRoute.useSearch();
  const { open, tail = false, endpoint, status, type, result, q, from, to } = search;
  const setSearch = useSetSearch<DeliveriesSearch>();
  const [resending, setResending] = useState(false);
  const endpoints = useQuery(trpc.webhooks.list.queryOptions({}));
  const query = useInfiniteQuery(
    trpc.deliveries.list.infiniteQueryOptions(
      {
        endpoint,
        status,
        type,
        result,
        q,
        from: startOf(from),
        to: startOf(to, 1),
        limit: 50,
      },
      {
        ...byCursor,
        placeholderData: keepPreviousData,
        staleTime: 0,
        refetchInterval: tail ? tailInterval : false,
      },
    ),
  );
  const known = endpoints.data?.data ?? [];
  const urls = new Map(known.map(({ id, url }) => [id, url]));
  const filtered = filterNames.some((name) => search[name] !== undefined);
  return (
    <Page
      title={t`Deliveries`}
      description={t`One event for one endpoint, through all its attempts. Kept for 30 days.`}
      actions={
        <Group gap="sm">
          <Switch
            label={t`Tail (live)`}
            checked={tail}
            onChange={(event) => setSearch({ tail: event.currentTarget.checked || undefined })}
          />
          <Button
            variant="default"
            loading={query.isRefetching && !tail}
            onClick={() => void query.refetch()}
          >
            <Trans>Look again</Trans>
          </Button>
          <Button variant="default" disabled={known.length === 0} onClick={() => setResending(true)}>
            <Trans>Resend all failed since…</Trans>
          </Button>
        </Group>
      }
    >
      <BackLink to="/settings/webhooks">{t`Endpoints`}</BackLink>
      {currentMode() === 'test' && (
        <Alert title={t`Test mode sends no webhooks`}>
          <Trans>
            A test changes nothing, so there is nothing to tell. What would have been sent stands in
            meta.test.events of each answer. These are the deliveries of live mode.
          </Trans>
        </Alert>
      )}
      <DeliveryFilters search={search} setSearch={setSearch} urls={urls} />
      <RecordTable
        caption={t`Deliveries`}
        query={query}
        columns={columnsWith(urls, (id) => setSearch({ open: id }, 'push'))}
        keyOf={({ id }) => id}
        onClear={filtered ? () => setSearch(noFilters) : undefined}
        empty={
          <Empty title={t`Nothing has been sent yet`}>
            <Trans>Once something happens that an endpoint asks for, its delivery is listed here.</Trans>
          </Empty>
        }
      />
      {open !== undefined && (
        <DeliveryDialog id={open} urls={urls} onClose={() => setSearch({ open: undefined })} />
      )}
      {resending && <ResendDialog endpoints={known} chosen={endpoint} onClose={() => setResending(false)} />}
    </Page>
  );
}

function columnsWith(
  urls: ReadonlyMap<string, string>,
  show: (id: string) => void,
): readonly RecordColumn<Delivery>[] {
  return [
    {
      label: t`Event`,
      bare: true,
      cell: ({ id, type }) => (
        <Anchor
          component="button"
          type="button"
          ta="start"
          fw={600}
          ff="monospace"
          size="sm"
          aria-label={t`Show the delivery of ${type}`}
          onClick={() => show(id)}
        >
          {type}
        </Anchor>
      ),
    },
    {
      label: t`Endpoint`,
      cell: ({ endpoint }) => (
        <Text size="sm" className="wrapped">
          {urls.get(endpoint) ?? endpoint}
        </Text>
      ),
    },
    { label: t`Status`, cell: (delivery) => <Outcome delivery={delivery} /> },
    {
      label: t`Answer`,
      cell: ({ last_status, last_error }) =>
        last_status === null ? (last_error ?? null) : `HTTP ${last_status}`,
    },
    { label: t`Attempts`, number: true, cell: ({ attempts }) => attempts },
    {
      label: t`Took`,
      number: true,
      cell: ({ last_duration_ms: took }) => (took === null ? null : `${number.format(took)} ms`),
    },
    { label: t`Created`, cell: ({ created_at }) => <Moment at={created_at} /> },
  ];
}

function Outcome({ delivery: { status, next_attempt_at } }: { delivery: Delivery }) {
  return (
    <Stack gap={0}>
      <State of={status} />
      {next_attempt_at !== null && status === 'retrying' && (
        <Text size="sm" c="dimmed">
          <Trans>
            next <Moment at={next_attempt_at} />
          </Trans>
        </Text>
      )}
    </Stack>
  );
}
