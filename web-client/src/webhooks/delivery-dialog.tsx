import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CardTable } from '../app/card-table.tsx';
import { Moment } from '../app/moment.tsx';
import { QueryState } from '../app/query-state.tsx';
import { refused, told } from '../app/toast.ts';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';
import { State } from './state.tsx';
import '../events/events.css';

type Attempt = inferOutput<typeof trpc.deliveries.show>['data']['log'][number];

/** One delivery: the bytes that are signed, and each attempt. */
export function DeliveryDialog({ id, onClose }: { id: string; onClose(): void }) {
  const delivery = useQuery(trpc.deliveries.show.queryOptions({ delivery: id }));
  const resend = useMutation(
    trpc.deliveries.resend.mutationOptions({
      onError: refused,
      onSuccess: async () => {
        await Promise.all([
          queryClient.invalidateQueries(trpc.deliveries.show.queryFilter()),
          queryClient.invalidateQueries(trpc.deliveries.list.infiniteQueryFilter()),
        ]);
        told('It is sent again, with the same event id.');
      },
    }),
  );
  return (
    <Modal opened onClose={onClose} size="xl" title={delivery.data?.data.type ?? 'Delivery'}>
      <QueryState query={delivery} rows={6}>
        {({ data }) => (
          <Stack gap="md">
            <Group justify="space-between">
              <State of={data.status} />
              <Button loading={resend.isPending} onClick={() => resend.mutate({ delivery: id })}>
                Send again
              </Button>
            </Group>
            <Text size="sm" className="wrapped">
              Delivery {data.id}, event {data.event}
            </Text>
            {data.log.length === 0 ? (
              <Text c="dimmed">No attempt has been made yet.</Text>
            ) : (
              <CardTable
                caption="Attempts, oldest first"
                rows={data.log}
                keyOf={({ id: attempt }) => attempt}
                columns={[
                  {
                    label: 'Attempt',
                    cell: ({ number, trigger }) => `${number}${trigger === 'manual' ? ', by hand' : ''}`,
                  },
                  { label: 'When', cell: ({ at }) => <Moment at={at} /> },
                  { label: 'Took', cell: ({ duration_ms }) => `${duration_ms} ms` },
                  { label: 'Result', cell: (attempt) => <Result attempt={attempt} /> },
                ]}
              />
            )}
            <div>
              <Text fw={600} mb={4}>
                Body
              </Text>
              <Code block className="wrapped events-code" tabIndex={0} role="region" aria-label="Body">
                {data.body ?? 'The event is no longer kept.'}
              </Code>
            </div>
          </Stack>
        )}
      </QueryState>
    </Modal>
  );
}

function Result({ attempt }: { attempt: Attempt }) {
  const { response_status, response_body, error, error_message } = attempt;
  return (
    <Stack gap={2} miw={0}>
      <Text>{response_status === null ? (error ?? 'no answer') : `HTTP ${response_status}`}</Text>
      {error_message !== null && (
        <Text size="sm" c="dimmed">
          {error_message}
        </Text>
      )}
      {response_body !== null && response_body !== '' && (
        <Text size="sm" ff="monospace" className="wrapped" lineClamp={6}>
          {response_body}
        </Text>
      )}
    </Stack>
  );
}
