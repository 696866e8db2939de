import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CardTable } from '../app/card-table.tsx';
import { LoadMore } from '../app/load-more.tsx';
import { Moment } from '../app/moment.tsx';
import { Page } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { type inferOutput, trpc } from '../app/trpc.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { deliveriesRoute } from './routes.ts';
import { State } from './state.tsx';

export type Delivery = inferOutput<typeof trpc.deliveries.list>['data'][number];

/** What was sent to endpoints, and what became of it. */
export function DeliveriesPage() {
  const search = deliveriesRoute.useSearch();
  const { endpoint, status, open } = search;
  const navigate = useNavigate({ from: deliveriesRoute.fullPath });
  const endpoints = useQuery(trpc.webhooks.list.queryOptions({}));
  const deliveries = useInfiniteQuery(
    trpc.deliveries.list.infiniteQueryOptions(
      {
        limit: 50,
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(status === undefined ? {} : { status }),
      },
      { getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined },
    ),
  );
  const set = (change: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false });
  const urls = new Map((endpoints.data?.data ?? []).map(({ id, url }) => [id, url]));
  const filtered = endpoint !== undefined || status !== undefined;
  return (
    <Page
      title="Deliveries"
      description="One event for one endpoint, through all its attempts. Kept for 30 days."
      actions={
        <Button variant="default" loading={deliveries.isRefetching} onClick={() => void deliveries.refetch()}>
          Look again
        </Button>
      }
    >
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label="Endpoint"
          maw="100%"
          value={endpoint ?? ''}
          onChange={(event) => set({ endpoint: event.currentTarget.value || undefined })}
          data={[{ value: '', label: 'All' }, ...[...urls].map(([id, url]) => ({ value: id, label: url }))]}
        />
        <NativeSelect
          label="Status"
          value={status ?? ''}
          onChange={(event) =>
            set({ status: statuses.find(({ value }) => value === event.currentTarget.value)?.value })
          }
          data={[{ value: '', label: 'All' }, ...statuses]}
        />
        {filtered && (
          <Button variant="default" onClick={() => set({ endpoint: undefined, status: undefined })}>
            Clear filters
          </Button>
        )}
      </Group>
      <QueryState query={deliveries} rows={8}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0)
            return <Text>{filtered ? 'No delivery fits these filters.' : 'Nothing has been sent yet.'}</Text>;
          return (
            <Stack gap="md">
              <CardTable
                caption="Deliveries, newest first"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  {
                    label: 'Event',
                    bare: true,
                    cell: ({ type }) => (
                      <Text fw={600} ff="monospace">
                        {type}
                      </Text>
                    ),
                  },
                  {
                    label: 'Endpoint',
                    cell: (delivery) => (
                      <Text size="sm" className="wrapped">
                        {urls.get(delivery.endpoint) ?? delivery.endpoint}
                      </Text>
                    ),
                  },
                  { label: 'Status', cell: (delivery) => <Outcome delivery={delivery} /> },
                  { label: 'Attempts', cell: ({ attempts }) => attempts },
                  { label: 'Made', cell: ({ created_at }) => <Moment at={created_at} /> },
                  {
                    label: 'Actions',
                    bare: true,
                    cell: ({ id, type }) => (
                      <Button
                        variant="default"
                        size="compact-md"
                        aria-label={`Show the delivery of ${type}`}
                        onClick={() => set({ open: id })}
                      >
                        Show
                      </Button>
                    ),
                  },
                ]}
              />
              <LoadMore query={deliveries} />
            </Stack>
          );
        }}
      </QueryState>
      {open !== undefined && <DeliveryDialog id={open} onClose={() => set({ open: undefined })} />}
    </Page>
  );
}

const statuses = [
  { value: 'pending', label: 'Pending' },
  { value: 'retrying', label: 'Retrying' },
  { value: 'succeeded', label: 'Delivered' },
  { value: 'exhausted', label: 'Failed' },
  { value: 'discarded', label: 'Not sent' },
] as const;

function Outcome({ delivery: { status, last_status, last_error, next_attempt_at } }: { delivery: Delivery }) {
  const result = last_status === null ? last_error : `HTTP ${last_status}`;
  return (
    <Stack gap={0}>
      <State of={status} />
      {result !== null && (
        <Text size="sm" c="dimmed">
          {result}
        </Text>
      )}
      {next_attempt_at !== null && status === 'retrying' && (
        <Text size="sm" c="dimmed">
          next <Moment at={next_attempt_at} />
        </Text>
      )}
    </Stack>
  );
}
