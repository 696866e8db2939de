import type { Prisma } from '../../prisma/generated/client/client.ts';
import { pathId } from '../../schema/common.ts';
import type { EventType } from '../../schema/events.ts';
import {
  OrderAdvance,
  type OrderStatus,
  type OrderTracking,
  orderTransitions,
  type PaymentStatus,
  paymentTransitions,
} from '../../schema/orders.ts';
import { actorOf } from '../platform/context.ts';
import { conflict, invalidField, notFound } from '../platform/errors.ts';
import { changedFields } from '../platform/events.ts';
import { newId } from '../platform/ids.ts';
import { mutation } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { emitProductChange, moveStock, type StockEffect } from '../products/stock.ts';
import { countForCampaign } from './attribution.ts';
import { sumPerProduct } from './lines.ts';
import { presentOrder } from './present.ts';
import { findOrder, type OrderRow, orderTargets } from './rows.ts';

/**
 * Moves an order along its table. Read, decide, then write only if the order is still as it was read: of several
 * callers at once one wins and the others get 409.
 */
export const advanceOrder = mutation(
  {
    access: 'commerce.manage',
    input: OrderAdvance.extend({ order: pathId }),
    targets: orderTargets,
  },
  async (ctx, { order, ...input }) => {
    const before = await findOrder(ctx, order);
    if (!before) throw notFound();
    const status = nextStatus(before, input);
    const payment = nextPayment(before, status, input.payment_status);
    if (status === before.status && payment === before.paymentStatus) return before;
    const after = changed(ctx, before, { status, payment, input });
    await write(ctx, before, after, input.note ?? null);
    await applyEffects(ctx, before, after, input.restock ?? true);
    return after;
  },
);

/** The status to move to; the present one when only the payment moves. @throws AppError `conflict` */
function nextStatus(before: OrderRow, input: OrderAdvance): OrderStatus {
  const from = before.status as OrderStatus;
  const { next, to } = orderTransitions[from];
  if (input.status === undefined) {
    if (input.payment_status !== undefined) return from;
    if (next === null) throw conflict(`An order that is ${from} has no next step.`);
    return next;
  }
  if (input.status !== from && !to.includes(input.status))
    throw conflict(`An order that is ${from} cannot become ${input.status}.`);
  return input.status;
}

function nextPayment(
  before: OrderRow,
  status: OrderStatus,
  wanted: PaymentStatus | undefined,
): PaymentStatus {
  const from = before.paymentStatus as PaymentStatus;
  const payment = wanted ?? from;
  if (payment !== from && !paymentTransitions[from].includes(payment))
    throw conflict(`The payment of an order that is ${from} cannot become ${payment}.`);
  if (status === 'cancelled' && payment === 'paid')
    throw conflict(
      before.status === 'cancelled'
        ? 'A cancelled order is not paid.'
        : 'Cancelling a paid order needs payment_status refunded in the same call.',
    );
  return payment;
}

interface Step {
  status: OrderStatus;
  payment: PaymentStatus;
  input: OrderAdvance;
}

/** The order as it will be. */
function changed(ctx: WorkContext, before: OrderRow, { status, payment, input }: Step): OrderRow {
  // Later than the last change in any case, so that the steps of an order have one order.
  const at = new Date(Math.max(ctx.now().getTime(), before.updatedAt.getTime() + 1));
  const { type, id, name } = actorOf(ctx);
  const moved = status !== before.status;
  const step = { status, at: at.toISOString(), by: { type, id, name }, note: input.note ?? null };
  return {
    ...before,
    status,
    paymentStatus: payment,
    tracking: input.tracking ? trackingOf(input.tracking) : before.tracking,
    cancelReason: moved && status === 'cancelled' ? (input.cancel_reason ?? 'other') : before.cancelReason,
    paidAt: payment === 'paid' && before.paymentStatus !== 'paid' ? at : before.paidAt,
    shippedAt: moved && status === 'shipped' ? at : before.shippedAt,
    completedAt: moved && status === 'completed' ? at : before.completedAt,
    cancelledAt: moved && status === 'cancelled' ? at : before.cancelledAt,
    version: before.version + 1,
    updatedAt: at,
    statusHistory: moved ? [...before.statusHistory, step] : before.statusHistory,
  };
}

function trackingOf({ carrier, number, url }: NonNullable<OrderAdvance['tracking']>): OrderTracking {
  return { carrier: carrier ?? null, number: number ?? null, url: url ?? null };
}

/** The first write: it holds the row, or finds that somebody else was first. @throws AppError `conflict` */
async function write(
  ctx: WorkContext,
  before: OrderRow,
  after: OrderRow,
  note: string | null,
): Promise<void> {
  const tracking = after.tracking === null ? null : JSON.stringify(after.tracking satisfies Prisma.JsonValue);
  const written = await ctx.db.$executeRaw`
    WITH moved AS (
      UPDATE orders SET status = ${after.status}, payment_status = ${after.paymentStatus},
        tracking = ${tracking}::jsonb, cancel_reason = ${after.cancelReason}, paid_at = ${after.paidAt}::timestamptz,
        shipped_at = ${after.shippedAt}::timestamptz, completed_at = ${after.completedAt}::timestamptz,
        cancelled_at = ${after.cancelledAt}::timestamptz, version = version + 1, updated_at = ${after.updatedAt}
      WHERE company_id = ${ctx.companyId} AND id = ${before.id} AND version = ${before.version}
        AND status = ${before.status} AND payment_status = ${before.paymentStatus}
      RETURNING id
    )
    INSERT INTO order_status_changes (company_id, id, order_id, from_status, status, payment_status, note, actor, at)
    SELECT ${ctx.companyId}, ${newId()}, id, ${before.status}, ${after.status}, ${after.paymentStatus}, ${note},
      ${JSON.stringify(actorOf(ctx))}::jsonb, ${after.updatedAt}
    FROM moved`;
  if (written === 0) throw conflict('The order was changed by somebody else meanwhile.');
}

/** Stock, the campaign's figures and the events. Runs once for each step, since only one caller wrote it. */
async function applyEffects(
  ctx: WorkContext,
  before: OrderRow,
  after: OrderRow,
  restock: boolean,
): Promise<void> {
  const effect = after.status === before.status ? null : effectOf(before.status, after.status, restock);
  const products = effect
    ? await moveStock(ctx, effect, sumPerProduct(before.items), before.id)
    : new Map<string, never>();
  for (const { before: product, done } of products.values()) {
    if (done) continue;
    throw effect === 'return'
      ? invalidField('restock', 'max', `${product.name} would have too much in stock.`)
      : invalidField('status', 'insufficient_stock', `Only ${product.stock} of ${product.name} are on hand.`);
  }
  if (after.status !== before.status && (after.status === 'cancelled' || after.status === 'returned'))
    await countForCampaign(ctx, before, -1);
  emitOrderChange(ctx, before, after);
  for (const { before: product, after: changedProduct } of products.values())
    emitProductChange(ctx, product, changedProduct);
}

const consuming: ReadonlySet<string> = new Set(['shipped', 'completed']);
const reserving: ReadonlySet<string> = new Set(['pending', 'confirmed', 'processing']);

/** Placing reserved; the first of shipped and completed takes the goods out; only then can they come back. */
function effectOf(from: string, to: string, restock: boolean): StockEffect | null {
  if (to === 'cancelled') return 'release';
  if (to === 'returned') return restock ? 'return' : null;
  return reserving.has(from) && consuming.has(to) ? 'sale' : null;
}

function emitOrderChange(ctx: WorkContext, before: OrderRow, after: OrderRow): void {
  const object = presentOrder(after);
  const previous = changedFields(presentOrder(before), object);
  const types: Extract<EventType, `order.${string}`>[] = [];
  if (after.status !== before.status) types.push('order.status_changed');
  if (after.paymentStatus !== before.paymentStatus)
    types.push(after.paymentStatus === 'paid' ? 'order.paid' : 'order.refunded');
  if (after.status !== before.status && after.status === 'cancelled') types.push('order.cancelled');
  for (const type of types) {
    ctx.emit({
      type,
      object,
      previous,
      contactId: after.contactId,
      ...(after.conversationId ? { conversationId: after.conversationId } : {}),
    });
  }
}
