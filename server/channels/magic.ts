import { AppError, invalidField } from '../platform/errors.ts';
import type { Failure } from './adapter.ts';

/** Numbers that fail in their own ways on the simulator, for live and test keys alike. Source: decisions §13. */
const undeliverableNumber = '+15005550001';

export const undeliverable: Failure = {
  code: 'undeliverable',
  message: 'The number can’t receive messages.',
  providerCode: '131026',
};

export function isUndeliverable(address: string): boolean {
  return address === undeliverableNumber;
}

/** What a magic number answers with, instead of taking the message. */
export function magicRefusal(address: string): AppError | null {
  switch (address) {
    case '+15005550002':
      return invalidField('text', 'window_closed', 'The reply window is closed; send a template.');
    case '+15005550003':
      return invalidField('contact', 'contact_blocked', 'The contact is blocked.');
    case '+15005550004':
      return new AppError('rate_limited', undefined, { retryAfter: 1 });
    case '+15005550005':
      return new AppError('server_error');
    default:
      return null;
  }
}

/** Name of the template that is always refused. */
export const rejectedTemplate = 'test_rejected';
