import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Code, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Moment } from '../app/moment.tsx';
import { QueryState } from '../app/query-state.tsx';
import { refused, told } from '../app/toast.ts';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';
import { AttemptEntry } from './attempt-entry.tsx';
import { curlOf } from './curl.ts';
import { State } from './state.tsx';
import { VerifySignature } from './verify-signature.tsx';
import '../events/events.css';

type Detail = inferOutput<typeof trpc.deliveries.show>['data'];

/** While attempts are under way they are looked for, after so many milliseconds. */
const lookInterval = 2_000;

interface Props {
  id: string;
  urls: ReadonlyMap<string, string>;
  onClose(): void;
}

/** One delivery: the bytes that are signed, and each attempt. */
export function DeliveryDialog({ id, urls, onClose }: Props) {
  const { t } = useLingui();
  const delivery = useQuery(
    trpc.deliveries.show.queryOptions(
      { delivery: id },
      {
        staleTime: 0,
        refetchInterval: ({ state }) =>
          ['pending', 'retrying'].includes(state.data?.data.status ?? '') ? lookInterval : false,
      },
    ),
  );
  return (
    <Modal opened onClose={onClose} size="xl" title={delivery.data?.data.type ?? t`Delivery`}>
      <QueryState query={delivery} rows={6}>
        {({ data }) => <Shown delivery={data} url={urls.get(data.endpoint) ?? ''} />}
      </QueryState>
    </Modal>
  );
}

function Shown({ delivery, url }: { delivery: Detail; url: string }) {
  const { t } = useLingui();
  const { id, event, status, log, body, next_attempt_at } = delivery;
  const last = log.at(-1);
  const headers = last?.request_headers ?? null;
  const signature = headers?.['X-Service-Signature'];
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <State of={status} />
          {status === 'retrying' && next_attempt_at !== null && (
            <Text size="sm" c="dimmed">
              <Trans>
                next attempt <Moment at={next_attempt_at} />
              </Trans>
            </Text>
          )}
        </Group>
        <Group gap="xs">
          {headers !== null && body !== null && <CopyCurl line={curlOf(url, headers, body)} />}
          <Resend id={id} />
        </Group>
      </Group>
      <Text size="sm" className="wrapped">
        <Trans>
          To {url}
          <br />
          Delivery {id}, event {event}
        </Trans>
      </Text>
      <section aria-label={t`Attempts`}>
        <Title order={3} size="h5" mb="xs">
          <Trans>Attempts</Trans>
        </Title>
        {log.length === 0 ? (
          <Text c="dimmed">
            <Trans>No attempt has been made yet.</Trans>
          </Text>
        ) : (
          <ol className="attempts">
            {log.map((attempt) => (
              <AttemptEntry key={attempt.id} attempt={attempt} />
            ))}
          </ol>
        )}
      </section>
      <section aria-label={t`Raw body`}>
        <Title order={3} size="h5" mb="xs">
          <Trans>Raw body</Trans>
        </Title>
        <Code block className="wrapped events-code" tabIndex={0} role="region" aria-label={t`Body`}>
          {body ?? t`The event is no longer kept.`}
        </Code>
      </section>
      {signature !== undefined && body !== null && (
        <section aria-label={t`Signature`}>
          <Title order={3} size="h5" mb="xs">
            <Trans>Verify the signature of attempt {last?.number}</Trans>
          </Title>
          <VerifySignature key={signature} header={signature} body={body} />
        </section>
      )}
    </Stack>
  );
}

function Resend({ id }: { id: string }) {
  const { t } = useLingui();
  const resend = useMutation(
    trpc.deliveries.resend.mutationOptions({
      onError: refused,
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.deliveries.pathFilter());
        told(t`It is sent again, with the same event id.`);
      },
    }),
  );
  return (
    <Button loading={resend.isPending} onClick={() => resend.mutate({ delivery: id })}>
      <Trans>Resend</Trans>
    </Button>
  );
}

function CopyCurl({ line }: { line: string }) {
  const { t } = useLingui();
  const copy = () => {
    navigator.clipboard.writeText(line).then(
      () => told(t`The request is in the clipboard, as a line for a shell.`),
      () => refused(new Error('denied')),
    );
  };
  return (
    <Button variant="default" onClick={copy}>
      <Trans>Copy as curl</Trans>
    </Button>
  );
}
