import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { failureOf } from './failure.ts';
import { FailureText } from './request-reference.tsx';

/** Says in a corner, and to screen readers, that something was done. */
export function told(message: string): void {
  notifications.show({ message, withCloseButton: true });
}

/** The same for what was refused and has no field to stand beside. */
export function refused(error: unknown): void {
  const message = createElement(FailureText, { failure: failureOf(error) });
  notifications.show({ message, color: 'red', role: 'alert', autoClose: 12_000 });
}
