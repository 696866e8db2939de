import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import {
  Button,
  Checkbox,
  Group,
  Menu,
  Modal,
  NativeSelect,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { cancelReasons, type PaymentStatus, paymentTransitions } from '../../../schema/words.ts';
import type { OrderStatus } from '../../../schema/orders.ts';
import { useCan } from '../account/use-profile.ts';
import { done } from '../app/done.ts';
import { failureOf } from '../app/failure.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { currentMode } from '../app/mode.ts';
import { refused } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { useSubmit } from '../app/use-submit.ts';
import { inWords, optionsOf } from '../app/words.ts';
import type { OrderRecord } from './orders-page.tsx';

/** The verb for each status that an order can be given. */
const verbs: Record<OrderStatus, string> = {
  get pending() {
    return t`Reopen`;
  },
  get confirmed() {
    return t`Confirm`;
  },
  get processing() {
    return t`Start processing`;
  },
  get shipped() {
    return t`Ship`;
  },
  get delivered() {
    return t`Mark as delivered`;
  },
  get completed() {
    return t`Complete`;
  },
  get cancelled() {
    return t`Cancel the order`;
  },
  get returned() {
    return t`Take back`;
  },
};

const paymentVerbs: Record<PaymentStatus, string> = {
  get unpaid() {
    return t`Mark as unpaid`;
  },
  get paid() {
    return t`Mark as paid`;
  },
  get refunded() {
    return t`Mark as refunded`;
  },
};

const refresh = () =>
  Promise.all([
    queryClient.invalidateQueries(trpc.orders.pathFilter()),
    queryClient.invalidateQueries(trpc.products.pathFilter()),
  ]);

/** The steps that the server allows now, and no others. */
export function AdvanceOrder({ order }: { order: OrderRecord }) {
  const { t } = useLingui();
  const manages = useCan()('commerce.manage');
  const [step, setStep] = useState<OrderStatus | null>(null);
  const pay = useMutation(
    trpc.orders.advance.mutationOptions({
      onError: refused,
      onSuccess: async ({ data }) => {
        await refresh();
        done(t`Order ${order.number} is ${data.payment_status}.`);
      },
    }),
  );
  if (!manages) return null;
  const [next, ...others] = order.allowed_transitions;
  const payments = paymentTransitions[order.payment_status];
  return (
    <Group gap="xs">
      {next && (
        <Button variant={others.length === 0 ? 'default' : 'filled'} onClick={() => setStep(next)}>
          {verbs[next]}…
        </Button>
      )}
      {payments.map((payment) => (
        <Button
          key={payment}
          variant="default"
          loading={pay.isPending}
          onClick={() => pay.mutate({ order: order.id, payment_status: payment })}
        >
          {paymentVerbs[payment]}
        </Button>
      ))}
      {others.length > 0 && (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <Button variant="default">
              <Trans>Other steps</Trans>
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((status) => (
              <Menu.Item key={status} onClick={() => setStep(status)}>
                {verbs[status]}…
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <Modal opened={step !== null} onClose={() => setStep(null)} title={step && `${verbs[step]}?`}>
        {step && <Step order={order} status={step} onClose={() => setStep(null)} />}
      </Modal>
    </Group>
  );
}

interface StepProps {
  order: OrderRecord;
  status: OrderStatus;
  onClose(): void;
}

function Step({ order, status, onClose }: StepProps) {
  const { t } = useLingui();
  const advance = useMutation(trpc.orders.advance.mutationOptions());
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async ({ note = '', carrier, number, url, reason, restock }) => {
      const tracking = { carrier: carrier || null, number: number || null, url: url || null };
      try {
        await advance.mutateAsync({
          order: order.id,
          status,
          ...(note === '' ? {} : { note }),
          ...(Object.values(tracking).some((text) => text !== null) ? { tracking } : {}),
          ...(reason === undefined ? {} : { cancel_reason: cancelReasons.find((word) => word === reason) }),
          ...(status === 'returned' ? { restock: restock !== undefined } : {}),
        });
      } catch (error) {
        // Somebody else was faster: what is allowed now stands behind this dialog.
        if (failureOf(error).code === 'conflict') await refresh();
        throw error;
      }
      await refresh();
      done(t`Order ${order.number} is ${inWords(status).toLowerCase()}.`);
      onClose();
    },
    ['note', 'tracking.url'],
  );
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        {status === 'shipped' && (
          <>
            <TextInput name="carrier" label={t`Carrier`} autoComplete="off" maxLength={64} data-autofocus />
            <TextInput name="number" label={t`Tracking number`} autoComplete="off" maxLength={64} />
            <TextInput
              name="url"
              type="url"
              label={t`Tracking page`}
              autoComplete="off"
              error={errorOf('tracking.url')}
            />
          </>
        )}
        {status === 'cancelled' && (
          <NativeSelect
            name="reason"
            label={t`Why`}
            data={optionsOf(cancelReasons)}
            defaultValue="customer"
          />
        )}
        {status === 'returned' && (
          <Checkbox name="restock" label={t`The goods go back on hand`} defaultChecked />
        )}
        <Textarea
          name="note"
          label={t`Note`}
          description={t`For your team. It stays in the order’s history.`}
          autosize
          minRows={2}
          maxLength={500}
          error={errorOf('note')}
        />
        {status === 'cancelled' && order.payment_status === 'paid' && (
          <span>
            <Trans>The order is paid: it becomes refunded as well, in {currentMode()} mode.</Trans>
          </span>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            <Trans>Not now</Trans>
          </Button>
          <Button type="submit" loading={pending} {...(status === 'cancelled' ? { color: 'red.9' } : {})}>
            {verbs[status]}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
