import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Confirm } from '../app/confirm.tsx';
import { CopyField } from '../app/copy-field.tsx';
import { told } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { EndpointDialog } from './endpoint-dialog.tsx';
import type { Endpoint } from './webhooks-page.tsx';

/** What is about to be done with an endpoint. */
export type Doing =
  | { what: 'edit' | 'rotate' | 'delete' | 'switch'; endpoint: Endpoint }
  | { what: 'create' }
  | null;

/** Asks before an endpoint is changed. */
export function EndpointDialogs({
  doing,
  setDoing,
  setSecret,
}: {
  doing: Doing;
  setDoing(doing: Doing): void;
  setSecret(secret: string): void;
}) {
  const { t } = useLingui();
  const rotate = useMutation(trpc.webhooks.rotateSecret.mutationOptions({ gcTime: 0 }));
  const remove = useMutation(trpc.webhooks.delete.mutationOptions());
  const update = useMutation(trpc.webhooks.update.mutationOptions());
  const close = () => setDoing(null);
  const target = doing !== null && doing.what !== 'create' ? doing.endpoint : null;
  const refresh = () => queryClient.invalidateQueries(trpc.webhooks.list.queryFilter());
  return (
    <>
      {(doing?.what === 'create' || doing?.what === 'edit') && (
        <EndpointDialog endpoint={target} onSecret={setSecret} onClose={close} />
      )}
      <Confirm
        title={doing?.what === 'rotate' ? t`Make a new secret?` : null}
        action={t`Make a new secret`}
        onClose={close}
        run={async () => {
          const { data } = await rotate.mutateAsync({ endpoint: target?.id ?? '' });
          rotate.reset();
          setSecret(data.secret);
        }}
      >
        <Trans>For 24 hours the old secret of {target?.url} signs as well, so you can change over.</Trans>
      </Confirm>
      <Confirm
        title={
          doing?.what === 'switch'
            ? target?.enabled
              ? t`Disable the endpoint?`
              : t`Enable the endpoint?`
            : null
        }
        action={target?.enabled ? t`Disable` : t`Enable`}
        onClose={close}
        run={async () => {
          await update.mutateAsync({ endpoint: target?.id ?? '', enabled: target?.enabled === false });
          await refresh();
          told(target?.enabled ? t`The endpoint is disabled.` : t`The endpoint is enabled.`);
        }}
      >
        {target?.enabled
          ? t`${target.url} is sent nothing while it is disabled. Events that happen meanwhile are not sent later, and what waits is skipped.`
          : t`${target?.url ?? ''} is sent what happens from now on. Events that happened while it was disabled are not sent, unless you resend them from the deliveries.`}
      </Confirm>
      <Confirm
        title={doing?.what === 'delete' ? t`Delete the endpoint?` : null}
        action={t`Delete`}
        onClose={close}
        run={async () => {
          await remove.mutateAsync({ endpoint: target?.id ?? '' });
          await refresh();
          told(t`The endpoint is deleted.`);
        }}
      >
        <Trans>
          {target?.url} is told nothing any more, and its deliveries go with it. It can’t be undone.
        </Trans>
      </Confirm>
    </>
  );
}

/** The signing secret, this once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  const { t } = useLingui();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t`The signing secret`}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <Stack gap="md">
        <Text>
          <Trans>This is the only time it is shown. Your program needs it to check signatures.</Trans>
        </Text>
        <CopyField label={t`Secret`} value={secret} />
        <Button onClick={onClose}>
          <Trans>I have stored it</Trans>
        </Button>
      </Stack>
    </Modal>
  );
}
