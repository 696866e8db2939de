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

interface Call {
  message: OutboundMessage;
  /** Settled when the message is kept and its reports are on their way. */
  kept: PromiseWithResolvers<void>;
}

/** Calls of this turn, by channel: what is sent at once is kept at once. */
const calls = new WeakMap<Services, Map<string, Call[]>>();

/** The message's id is the reference: given twice, it is kept once and reported once. */
async function accept(app: Services, channel: ChannelRef, message: OutboundMessage): Promise<SendResult> {
  const ofApp = calls.get(app) ?? new Map<string, Call[]>();
  calls.set(app, ofApp);
  const call: Call = { message, kept: Promise.withResolvers() };
  const waiting = ofApp.get(channel.id);
  if (waiting) waiting.push(call);
  else {
    ofApp.set(channel.id, [call]);
    setImmediate(() => {
      const all = ofApp.get(channel.id) ?? [];
      ofApp.delete(channel.id);
      keep(
        app,
        channel,
        all.map((one) => one.message),
      ).then(
        () => all.forEach(({ kept }) => kept.resolve()),
        (error: unknown) => all.forEach(({ kept }) => kept.reject(error)),
      );
    });
  }
  await call.kept.promise;
  return { outcome: 'accepted', providerId: providerIdOf(message) };
}

function providerIdOf({ id }: Pick<OutboundMessage, 'id'>): string {
  return `sim-${id}`;
}

async function keep(
  app: Services,
  { companyId, id: channelId, config }: ChannelRef,
  messages: readonly OutboundMessage[],
): Promise<void> {
  const at = app.clock.now();
  const rows = messages.map((message) => ({
    companyId,
    id: providerIdOf(message),
    channelId,
    messageId: message.id,
    address: message.to,
    body: { ...message },
    outcome: isUndeliverable(message.to) ? 'failed' : 'read',
    acceptedAt: at,
  }));
  await inTenant(companyId, () =>
    app.prisma.$transaction(async (db) => {
      const made = await db.simulatorMessage.createManyAndReturn({
        data: rows,
        skipDuplicates: true,
        select: { id: true, messageId: true, outcome: true },
      });
      const { delays } = SimulatorConfig.parse(config);
      const reports = made.flatMap(({ id: providerId, messageId: reference, outcome }) => {
        const steps =
          outcome === 'failed' ? (['sent', 'failed'] as const) : (['sent', 'delivered', 'read'] as const);
        return steps.map((status) => {
          const wait = delays[status === 'failed' ? 'delivered' : status];
          return { providerId, reference, status, wait, at: new Date(at.getTime() + wait).toISOString() };
        });
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
}
