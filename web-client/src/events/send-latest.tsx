import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Menu } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { EventType } from '../../../schema/events.ts';
import { refused, told } from '../app/toast.ts';
import { trpc } from '../app/trpc.ts';

/** What happens in the house; a ping is only ever asked for. */
export type Subscribable = Exclude<EventType, 'webhook.ping'>;

/** Has the latest event of a type sent to an endpoint of one's choice. */
export function SendLatest({ type }: { type: Subscribable }) {
  const { t } = useLingui();
  const endpoints = useQuery(trpc.webhooks.list.queryOptions({}));
  const send = useMutation(
    trpc.webhooks.sendLatest.mutationOptions({
      onError: refused,
      onSuccess: () => told(t`The latest ${type} is on its way. It appears among the deliveries.`),
    }),
  );
  const open = endpoints.data?.data.filter(({ enabled }) => enabled) ?? [];
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button variant="default" size="compact-md" loading={send.isPending}>
          <Trans>Send me this</Trans>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{open.length === 0 ? t`No endpoint is switched on.` : t`The latest one, to`}</Menu.Label>
        {open.map(({ id, url }) => (
          <Menu.Item key={id} onClick={() => send.mutate({ endpoint: id, type })}>
            {url}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
