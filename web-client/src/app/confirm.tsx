import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type Failure, failureOf } from './failure.ts';
import { FailureAlert } from './failure-alert.tsx';

interface Props {
  /** Null: closed. */
  title: string | null;
  children: ReactNode;
  /** The verb of the button. */
  action: string;
  disabled?: boolean;
  run(): Promise<unknown>;
  onClose(): void;
}

/** Asks before what can't be undone. It names the thing, and stays open when it is refused. */
export function Confirm({ title, children, action, disabled = false, run, onClose }: Props) {
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const close = () => {
    setFailure(null);
    onClose();
  };
  const go = () => {
    setPending(true);
    setFailure(null);
    run()
      .then(close, (error: unknown) => setFailure(failureOf(error)))
      .finally(() => setPending(false));
  };
  return (
    <Modal opened={title !== null} onClose={close} title={title} centered>
      <Stack gap="md">
        <Text component="div">{children}</Text>
        {failure && <FailureAlert failure={failure} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button color="red.9" loading={pending} disabled={disabled} onClick={go}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
