import { accessChannel } from './auth.ts';
import type { WorkContext } from './unit-of-work.ts';

/** Makes every process forget what it knows of the company and its keys when this transaction commits. */
export async function announceAccessChange(ctx: WorkContext): Promise<void> {
  await ctx.db.$executeRaw`SELECT pg_notify(${accessChannel}, ${ctx.principal.account.id})`;
}
