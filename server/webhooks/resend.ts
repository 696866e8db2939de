import { momentOf } from '../../schema/common.ts';
import {
  replayDays,
  WebhookDeliveryPath,
  WebhookResendProgressQuery,
  WebhookResendRange,
  WebhookSendLatest,
} from '../../schema/webhooks.ts';
import { conflict, invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { mutation, query } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { deliveryTargets, requireDelivery } from './deliveries.ts';
import { announceDue, endpointTargets, lockEndpoint, requireEndpoint } from './service.ts';

const managed = { access: 'admin', liveOnly: true } as const;
const day = 24 * 60 * 60 * 1000;

/** Sends one event again, now: same id and bytes, signed anew; its schedule starts again. */
export const resendWebhookDelivery = mutation(
  { ...managed, input: WebhookDeliveryPath, targets: deliveryTargets },
  async (ctx, { delivery }) => {
    const { companyId } = ctx;
    const row = await requireDelivery(ctx, delivery);
    await requireEnabled(ctx, row.endpointId);
    const kept = await ctx.db.event.count({ where: { companyId, id: row.eventId } });
    if (kept === 0) throw conflict('The event is no longer kept.');
    // One that waits for its first attempt keeps its place in its thread.
    if (row.status === 'pending') return row;
    const now = ctx.now();
    announceDue(ctx, row.endpointId);
    return ctx.db.webhookDelivery.update({
      where: { companyId_id: { companyId, id: delivery } },
      data: {
        status: 'retrying',
        nextAttemptAt: now,
        completedAt: null,
        resentAt: now,
        scheduleFrom: row.attempts,
      },
    });
  },
);

/**
 * Sends the events of a range again that the endpoint asks for and that did not arrive, also those of which it has no
 * delivery because it was switched off or did not exist; with `all`, everything.
 */
export const resendWebhookRange = mutation(
  { ...managed, input: WebhookResendRange, targets: endpointTargets },
  async (ctx, { endpoint, from, to, all = false, preview = false }) => {
    await lockEndpoint(ctx, endpoint);
    const now = ctx.now();
    const start = new Date(momentOf(from));
    const end = to === undefined ? now : new Date(momentOf(to));
    if (end < start) throw invalidField('to', 'min', 'Must not lie before from.');
    if (end.getTime() - start.getTime() > replayDays * day)
      throw invalidField('from', 'min', `A range has at most ${replayDays} days.`);
    await requireEnabled(ctx, endpoint);
    const wanted = await ctx.db.$queryRaw<{ id: string }[]>`
      SELECT e.id FROM events e
      JOIN webhook_endpoints w ON w.company_id = e.company_id AND w.id = ${endpoint}
      LEFT JOIN webhook_deliveries d ON d.company_id = e.company_id AND d.endpoint_id = w.id AND d.event_id = e.id
      WHERE e.company_id = ${ctx.companyId} AND e.created_at >= ${start} AND e.created_at <= ${end}
        AND e.livemode AND e.family <> 'webhook' AND w.events && ARRAY['*', e.type]
        AND (w.skip_api_key_id IS NULL OR e.actor->>'type' <> 'api_key'
          OR w.skip_api_key_id IS DISTINCT FROM e.actor->>'id')
        AND e.sequence < (SELECT sequence FROM event_cursors WHERE name = 'webhooks')
        AND (d.status IS NULL OR d.status IN ('exhausted', 'discarded') OR (d.status = 'succeeded' AND ${all}))
      ORDER BY e.sequence`;
    if (!preview && wanted.length > 0) {
      const given = JSON.stringify(wanted.map(({ id }) => ({ event_id: id, id: newId() })));
      await ctx.db.$executeRaw`
        INSERT INTO webhook_deliveries (
          company_id, id, endpoint_id, event_id, event_type, sequence, conversation_id, status, next_attempt_at,
          resent_at, created_at
        )
        SELECT e.company_id, given.id, ${endpoint}, e.id, e.type, e.sequence, e.conversation_id, 'retrying', ${now},
          ${now}, ${now}
        FROM json_to_recordset(${given}::json) AS given (event_id text, id text)
        JOIN events e ON e.company_id = ${ctx.companyId} AND e.id = given.event_id
        ON CONFLICT (company_id, endpoint_id, event_id) DO UPDATE SET
          status = 'retrying', next_attempt_at = excluded.next_attempt_at, completed_at = NULL,
          resent_at = excluded.resent_at, schedule_from = webhook_deliveries.attempts
        WHERE webhook_deliveries.status <> 'pending'`;
      announceDue(ctx, endpoint);
    }
    return { endpoint, resent: wanted.length, at: now };
  },
);

/** How far a range is that was sent again at this moment. */
export const showResendProgress = query(
  { ...managed, input: WebhookResendProgressQuery, targets: endpointTargets },
  async (ctx, { endpoint, at }) => {
    await requireEndpoint(ctx, endpoint);
    const [found] = await ctx.db.$queryRaw<[{ waiting: number; succeeded: number; failed: number }]>`
      SELECT (count(*) FILTER (WHERE status IN ('pending', 'retrying')))::int AS waiting,
        (count(*) FILTER (WHERE status = 'succeeded'))::int AS succeeded,
        (count(*) FILTER (WHERE status IN ('exhausted', 'discarded')))::int AS failed
      FROM webhook_deliveries
      WHERE company_id = ${ctx.companyId} AND endpoint_id = ${endpoint} AND resent_at = ${new Date(momentOf(at))}`;
    return found;
  },
);

/**
 * Sends an endpoint the latest event of a type, to see what one looks like, also if it does not ask for the type.
 * @throws AppError `conflict` when none has happened in the days that events are kept for
 */
export const sendLatestWebhook = mutation(
  { ...managed, input: WebhookSendLatest, targets: endpointTargets },
  async (ctx, { endpoint, type }) => {
    await lockEndpoint(ctx, endpoint);
    await requireEnabled(ctx, endpoint);
    const now = ctx.now();
    const { companyId } = ctx;
    const [sent] = await ctx.db.$queryRaw<{ id: string }[]>`
      INSERT INTO webhook_deliveries (
        company_id, id, endpoint_id, event_id, event_type, sequence, conversation_id, status, next_attempt_at,
        resent_at, created_at
      )
      SELECT e.company_id, ${newId()}, ${endpoint}, e.id, e.type, e.sequence, e.conversation_id, 'retrying', ${now},
        ${now}, ${now}
      FROM events e
      WHERE e.company_id = ${companyId} AND e.type = ${type} AND e.livemode
        AND e.sequence < (SELECT sequence FROM event_cursors WHERE name = 'webhooks')
      ORDER BY e.sequence DESC LIMIT 1
      ON CONFLICT (company_id, endpoint_id, event_id) DO UPDATE SET
        status = CASE WHEN webhook_deliveries.status = 'pending' THEN 'pending' ELSE 'retrying' END,
        next_attempt_at = excluded.next_attempt_at, completed_at = NULL, resent_at = excluded.resent_at,
        schedule_from = webhook_deliveries.attempts
      RETURNING id`;
    if (!sent) throw conflict(`No event ${type} has happened in the last ${replayDays} days.`);
    announceDue(ctx, endpoint);
    return requireDelivery(ctx, sent.id);
  },
);

async function requireEnabled(ctx: WorkContext, endpoint: string): Promise<void> {
  const { enabled } = await requireEndpoint(ctx, endpoint);
  if (!enabled) throw conflict('The endpoint is switched off.');
}
