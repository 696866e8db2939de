import { campaignRows, type RecipientScript } from './campaigns.ts';
import { address, type ContactKey, contacts, type ProductKey, products } from './content.ts';
import { conversationId, opened, type Stage } from './stage.ts';
import { type LedgerProduct, orderRows, type OrderPlan, type OrderStep } from './shop.ts';

type OrderKey = 'first' | 'second' | 'third';

/** Products, orders and campaigns; returns how threads name them. */
export function addCommerce(stage: Stage) {
  const { companyId, id, rows, owner } = stage;
  const campaignId = (key: string) => id(`campaign/${key}`, opened);
  const productId = (key: ProductKey) => id(`product/${key}`, opened);
  const orderId = (key: OrderKey) => id(`order/${key}`, new Date(orders[key].placed));
  const ledger = new Map<ProductKey, LedgerProduct>();
  const actor = { type: owner.type, id: owner.id, name: owner.name };

  for (const { key, name, sku, price, initialStock } of products) {
    const product = { id: productId(key), name, sku, price, currency: stage.currency, stock: initialStock };
    ledger.set(key, { ...product, reserved: 0, orderedAt: null });
    if (initialStock === null) continue;
    rows.movements.push({
      companyId,
      id: id(`stock/${key}/initial`, opened),
      productId: product.id,
      kind: 'initial',
      quantity: initialStock,
      stockAfter: initialStock,
      actor,
      at: opened,
    });
  }

  for (const [place, key] of (['first', 'second', 'third'] as const).entries()) {
    const { contact, conversation, campaign, items, steps, ...script } = orders[key];
    const made = orderRows({
      ...script,
      companyId,
      id: orderId(key),
      number: place + 1,
      contactId: stage.contactId(contact),
      conversationId: conversationId(id, conversation),
      campaignId: campaign === null ? null : campaignId(campaign),
      items: items.map(([product, quantity]) => ({
        product: ledger.get(product) as LedgerProduct,
        quantity,
      })),
      steps: steps.map(({ at, ...step }) => ({ ...step, at: new Date(at), by: owner })) as unknown as [
        OrderStep,
      ],
      partId: (name, at) => id(`order/${key}/${name}`, at),
    });
    rows.orders.push(made.order);
    rows.orderItems.push(...made.items);
    rows.orderChanges.push(...made.changes);
    rows.movements.push(...made.movements);
  }

  for (const { key, description, status, initialStock } of products) {
    const {
      id: product,
      name,
      sku,
      price,
      currency,
      stock,
      reserved,
      orderedAt,
    } = ledger.get(key) as LedgerProduct;
    const tracked = initialStock === null ? null : stock;
    rows.products.push({
      companyId,
      id: product,
      name,
      sku,
      description,
      price,
      currency,
      status,
      stock: tracked,
      reserved,
      orderedAt,
      createdAt: opened,
      updatedAt: orderedAt ?? opened,
    });
  }

  addCampaigns(stage, campaignId);
  return { productId, orderId };
}

interface OrderScript extends Pick<
  OrderPlan,
  'source' | 'shippingFee' | 'discount' | 'shippingAddress' | 'tracking'
> {
  placed: string;
  contact: ContactKey;
  conversation: string;
  campaign: string | null;
  items: readonly [ProductKey, number][];
  steps: readonly (Omit<OrderStep, 'at' | 'by'> & { at: string })[];
}

/** One order of each kind that a caller advances: finished, on its way, just placed. */
const orders: Record<OrderKey, OrderScript> = {
  first: {
    placed: '2026-01-14T09:22:00.000Z',
    contact: 'marina',
    conversation: 'mugs',
    campaign: 'restock',
    source: 'campaign',
    items: [['mug', 4]],
    shippingFee: 490,
    discount: 720,
    steps: [
      { at: '2026-01-14T09:22:00.000Z' },
      { at: '2026-01-14T09:25:00.000Z', status: 'confirmed', payment: 'paid' },
      { at: '2026-01-14T15:40:00.000Z', status: 'processing' },
      { at: '2026-01-15T10:05:00.000Z', status: 'shipped' },
      { at: '2026-01-17T08:50:00.000Z', status: 'delivered' },
      { at: '2026-01-18T09:00:00.000Z', status: 'completed' },
    ],
  },
  second: {
    placed: '2026-02-04T18:31:00.000Z',
    contact: 'teo',
    conversation: 'parcel',
    campaign: null,
    source: 'agent',
    items: [
      ['lamp', 1],
      ['mug', 2],
    ],
    shippingFee: 1290,
    shippingAddress: address,
    tracking: {
      carrier: 'Examplepost',
      number: 'EX000000042GB',
      url: 'https://example.com/track/EX000000042GB',
    },
    steps: [
      { at: '2026-02-04T18:31:00.000Z' },
      { at: '2026-02-04T18:33:00.000Z', payment: 'paid' },
      { at: '2026-02-05T08:10:00.000Z', status: 'confirmed' },
      { at: '2026-02-08T14:00:00.000Z', status: 'processing', note: 'Packed.' },
      { at: '2026-02-09T11:20:00.000Z', status: 'shipped' },
    ],
  },
  third: {
    placed: '2026-02-11T16:21:00.000Z',
    contact: 'marina',
    conversation: 'lamp',
    campaign: null,
    source: 'api',
    items: [
      ['lamp', 2],
      ['workshop', 1],
    ],
    steps: [{ at: '2026-02-11T16:21:00.000Z' }],
  },
};

/** What became of each contact in the finished campaign and in the paused one. */
const outcomes: Record<ContactKey, readonly [Outcome, Outcome]> = {
  undeliverable: [{ status: 'failed', failureCode: 'undeliverable' }, { status: 'pending' }],
  window: [{ status: 'delivered' }, { status: 'pending' }],
  blocked: [
    { status: 'skipped', skipReason: 'blocked' },
    { status: 'skipped', skipReason: 'blocked' },
  ],
  rate: [{ status: 'sent' }, { status: 'pending' }],
  fault: [
    { status: 'skipped', skipReason: 'unsubscribed' },
    { status: 'skipped', skipReason: 'unsubscribed' },
  ],
  marina: [{ status: 'read', replied: true }, { status: 'read' }],
  teo: [{ status: 'read' }, { status: 'delivered' }],
};
type Outcome = Omit<RecipientScript, 'contactId' | 'address'>;

function addCampaigns(stage: Stage, campaignId: (key: string) => string): void {
  const { companyId, channelId, rows, owner } = stage;
  const base = { companyId, channelId, createdById: owner.id, audience: 'All contacts' };
  const recipients = (which: 0 | 1): RecipientScript[] =>
    contacts.map(({ key, phone }) => ({
      contactId: stage.contactId(key),
      address: phone,
      ...outcomes[key][which],
    }));
  const scripts = [
    campaignRows({
      ...base,
      id: campaignId('restock'),
      name: 'Mugs are back',
      status: 'completed',
      text: 'The sea green mugs are back on the shelf. This week four for the price of three and a half.',
      createdAt: new Date('2026-01-12T10:00:00.000Z'),
      startedAt: new Date('2026-01-13T09:00:00.000Z'),
      completedAt: new Date('2026-01-13T09:06:00.000Z'),
      recipients: recipients(0),
      orders: rows.orders.filter(({ campaignId: from }) => from === campaignId('restock')),
    }),
    campaignRows({
      ...base,
      id: campaignId('workshop'),
      name: 'Workshop in March',
      status: 'paused',
      text: 'Two places are left at the wheel on Saturday, 7 March. Answer with YES to keep one.',
      createdAt: new Date('2026-02-06T15:30:00.000Z'),
      startedAt: new Date('2026-02-07T10:00:00.000Z'),
      pausedAt: new Date('2026-02-07T10:01:00.000Z'),
      recipients: recipients(1),
    }),
    campaignRows({
      ...base,
      id: campaignId('anniversary'),
      name: 'Ten years of the shop',
      status: 'scheduled',
      template: { name: 'anniversary', language: 'en', variables: {} },
      createdAt: new Date('2026-02-10T12:00:00.000Z'),
      // So far ahead that the sandbox shows a scheduled campaign for years.
      scheduledAt: new Date('2036-01-05T09:00:00.000Z'),
      recipients: recipients(0),
    }),
  ];
  for (const script of scripts) {
    rows.campaigns.push(script.campaign);
    rows.recipients.push(...script.recipients);
  }
}
