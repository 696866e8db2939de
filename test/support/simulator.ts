import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createChannel } from '../../server/channels/service.ts';
import { simulatorOutbox } from '../../server/messages/simulate.ts';
import { execute } from '../../server/platform/operation.ts';
import type { Services } from '../../server/platform/services.ts';
import { systemContext } from '../../server/platform/system-context.ts';

/** Everything at once: a message is read as soon as it is accepted. */
export const atOnce = { delays: { sent: 0, delivered: 0, read: 0 } };

/** A simulator channel; its reports come without delay unless asked otherwise. */
export async function addSimulator(
  app: Services,
  companyId: string,
  settings: Record<string, unknown> = {},
): Promise<{ id: string }> {
  const ctx = await systemContext(app, companyId);
  return execute(createChannel, ctx, { kind: 'simulator', name: 'Simulator', config: atOnce, ...settings });
}

interface Inbound {
  from: string;
  text?: string;
  name?: string;
  providerId?: string;
}

/** Customers write, as a provider's webhook would bring it: through the queue. */
export async function deliver(
  app: Services,
  companyId: string,
  channelId: string,
  ...messages: Inbound[]
): Promise<void> {
  await app.jobs.enqueueAll(
    'channels.received',
    messages.map((message) => ({
      companyId,
      channelId,
      payload: { messages: [{ providerId: `in-${randomUUID()}`, text: 'Hello', ...message }] },
    })),
  );
}

/** Texts in the order in which the simulated customers got them. */
export async function receivedTexts(app: Services, companyId: string): Promise<unknown[]> {
  return (await simulatorOutbox(app, companyId)).map(({ text }) => text);
}

/** Waits until no message of the company is on its way, at most 20 s. */
export async function settled(app: Services, companyId: string): Promise<void> {
  const until = Date.now() + 20_000;
  for (;;) {
    const { rows } = await app.pool.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM messages WHERE company_id = $1 AND status IN ('queued', 'sent', 'delivered')",
      [companyId],
    );
    if (rows[0]?.n === 0) return;
    if (Date.now() > until) throw new Error(`${rows[0]?.n} messages are still on their way.`);
    await wait(50);
  }
}
