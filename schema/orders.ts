import { z } from 'zod';
import {
  idOut,
  issue,
  moment,
  page,
  pageQuery,
  publicId,
  searchText,
  single,
  text,
  timestamp,
} from './common.ts';
import { amount, amountOut, currency, currencyOut } from './money.ts';
import { orderStatuses, paymentStatuses, cancelReasons } from './words.ts';

export {
  cancelReasons,
  orderStatuses,
  paymentStatuses,
  paymentTransitions,
  type PaymentStatus,
} from './words.ts';

export type OrderStatus = (typeof orderStatuses)[number];

export const orderSources = ['api', 'agent', 'ai', 'campaign', 'catalog'] as const;

/**
 * The whole state machine of an order (decisions §1). The first status of each row is the default next step
 * where `next` says so; anything that stands in no row is 409.
 */
export const orderTransitions: Readonly<
  Record<OrderStatus, { next: OrderStatus | null; to: readonly OrderStatus[] }>
> = {
  pending: { next: 'confirmed', to: ['confirmed', 'cancelled'] },
  confirmed: { next: 'processing', to: ['processing', 'shipped', 'completed', 'cancelled'] },
  processing: { next: 'shipped', to: ['shipped', 'completed', 'cancelled'] },
  shipped: { next: 'delivered', to: ['delivered', 'completed', 'returned'] },
  delivered: { next: 'completed', to: ['completed', 'returned'] },
  completed: { next: null, to: ['returned'] },
  cancelled: { next: null, to: [] },
  returned: { next: null, to: [] },
};

const maximumLines = 100;
export const maximumQuantity = 9999;

export const OrderItem = z
  .strictObject({
    id: idOut,
    product: idOut.nullable().meta({ description: 'Null for a free line.' }),
    name: z.string().meta({ description: 'As it was when ordered.' }),
    sku: z.string().nullable(),
    quantity: z.int(),
    unit_price: amountOut,
    total: amountOut,
  })
  .meta({ id: 'OrderItem' });

export const ShippingAddress = z
  .strictObject({
    name: z.string().nullable(),
    line1: z.string().nullable(),
    line2: z.string().nullable(),
    city: z.string().nullable(),
    region: z.string().nullable(),
    postal_code: z.string().nullable(),
    country: z.string().nullable(),
    phone: z.string().nullable(),
  })
  .meta({ id: 'ShippingAddress' });
export type ShippingAddress = z.infer<typeof ShippingAddress>;

export const OrderTracking = z
  .strictObject({
    carrier: z.string().nullable(),
    number: z.string().nullable(),
    url: z.string().nullable(),
  })
  .meta({ id: 'OrderTracking' });
export type OrderTracking = z.infer<typeof OrderTracking>;

const Actor = z
  .strictObject({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() })
  .meta({ id: 'OrderActor', description: 'Who did it: a key acts as its user.' });

/** A sale. Names and prices are as they were when ordered. Source: decisions §1. */
export const Order = z
  .strictObject({
    id: idOut,
    number: z.int().meta({ description: 'Runs per company, without gaps.' }),
    status: z.enum(orderStatuses),
    payment_status: z.enum(paymentStatuses),
    contact: z.strictObject({ id: idOut, name: z.string().nullable(), phone: z.string().nullable() }),
    conversation: idOut.nullable(),
    items: z.array(OrderItem),
    currency: currencyOut,
    subtotal: amountOut,
    discount: amountOut,
    shipping_fee: amountOut,
    tax: amountOut,
    total: amountOut.meta({ description: '`subtotal` − `discount` + `shipping_fee` + `tax`.' }),
    shipping_address: ShippingAddress.nullable(),
    notes: z.string().nullable(),
    tracking: OrderTracking.nullable(),
    cancel_reason: z.enum(cancelReasons).nullable(),
    external_id: z.string().nullable(),
    source: z.enum(orderSources),
    campaign: idOut.nullable(),
    status_history: z.array(
      z.strictObject({
        status: z.enum(orderStatuses),
        at: timestamp,
        by: Actor.nullable(),
        note: z.string().nullable(),
      }),
    ),
    allowed_transitions: z
      .array(z.enum(orderStatuses))
      .meta({ description: 'Statuses that `advance` may set now; cancelling a paid order refunds it too.' }),
    placed_at: timestamp,
    completed_at: timestamp.nullable(),
    cancelled_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Order' });
export type Order = z.infer<typeof Order>;

/** A product at its price or another, or a line of one's own. */
const OrderItemCreate = z
  .object({
    product: publicId.optional(),
    name: text(191, 1)
      .optional()
      .meta({ minLength: 1, maxLength: 191, description: 'Of a line without a product.' }),
    quantity: z.int().min(1).max(maximumQuantity),
    unit_price: amount.optional().meta({ description: "The product's price unless given." }),
  })
  .superRefine(({ product, name, unit_price }, context) => {
    const add = (path: string, ...about: Parameters<typeof issue>) =>
      context.addIssue({ ...issue(...about), path: [path] });
    if (product === undefined) {
      if (name === undefined)
        add('product', 'required', 'A line needs a product, or a name and a unit_price.');
      else if (unit_price === undefined)
        add('unit_price', 'required', 'A line without a product needs a price.');
    } else if (name !== undefined) add('name', 'not_allowed', 'A line with a product has its name.');
  });

const short = text(191).nullish();

const ShippingAddressInput = z.object({
  name: short,
  line1: short,
  line2: short,
  city: short,
  region: short,
  postal_code: short,
  country: text(2, 2)
    .superRefine((value, context) => {
      if (!/^[A-Za-z]{2}$/.test(value))
        context.addIssue(issue('format', 'Must be a two-letter country code.'));
    })
    .nullish()
    .meta({ minLength: 2, maxLength: 2 }),
  phone: short,
});

export const OrderCreate = z.object({
  contact: publicId,
  conversation: publicId.nullish().meta({ description: 'A conversation of the contact.' }),
  items: z.array(OrderItemCreate).min(1).max(maximumLines),
  discount: amount.optional().meta({ default: 0 }),
  shipping_fee: amount.optional().meta({ default: 0 }),
  tax: amount.optional().meta({ default: 0 }),
  currency: currency.optional().meta({
    description: "That of the products, else the company's, unless given. One order has one currency.",
  }),
  payment_status: z.enum(['unpaid', 'paid']).optional().meta({ default: 'unpaid' }),
  shipping_address: ShippingAddressInput.nullish(),
  notes: text(2000).nullish(),
  external_id: text(64, 1)
    .nullish()
    .meta({ minLength: 1, maxLength: 64, description: 'Unique per company.' }),
});
export type OrderCreate = z.infer<typeof OrderCreate>;

const webUrl = text(2048, 1)
  .superRefine((value, context) => {
    if (!/^https?:\/\//i.test(value) || !URL.canParse(value))
      context.addIssue(issue('format', 'Must be an http or https URL.'));
  })
  .meta({ maxLength: 2048, format: 'uri' });

/** Body of advance. Without `status` and `payment_status` the order takes its next step. */
export const OrderAdvance = z.object({
  status: z.enum(orderStatuses).optional(),
  payment_status: z.enum(paymentStatuses).optional(),
  note: text(500).nullish(),
  tracking: z
    .object({ carrier: text(64).nullish(), number: text(64).nullish(), url: webUrl.nullish() })
    .nullish(),
  cancel_reason: z
    .enum(cancelReasons)
    .optional()
    .meta({ default: 'other', description: 'Ignored unless the order is cancelled.' }),
  restock: z
    .boolean()
    .optional()
    .meta({ default: true, description: 'Whether returned goods go back on hand.' }),
});
export type OrderAdvance = z.infer<typeof OrderAdvance>;

export const OrderListQuery = z.object({
  status: z.enum(orderStatuses).optional(),
  payment_status: z.enum(paymentStatuses).optional(),
  contact: publicId.optional(),
  conversation: publicId.optional(),
  q: searchText
    .optional()
    .meta({ description: "The order's number, or text in the contact's name, phone or e-mail." }),
  from: moment.optional().meta({ description: 'Created at or after.' }),
  to: moment.optional().meta({ description: 'Created before.' }),
  ...pageQuery,
});
export type OrderListQuery = z.infer<typeof OrderListQuery>;

export const OrderBody = single(Order);
export const OrderPage = page(Order);
