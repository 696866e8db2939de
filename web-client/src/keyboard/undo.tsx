import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { refused } from '../app/toast.ts';

interface Undoable {
  id: string;
  undo(): Promise<unknown>;
}

let last: Undoable | null = null;

/** Says that something was done and offers to take it back, for 8 s; the newest one also by Z. */
export function undoable(message: string, undo: () => Promise<unknown>): void {
  const id = notifications.show({
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="default" onClick={() => takeBack({ id, undo })}>
          <Trans>Undo</Trans>
        </Button>
      </Group>
    ),
    withCloseButton: true,
    autoClose: 8_000,
    onClose: () => {
      if (last?.id === id) last = null;
    },
  });
  last = { id, undo };
}

/** Takes back what was done last, if that is still offered. */
export function undoLast(): void {
  if (last) takeBack(last);
}

function takeBack({ id, undo }: Undoable): void {
  if (last?.id === id) last = null;
  notifications.hide(id);
  undo().catch(refused);
}
