import { notifications } from '@mantine/notifications';
import { failureOf } from './failure.ts';

/** Says in a corner, and to screen readers, that something was done. */
export function told(message: string): void {
  notifications.show({ message, withCloseButton: true });
}

/** The same for what was refused and has no field to stand beside. */
export function refused(error: unknown): void {
  const { code, message, requestId } = failureOf(error);
  const reference = code === 'server_error' && requestId !== null ? ` Request ${requestId}.` : '';
  notifications.show({ message: `${message}${reference}`, color: 'red', role: 'alert', autoClose: 12_000 });
}
