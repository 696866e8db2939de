import {
  type Order,
  type OrderStatus,
  type OrderTracking,
  orderTransitions,
  type ShippingAddress,
} from '../../schema/orders.ts';
import type { OrderRow } from './rows.ts';

type Word<K extends 'payment_status' | 'cancel_reason' | 'source'> = Order[K];

/** Statuses that the order may take now. */
export function allowedTransitions({ status }: Pick<OrderRow, 'status'>): OrderStatus[] {
  return [...orderTransitions[status as OrderStatus].to];
}

/** The contact as orders show it; what is left of a deleted one is its id. */
export function presentOrderContact({ contact }: Pick<OrderRow, 'contact'>): Order['contact'] {
  return contact.deleted
    ? { id: contact.id, name: 'Deleted contact', phone: null }
    : { id: contact.id, name: contact.name, phone: contact.phone };
}

export function presentStatusHistory({
  statusHistory,
}: Pick<OrderRow, 'statusHistory'>): Order['status_history'] {
  return statusHistory.map(({ status, at, by, note }) => ({
    status: status as OrderStatus,
    at: new Date(at).toISOString(),
    by: by && { type: by.type, id: by.id, name: by.name },
    note,
  }));
}

export function presentOrder(row: OrderRow): Order {
  return {
    id: row.id,
    number: row.number,
    status: row.status as OrderStatus,
    payment_status: row.paymentStatus as Word<'payment_status'>,
    contact: presentOrderContact(row),
    conversation: row.conversationId,
    items: row.items,
    currency: row.currency,
    subtotal: Number(row.subtotal),
    discount: Number(row.discount),
    shipping_fee: Number(row.shippingFee),
    tax: Number(row.tax),
    total: Number(row.total),
    shipping_address: presentAddress(row),
    notes: row.notes,
    tracking: presentTracking(row),
    cancel_reason: row.cancelReason as Word<'cancel_reason'>,
    external_id: row.externalId,
    source: row.source as Word<'source'>,
    campaign: row.campaignId,
    status_history: presentStatusHistory(row),
    allowed_transitions: allowedTransitions(row),
    placed_at: row.placedAt.toISOString(),
    completed_at: row.completedAt?.toISOString() ?? null,
    cancelled_at: row.cancelledAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

export function presentAddress({
  shippingAddress,
}: Pick<OrderRow, 'shippingAddress'>): ShippingAddress | null {
  if (!shippingAddress) return null;
  const given = shippingAddress as Partial<ShippingAddress>;
  return {
    name: given.name ?? null,
    line1: given.line1 ?? null,
    line2: given.line2 ?? null,
    city: given.city ?? null,
    region: given.region ?? null,
    postal_code: given.postal_code ?? null,
    country: given.country?.toUpperCase() ?? null,
    phone: given.phone ?? null,
  };
}

export function presentTracking({ tracking }: Pick<OrderRow, 'tracking'>): OrderTracking | null {
  if (!tracking) return null;
  const given = tracking as Partial<OrderTracking>;
  return { carrier: given.carrier ?? null, number: given.number ?? null, url: given.url ?? null };
}
