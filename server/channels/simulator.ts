import { z } from 'zod';
import { SimulatorConfig } from '../../schema/channels.ts';
import { parsePhone } from '../contacts/phone.ts';
import { databaseTime } from '../platform/clock.ts';
import { invalidField } from '../platform/errors.ts';
import type { Services } from '../platform/services.ts';
import { inTenant } from '../platform/tenancy.ts';
import type { ChannelAdapter, ChannelRef, OutboundMessage, SendResult } from './adapter.ts';
import { isUndeliverable, magicRefusal, rejectedTemplate, undeliverable } from './magic.ts';

const Payload = z.object({
  messages: z
    .array(
      z.object({
        providerId: z.string().min(1).max(191),
        from: z.string(),
        name: z.string().nullable().default(null),
        text: z.string(),
        replyTo: z.string().nullable().default(null),
        automatic: z.boolean().default(false),
      }),
    )
    .default([]),
  statuses: z
    .array(
      z.object({
        providerId: z.string(),
        reference: z.string(),
        status: z.enum(['sent', 'delivered', 'read', 'failed']),
        at: z.coerce.date(),
      }),
    )
    .default([]),
});

/** A provider that lives in this process: it accepts, reports as time goes by, and keeps what it was given. */
export const simulator: ChannelAdapter = {
  kind: 'simulator',
  capabilities: { reference: true, templates: true, media: true },
  patience: 3_000,
  readConfig: (config) => SimulatorConfig.parse(config),
  address: (text) => parsePhone(text)?.number ?? null,
  ownAddress: 'phone',
  refusal: (_channel, { to, template }) =>
    template?.name === rejectedTemplate
      ? invalidField('template.name', 'not_allowed', 'The provider rejected this template.')
      : magicRefusal(to),
  isMarketing: ({ config }, { name }) => SimulatorConfig.parse(config).marketing_templates.includes(name),
  rehearse: ({ to }) => (isUndeliverable(to) ? undeliverable : null),
  send: accept,
  receive(payload) {
    const { messages, statuses } = Payload.parse(payload);
    return {
      messages,
      statuses: statuses.map((report) => ({
        ...report,
        failure: report.status === 'failed' ? undeliverable : null,
      })),
    };
  },
};

/** The message's id is the reference: given twice, it is kept once and reported once. */
async function accept(
  app: Services,
  { companyId, id: channelId, config }: ChannelRef,
  message: OutboundMessage,
): Promise<SendResult> {
  const providerId = `sim-${message.id}`;
  const at = app.clock.now();
  const failing = isUndeliverable(message.to);
  const row = {
    companyId,
    id: providerId,
    channelId,
    messageId: message.id,
    address: message.to,
    body: { ...message },
    outcome: failing ? 'failed' : 'read',
    acceptedAt: at,
  };
  await inTenant(companyId, () =>
    app.prisma.$transaction(async (db) => {
      const { count } = await db.simulatorMessage.createMany({ data: [row], skipDuplicates: true });
      if (count === 0) return;
      const { delays } = SimulatorConfig.parse(config);
      const steps = failing ? (['sent', 'failed'] as const) : (['sent', 'delivered', 'read'] as const);
      const reports = steps.map((status) => {
        const wait = delays[status === 'failed' ? 'delivered' : status];
        return {
          providerId,
          reference: message.id,
          status,
          wait,
          at: new Date(at.getTime() + wait).toISOString(),
        };
      });
      // What is due at the same time comes in one call, in order, as from a real provider.
      for (const [wait, statuses] of Map.groupBy(reports, (report) => report.wait)) {
        await app.jobs.enqueue(
          'channels.received',
          { companyId, channelId, payload: { statuses } },
          { db, ...(wait > 0 ? { startAfter: new Date(databaseTime() + wait) } : {}) },
        );
      }
    }),
  );
  return { outcome: 'accepted', providerId };
}
