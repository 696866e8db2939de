import type { Order as OrderRecord, OrderTracking, ShippingAddress } from '../../schema/orders.ts';
import { limits } from '../../schema/common.ts';
import { Contact } from '../contacts/graphql.ts';
import { contactsById } from '../contacts/loaders.ts';
import { Conversation } from '../conversations/graphql-types.ts';
import { batched } from '../platform/batch.ts';
import { firstArg, mutationField, pageField, queryField, takeFirst } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import { Product } from '../products/graphql.ts';
import { productsById } from '../products/loaders.ts';
import { advanceOrder } from './advance.ts';
import { ordersOfContacts, ordersOfConversations } from './attached.ts';
import { createOrder } from './create.ts';
import { listOrders } from './list.ts';
import {
  allowedTransitions,
  presentAddress,
  presentOrderContact,
  presentStatusHistory,
  presentTracking,
} from './present.ts';
import type { OrderLine, OrderRow } from './rows.ts';
import { showOrder } from './service.ts';

const loadContact = batched(contactsById);
const loadProduct = batched(productsById);
const loadOfContact = batched(ordersOfContacts);
const loadOfConversation = batched(ordersOfConversations);

const OrderContact = builder.objectRef<OrderRecord['contact']>('OrderContact').implement({
  description: 'The contact as the order shows it; a deleted one is named `Deleted contact`.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name', { nullable: true }),
    phone: t.exposeString('phone', { nullable: true }),
    profile: t.field({
      type: Contact,
      nullable: true,
      access: 'contacts.view',
      description: 'The whole record; null when deleted. Needs `contacts.view`.',
      resolve: ({ id }, _args, ctx) => loadContact(ctx, id),
    }),
  }),
});

const OrderItem = builder.objectRef<OrderLine>('OrderItem').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    product: t.field({
      type: Product,
      nullable: true,
      description: 'As it is now; null for a free line.',
      resolve: ({ product }, _args, ctx) => (product === null ? null : loadProduct(ctx, product)),
    }),
    name: t.exposeString('name', { description: 'As it was when ordered.' }),
    sku: t.exposeString('sku', { nullable: true }),
    quantity: t.exposeInt('quantity'),
    unitPrice: t.expose('unit_price', { type: 'SafeInt', description: 'Minor units.' }),
    total: t.expose('total', { type: 'SafeInt' }),
  }),
});

const OrderAddress = builder.objectRef<ShippingAddress>('ShippingAddress').implement({
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true }),
    line1: t.exposeString('line1', { nullable: true }),
    line2: t.exposeString('line2', { nullable: true }),
    city: t.exposeString('city', { nullable: true }),
    region: t.exposeString('region', { nullable: true }),
    postalCode: t.exposeString('postal_code', { nullable: true }),
    country: t.exposeString('country', { nullable: true }),
    phone: t.exposeString('phone', { nullable: true }),
  }),
});

const Tracking = builder.objectRef<OrderTracking>('OrderTracking').implement({
  fields: (t) => ({
    carrier: t.exposeString('carrier', { nullable: true }),
    number: t.exposeString('number', { nullable: true }),
    url: t.exposeString('url', { nullable: true }),
  }),
});

/** Out of range is refused by the field itself; here it must not make the query cheaper. */
const clamp = (first: number) => Math.min(Math.max(first, 1), limits.page.max);

type Step = OrderRecord['status_history'][number];

const OrderActor = builder.objectRef<NonNullable<Step['by']>>('OrderActor').implement({
  description: 'Who did it: a key acts as its user.',
  fields: (t) => ({
    type: t.exposeString('type'),
    id: t.exposeID('id', { nullable: true }),
    name: t.exposeString('name', { nullable: true }),
  }),
});

const OrderStep = builder.objectRef<Step>('OrderStatusStep').implement({
  fields: (t) => ({
    status: t.exposeString('status'),
    at: t.field({ type: 'DateTime', resolve: ({ at }) => new Date(at) }),
    by: t.expose('by', { type: OrderActor, nullable: true, complexity: 0 }),
    note: t.exposeString('note', { nullable: true }),
  }),
});

/** What came with the row (lines, address, history) is part of the order and costs no record of its own. */
export const Order = builder.objectRef<OrderRow>('Order').implement({
  description: 'A sale. Names and prices are as they were when ordered.',
  fields: (t) => ({
    id: t.exposeID('id'),
    number: t.exposeInt('number', { description: 'Runs per company, without gaps.' }),
    status: t.exposeString('status'),
    paymentStatus: t.exposeString('paymentStatus', { description: 'unpaid, paid or refunded.' }),
    contact: t.field({ type: OrderContact, complexity: 0, resolve: presentOrderContact }),
    conversation: t.exposeID('conversationId', { nullable: true }),
    items: t.field({
      type: [OrderItem],
      args: firstArg(),
      complexity: ({ first }) => ({ field: 0, multiplier: clamp(first ?? limits.page.default) }),
      resolve: ({ items }, args) => takeFirst(items, args),
    }),
    itemsCount: t.int({ resolve: ({ items }) => items.length }),
    currency: t.exposeString('currency', { description: 'ISO 4217.' }),
    subtotal: t.expose('subtotal', { type: 'SafeInt', description: 'Minor units.' }),
    discount: t.expose('discount', { type: 'SafeInt' }),
    shippingFee: t.expose('shippingFee', { type: 'SafeInt' }),
    tax: t.expose('tax', { type: 'SafeInt' }),
    total: t.expose('total', { type: 'SafeInt' }),
    shippingAddress: t.field({ type: OrderAddress, nullable: true, complexity: 0, resolve: presentAddress }),
    notes: t.exposeString('notes', { nullable: true }),
    tracking: t.field({ type: Tracking, nullable: true, complexity: 0, resolve: presentTracking }),
    cancelReason: t.exposeString('cancelReason', { nullable: true }),
    externalId: t.exposeString('externalId', { nullable: true }),
    source: t.exposeString('source', { description: 'api, agent, ai, campaign or catalog.' }),
    campaign: t.exposeID('campaignId', { nullable: true }),
    statusHistory: t.field({
      type: [OrderStep],
      args: firstArg(),
      complexity: { field: 0, multiplier: 1 },
      resolve: (order, args) => takeFirst(presentStatusHistory(order), args),
    }),
    allowedTransitions: t.stringList({
      description: 'Statuses that `advanceOrder` may set now.',
      resolve: allowedTransitions,
    }),
    version: t.exposeInt('version', { description: 'Grows with every change.' }),
    placedAt: t.expose('placedAt', { type: 'DateTime' }),
    completedAt: t.expose('completedAt', { type: 'DateTime', nullable: true }),
    cancelledAt: t.expose('cancelledAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

builder.objectField(Contact, 'orders', (t) =>
  t.field({
    type: [Order],
    nullable: true,
    access: 'commerce.view',
    description: 'Newest first. Needs `commerce.view`.',
    args: firstArg(),
    resolve: async ({ id }, args, ctx) => takeFirst((await loadOfContact(ctx, id)) ?? [], args),
  }),
);

builder.objectField(Conversation, 'orders', (t) =>
  t.field({
    type: [Order],
    nullable: true,
    access: 'commerce.view',
    description: 'Newest first. Needs `commerce.view`.',
    args: firstArg(),
    resolve: async ({ id }, args, ctx) => takeFirst((await loadOfConversation(ctx, id)) ?? [], args),
  }),
);

queryField('order', showOrder, { type: Order, description: 'One order.' });
pageField('orders', listOrders, { type: Order, description: 'Orders, newest first.' });
mutationField('createOrder', createOrder, {
  type: Order,
  input: 'OrderCreateInput',
  description: 'Creates an order; reserves the stock of every product or refuses the whole order.',
});
mutationField('advanceOrder', advanceOrder, {
  type: Order,
  input: 'OrderAdvanceInput',
  description: 'Advances the status or the payment; the next step unless one is named.',
});
