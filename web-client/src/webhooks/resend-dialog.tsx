import { Trans, useLingui } from '@lingui/react/macro';
import { plural } from '@lingui/core/macro';
import { Button, Group, Modal, NativeSelect, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Failure, failureOf } from '../app/failure.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { queryClient, trpc } from '../app/trpc.ts';
import { number } from '../app/words.ts';
import type { Endpoint } from './webhooks-page.tsx';

const hour = 3_600_000;

/** Sends again what did not arrive since some moment. It counts first. */
export function ResendDialog({
  endpoints,
  chosen,
  onClose,
}: {
  endpoints: readonly Endpoint[];
  chosen: string | undefined;
  onClose(): void;
}) {
  const { t } = useLingui();
  const [endpoint, setEndpoint] = useState(chosen ?? endpoints[0]?.id ?? '');
  const [since, setSince] = useState(() => localMinute(new Date(Date.now() - 24 * hour)));
  const [count, setCount] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [sent, setSent] = useState<Sent | null>(null);
  const resend = useMutation(trpc.webhooks.resendRange.mutationOptions());
  const ask = async (preview: boolean) => {
    setFailure(null);
    try {
      const from = new Date(since).toISOString();
      const { data } = await resend.mutateAsync({ endpoint, from, preview });
      if (preview) return setCount(data.resent);
      await queryClient.invalidateQueries(trpc.deliveries.pathFilter());
      setSent(data);
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  if (sent !== null) {
    // The list behind it shows what became of them.
    const close = () => {
      void queryClient.invalidateQueries(trpc.deliveries.pathFilter());
      onClose();
    };
    return (
      <Modal opened onClose={close} title={t`Sent again`}>
        <Progressing sent={sent} onClose={close} />
      </Modal>
    );
  }
  return (
    <Modal opened onClose={onClose} title={t`Resend all failed since…`}>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <NativeSelect
          label={t`Endpoint`}
          value={endpoint}
          data={endpoints.map(({ id, url }) => ({ value: id, label: url }))}
          onChange={(event) => {
            setEndpoint(event.currentTarget.value);
            setCount(null);
          }}
        />
        <TextInput
          type="datetime-local"
          label={t`Since`}
          description={t`At most 30 days ago. Events that an endpoint missed while it was switched off are among them.`}
          required
          withAsterisk={false}
          value={since}
          onChange={(event) => {
            setSince(event.currentTarget.value);
            setCount(null);
          }}
        />
        <Text role="status" mih="1.5em">
          {count !== null &&
            (count === 0
              ? t`Everything arrived: there is nothing to send again.`
              : t`${plural(count, { one: '# event', other: '# events' })} did not arrive.`)}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          {count === null || count === 0 ? (
            <Button loading={resend.isPending} disabled={since === ''} onClick={() => void ask(true)}>
              <Trans>Count</Trans>
            </Button>
          ) : (
            <Button loading={resend.isPending} onClick={() => void ask(false)}>
              <Trans>Resend {count}</Trans>
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

interface Sent {
  endpoint: string;
  at: string;
  resent: number;
}

/** How many of them have arrived meanwhile. They go on without the dialog. */
function Progressing({ sent: { endpoint, at, resent }, onClose }: { sent: Sent; onClose(): void }) {
  const { t } = useLingui();
  const progress = useQuery(
    trpc.webhooks.resendProgress.queryOptions(
      { endpoint, at },
      { staleTime: 0, refetchInterval: ({ state }) => (state.data?.data.waiting === 0 ? false : 1_000) },
    ),
  );
  const { succeeded = 0, failed = 0 } = progress.data?.data ?? {};
  const over = progress.data?.data.waiting === 0;
  const [arrived, all] = [number.format(succeeded), number.format(resent)];
  return (
    <Stack gap="md">
      {progress.error && <FailureAlert failure={failureOf(progress.error)} />}
      <Text role="status">
        {failed === 0
          ? t`${arrived} of ${all} arrived.`
          : t`${arrived} of ${all} arrived, ${number.format(failed)} failed again.`}
      </Text>
      <Progress
        value={resent === 0 ? 100 : ((succeeded + failed) / resent) * 100}
        aria-label={t`${arrived} of ${all} arrived.`}
      />
      {!over && (
        <Text size="sm" c="dimmed">
          <Trans>You may close this: they go on. What fails is tried again by its schedule.</Trans>
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant={over ? 'filled' : 'default'} onClick={onClose}>
          {over ? t`Done` : t`Close`}
        </Button>
      </Group>
    </Stack>
  );
}

/** As a field for date and time wants it: the reader's own clock, to the minute. */
function localMinute(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
