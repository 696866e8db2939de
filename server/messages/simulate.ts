import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import { text } from '../../schema/common.ts';
import { createChannel, findChannelByName } from '../channels/service.ts';
import { adapterFor } from '../channels/registry.ts';
import type { Context } from '../platform/context.ts';
import { invalidField } from '../platform/errors.ts';
import { execute } from '../platform/operation.ts';
import type { Services } from '../platform/services.ts';
import { systemContext } from '../platform/system-context.ts';
import { inTenant } from '../platform/tenancy.ts';
import { inUnitOfWork } from '../platform/unit-of-work.ts';
import { validationError } from '../platform/validation.ts';
import { type Arrival, receiveMessage } from './inbound.ts';

const SimulatedMessage = z.object({
  from: text(32, 1),
  name: text(191, 1).optional(),
  text: text(65_536, 1),
  /** Name of a simulator channel; the company's first one unless given. */
  channel: text(30, 1).optional(),
  /** So many messages, one after the other. */
  count: z.int().min(1).max(100_000).default(1),
  /** The provider's id; the same one again is no second message. */
  providerId: text(191, 1).optional(),
});

/**
 * Lets a simulated customer write, and waits until it is in the inbox. A company without a simulator channel gets one.
 * @returns where the last message ended up; null when nothing was kept (a blocked contact without a thread)
 * @throws AppError `validation_failed`
 */
export async function simulateInbound(
  app: Services,
  companyId: string,
  given: z.input<typeof SimulatedMessage>,
): Promise<Arrival | null> {
  const parsed = SimulatedMessage.safeParse(given);
  if (!parsed.success) throw validationError(parsed.error, given);
  const input = parsed.data;
  const ctx = await systemContext(app, companyId);
  const channel = await simulatorOf(ctx, input.channel);
  if (adapterFor(channel.kind)?.address(input.from) == null) {
    throw invalidField('from', 'format', 'Must be a phone number with a country code.');
  }
  let arrival: Arrival | null = null;
  for (let sent = 0; sent < input.count; sent++) {
    const inbound = {
      providerId: input.providerId ?? `sim-in-${randomUUID()}`,
      from: input.from,
      name: input.name ?? null,
      text: input.text,
      replyTo: null,
    };
    arrival = await inTenant(companyId, () =>
      inUnitOfWork(ctx, (work) => receiveMessage(work, channel, inbound)),
    );
  }
  return arrival;
}

async function simulatorOf(ctx: Context, name: string | undefined): Promise<ChannelRow> {
  const found = await inTenant(ctx.companyId, () => findChannelByName(ctx, name ?? 'simulator'));
  if (found?.kind === 'simulator') return found;
  if (name !== undefined)
    throw invalidField('channel', 'unknown_id', `There is no simulator channel ${name}.`);
  return execute(createChannel, ctx, {
    kind: 'simulator',
    name: found ? 'Simulator (customers)' : 'Simulator',
  });
}

/** One message as a simulated customer got it. */
export interface Delivered {
  id: string;
  message: string;
  channel: string;
  to: string;
  type: unknown;
  text: unknown;
  media: unknown;
  template: unknown;
  reply_to: unknown;
  outcome: string;
  accepted_at: string;
}

/** Everything that the simulator was given to deliver, oldest first. */
export async function simulatorOutbox(app: Services, companyId: string): Promise<Delivered[]> {
  const rows = await inTenant(companyId, () =>
    app.prisma.simulatorMessage.findMany({
      where: { companyId },
      include: { channel: { select: { name: true } } },
      orderBy: [{ acceptedAt: 'asc' }, { id: 'asc' }],
    }),
  );
  return rows.map(({ id, messageId, channel, address, body, outcome, acceptedAt }) => {
    const call = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
    return {
      id,
      message: messageId,
      channel: channel.name,
      to: address,
      type: call['type'] ?? null,
      text: call['text'] ?? null,
      media: call['media'] ?? null,
      template: call['template'] ?? null,
      reply_to: call['replyTo'] ?? null,
      outcome,
      accepted_at: acceptedAt.toISOString(),
    };
  });
}
