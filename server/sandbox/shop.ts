import type { Prisma } from '../../prisma/generated/client/client.ts';
import type { Author } from './thread.ts';

/** A product as the ledger follows it. */
export interface LedgerProduct {
  id: string;
  name: string;
  sku: string | null;
  price: number;
  currency: string;
  /** On hand; null = not tracked. */
  stock: number | null;
  reserved: number;
  orderedAt: Date | null;
}

type OrderStatus =
  | 'pending'
  | 'confirmed'
  | 'processing'
  | 'shipped'
  | 'delivered'
  | 'completed'
  | 'cancelled'
  | 'returned';
type PaymentStatus = 'unpaid' | 'paid' | 'refunded';

export interface OrderStep {
  at: Date;
  status?: OrderStatus;
  payment?: PaymentStatus;
  by: Author;
  note?: string;
}

/** One order as it happened; its first step places it. */
export interface OrderPlan {
  companyId: string;
  id: string;
  number: number;
  contactId: string;
  conversationId?: string | null;
  campaignId?: string | null;
  source: 'api' | 'agent' | 'ai' | 'campaign' | 'catalog';
  items: readonly { product: LedgerProduct; quantity: number }[];
  discount?: number;
  shippingFee?: number;
  shippingAddress?: Prisma.InputJsonObject;
  tracking?: Prisma.InputJsonObject;
  notes?: string;
  cancelReason?: string;
  steps: readonly [OrderStep, ...OrderStep[]];
  /** Id of a line, step or movement of this order. */
  partId(name: string, at: Date): string;
}

export interface OrderRows {
  order: Prisma.OrderCreateManyInput;
  items: Prisma.OrderItemCreateManyInput[];
  changes: Prisma.OrderStatusChangeCreateManyInput[];
  movements: Prisma.StockMovementCreateManyInput[];
}

/**
 * The rows of an order, its totals and what it does to the stock: placing reserves, shipping or completing consumes,
 * cancelling releases, returning puts back. The products given are changed; call in order of time.
 */
export function orderRows(plan: OrderPlan): OrderRows {
  const { companyId, id, items, steps, discount = 0, shippingFee = 0 } = plan;
  const subtotal = items.reduce((sum, { product, quantity }) => sum + product.price * quantity, 0);
  const placed = steps[0].at;
  const movements: Prisma.StockMovementCreateManyInput[] = [];
  const changes: Prisma.OrderStatusChangeCreateManyInput[] = [];
  const order: Prisma.OrderCreateManyInput = {
    companyId,
    id,
    number: plan.number,
    contactId: plan.contactId,
    conversationId: plan.conversationId ?? null,
    campaignId: plan.campaignId ?? null,
    currency: items[0]?.product.currency ?? 'USD',
    subtotal,
    discount,
    shippingFee,
    tax: 0,
    total: subtotal - discount + shippingFee,
    ...(plan.shippingAddress ? { shippingAddress: plan.shippingAddress } : {}),
    ...(plan.tracking ? { tracking: plan.tracking } : {}),
    notes: plan.notes ?? null,
    source: plan.source,
    placedAt: placed,
    createdAt: placed,
    updatedAt: placed,
  };
  let status: OrderStatus | null = null;
  let payment: PaymentStatus = 'unpaid';
  let consumed = false;
  for (const [place, step] of steps.entries()) {
    const { at, by } = step;
    const next: OrderStatus = step.status ?? status ?? 'pending';
    payment = step.payment ?? payment;
    const actor = { type: by.type, id: by.id, name: by.name };
    changes.push({
      companyId,
      id: plan.partId(`step-${place}`, at),
      orderId: id,
      fromStatus: status,
      status: next,
      paymentStatus: payment,
      note: step.note ?? null,
      actor,
      at,
    });
    if (next !== status) {
      const effect = effectOf(status, next, consumed);
      consumed ||= effect === 'sale';
      for (const [line, { product, quantity }] of items.entries()) {
        const moved = applyEffect(product, effect, quantity, at);
        if (moved === 0) continue;
        movements.push({
          companyId,
          id: plan.partId(`${effect}-${line}`, at),
          productId: product.id,
          orderId: id,
          kind: effect === 'return' ? 'return' : 'sale',
          quantity: moved,
          stockAfter: product.stock,
          actor,
          at,
        });
      }
      stamp(order, next, at, plan.cancelReason);
    }
    if (step.payment === 'paid') order.paidAt = at;
    order.updatedAt = at;
    status = next;
  }
  order.status = status ?? 'pending';
  order.paymentStatus = payment;
  return { order, items: items.map((item, position) => itemRow(plan, item, position)), changes, movements };
}

type Effect = 'reserve' | 'sale' | 'release' | 'return' | 'none';

function effectOf(from: OrderStatus | null, to: OrderStatus, consumed: boolean): Effect {
  if (from === null) return 'reserve';
  if (to === 'cancelled') return 'release';
  if (to === 'returned') return 'return';
  return !consumed && (to === 'shipped' || to === 'completed') ? 'sale' : 'none';
}

/** Changes the product and returns by how much its stock on hand moved. */
function applyEffect(product: LedgerProduct, effect: Effect, quantity: number, at: Date): number {
  switch (effect) {
    case 'reserve':
      product.reserved += quantity;
      product.orderedAt ??= at;
      return 0;
    case 'release':
      product.reserved -= quantity;
      return 0;
    case 'sale':
      product.reserved -= quantity;
      if (product.stock === null) return 0;
      product.stock -= quantity;
      return -quantity;
    case 'return':
      if (product.stock === null) return 0;
      product.stock += quantity;
      return quantity;
    case 'none':
      return 0;
  }
}

function stamp(
  order: Prisma.OrderCreateManyInput,
  status: OrderStatus,
  at: Date,
  cancelReason = 'other',
): void {
  if (status === 'shipped') order.shippedAt = at;
  if (status === 'completed') order.completedAt = at;
  if (status !== 'cancelled') return;
  order.cancelledAt = at;
  order.cancelReason = cancelReason;
}

function itemRow(plan: OrderPlan, { product, quantity }: OrderPlan['items'][number], position: number) {
  return {
    companyId: plan.companyId,
    id: plan.partId(`item-${position}`, plan.steps[0].at),
    orderId: plan.id,
    position,
    productId: product.id,
    name: product.name,
    sku: product.sku,
    quantity,
    unitPrice: product.price,
    total: product.price * quantity,
  };
}
