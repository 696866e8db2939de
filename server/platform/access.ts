import { accessChannel } from './auth.ts';
import type { WorkContext } from './unit-of-work.ts';

/** Makes every process forget what it knows of the company and its keys when this transaction commits. */
export function announceAccessChange(ctx: WorkContext): void {
  ctx.notify({ channel: accessChannel, text: ctx.principal.account.id });
}
