import { t } from '@lingui/core/macro';
import { currentMode } from './mode.ts';
import { told } from './toast.ts';

/** Says that something was changed; in test mode, that the server tried it and kept nothing. */
export function done(message: string): void {
  told(currentMode() === 'test' ? t`${message} This was a test: nothing is kept.` : message);
}
