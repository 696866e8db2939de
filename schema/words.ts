/**
 * Words that the document lists and pages of the dashboard offer. Here alone, without zod, so that a browser which
 * needs the words is not sent the library that checks them.
 */

export const contactSorts = ['created_at', 'name'] as const;

export const bulkTagMaximum = 500;

export const contactActivities = ['created', 'updated', 'tagged', 'untagged'] as const;

export const bulkStatusMaximum = 500;

/** So many or fewer that can be sold are few. */
export const lowStock = 5;

export const productStatuses = ['draft', 'active', 'archived'] as const;

export const productSorts = ['created_at', 'name'] as const;

export const orderStatuses = [
  'pending',
  'confirmed',
  'processing',
  'shipped',
  'delivered',
  'completed',
  'cancelled',
  'returned',
] as const;

export const paymentStatuses = ['unpaid', 'paid', 'refunded'] as const;

export const cancelReasons = ['customer', 'inventory', 'fraud', 'declined', 'staff', 'other'] as const;

export const campaignStatuses = [
  'draft',
  'scheduled',
  'queued',
  'sending',
  'paused',
  'cancelling',
  'cancelled',
  'completed',
  'failed',
] as const;

export const recipientStatuses = [
  'pending',
  'claimed',
  'sent',
  'delivered',
  'read',
  'failed',
  'skipped',
] as const;

export const skipReasons = [
  'unsubscribed',
  'blocked',
  'no_address',
  'duplicate',
  'template_rejected',
  'quiet_hours_expired',
] as const;

/** The list of bookings is not paged; it ends here (decisions §3). */
export const bookingMaximum = 500;
export const bookingStatuses = ['pending', 'confirmed', 'cancelled', 'completed', 'no_show'] as const;

/** What a saved text may name; each is filled in when it is sent. */
export const quickReplyVariables = [
  'contact.name',
  'contact.first_name',
  'agent.name',
  'company.name',
  'order.number',
] as const;

/** Variables that a text may name; the company's and the contact's. */
export const campaignVariables = ['contact.name', 'contact.first_name', 'company.name'] as const;

/** `{{name}}` or `{{name|what to say when there is none}}`. Group 1 is the name, group 2 the fallback. */
export const variablePattern = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g;

export type PaymentStatus = (typeof paymentStatuses)[number];

/** Payment is an axis of its own: cash on delivery ships unpaid. */
export const paymentTransitions: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  unpaid: ['paid'],
  paid: ['refunded'],
  refunded: [],
};

export type BookingStatus = (typeof bookingStatuses)[number];

/** Where a status may go by its word alone; `server/bookings/transitions.ts` adds the conditions of time. */
export const bookingTransitions: Readonly<Record<BookingStatus, readonly BookingStatus[]>> = {
  pending: ['confirmed', 'cancelled'],
  confirmed: ['cancelled', 'completed', 'no_show'],
  completed: ['no_show'],
  no_show: ['completed'],
  cancelled: [],
};

/** Names used in a text, each once, in order of appearance; known or not. */
export function variablesIn(source: string): string[] {
  return [...new Set([...source.matchAll(variablePattern)].map(([, name = '']) => name.trim()))];
}

/** Of the log of requests. */
export const requestSurfaces = ['rest', 'trpc', 'graphql', 'uploads', 'csv'] as const;
export const requestMethods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'] as const;
export const requestClasses = ['2xx', '3xx', '4xx', '5xx'] as const;

/** Of webhook deliveries; answers go by their first digit. */
export const deliveryStatuses = ['pending', 'retrying', 'succeeded', 'exhausted', 'discarded'] as const;
export const deliveryResults = ['2xx', '3xx', '4xx', '5xx', 'none'] as const;
