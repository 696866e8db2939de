import { Prisma, type WebhookDelivery as DeliveryRow } from '../../prisma/generated/client/client.ts';
import { momentOf } from '../../schema/common.ts';
import type { Event } from '../../schema/events.ts';
import { WebhookDeliveryListQuery, WebhookDeliveryPath } from '../../schema/webhooks.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import { query } from '../platform/operation.ts';
import { columns, type Page, newestFirst, readPage } from '../platform/pagination.ts';
import { eventBody } from './payload.ts';
import type { TimedDelivery } from './present.ts';

const managed = { access: 'admin', liveOnly: true } as const;

const select = Prisma.sql`SELECT ${columns(Prisma.WebhookDeliveryScalarFieldEnum)},
    (SELECT a.duration_ms FROM webhook_attempts a
     WHERE a.company_id = webhook_deliveries.company_id AND a.delivery_id = webhook_deliveries.id
     ORDER BY a.at DESC LIMIT 1) AS "lastDurationMs"
  FROM webhook_deliveries`;

/** Newest first. With `after` a live tail: what was made after that delivery, oldest first. */
export const listWebhookDeliveries = query(
  { ...managed, input: WebhookDeliveryListQuery },
  async (ctx, input) => {
    const { after, limit, cursor } = input;
    const where = filtersOf(input);
    if (after !== undefined) return tail(ctx, after, where, limit ?? 25);
    return readPage<TimedDelivery>(ctx, {
      list: 'webhook_deliveries',
      select,
      where,
      filters: input,
      sort: newestFirst,
      limit,
      cursor,
    });
  },
);

export const deliveryTargets = {
  delivery: async (ctx: Context, id: string) => (await findDelivery(ctx, id)) !== null,
};

/** With the bytes that are signed, as long as the event is kept, and every attempt. */
export const showWebhookDelivery = query(
  { ...managed, input: WebhookDeliveryPath, targets: deliveryTargets },
  async (ctx, { delivery }) => {
    const { companyId } = ctx;
    const row = await requireDelivery(ctx, delivery);
    const event = await ctx.db.event.findUnique({ where: { companyId_id: { companyId, id: row.eventId } } });
    const log = await ctx.db.webhookAttempt.findMany({
      where: { companyId, deliveryId: delivery },
      orderBy: [{ at: 'asc' }, { number: 'asc' }],
    });
    const stored = event?.payload as Omit<Event, 'sequence'> | undefined;
    return { ...row, body: stored ? eventBody(stored, row.sequence).toString() : null, log };
  },
);

async function findDelivery(ctx: Context, id: string): Promise<DeliveryRow | null> {
  if (!isId(id)) return null;
  return ctx.db.webhookDelivery.findUnique({ where: { companyId_id: { companyId: ctx.companyId, id } } });
}

export async function requireDelivery(ctx: Context, id: string): Promise<DeliveryRow> {
  const row = await findDelivery(ctx, id);
  if (!row) throw notFound();
  return row;
}

async function tail(
  ctx: Context,
  after: string,
  where: Prisma.Sql[],
  limit: number,
): Promise<Page<TimedDelivery>> {
  const conditions = [
    Prisma.sql`company_id = ${ctx.companyId}`,
    Prisma.sql`(created_at, id) > (
      SELECT created_at, id FROM webhook_deliveries WHERE company_id = ${ctx.companyId} AND id = ${after})`,
    ...where,
  ];
  const rows = await ctx.db.$queryRaw<TimedDelivery[]>`
    ${select} WHERE ${Prisma.join(conditions, ' AND ')} ORDER BY created_at, id LIMIT ${limit + 1}`;
  const hasMore = rows.length > limit;
  return { rows: rows.slice(0, limit), hasMore, nextCursor: null };
}

function filtersOf(input: WebhookDeliveryListQuery): Prisma.Sql[] {
  const { endpoint, event, status, type, from, to, result, q } = input;
  const filters: Prisma.Sql[] = [];
  if (endpoint !== undefined) filters.push(Prisma.sql`endpoint_id = ${endpoint}`);
  if (event !== undefined) filters.push(Prisma.sql`event_id = ${event}`);
  if (status !== undefined) filters.push(Prisma.sql`status = ${status}`);
  if (type !== undefined) filters.push(Prisma.sql`event_type = ${type}`);
  if (from !== undefined) filters.push(Prisma.sql`created_at >= ${new Date(momentOf(from))}`);
  if (to !== undefined) filters.push(Prisma.sql`created_at < ${new Date(momentOf(to))}`);
  if (result === 'none') filters.push(Prisma.sql`last_status IS NULL AND attempts > 0`);
  else if (result !== undefined) {
    const first = Number(result[0]) * 100;
    filters.push(Prisma.sql`last_status BETWEEN ${first} AND ${first + 99}`);
  }
  if (q !== undefined)
    filters.push(Prisma.sql`(id = ${q} OR event_id = ${q} OR strpos(event_type, lower(${q})) > 0)`);
  return filters;
}
