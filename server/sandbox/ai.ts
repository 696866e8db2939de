import { conversationId, opened, type Stage } from './stage.ts';

/** Suggestions, insights and feedback of the two threads that the assistant takes part in, and of a finished one. */
export function addAiWork(stage: Stage): void {
  addFeedback(stage);
  addSuggestions(stage);
  addInsights(stage);
}

/** Every AI message has its row, bound by message id; the first one was liked. */
function addFeedback({ companyId, id, rows, owner }: Stage): void {
  const written = rows.messages.filter((message) => message.aiGenerated);
  for (const [place, message] of written.entries()) {
    const rated = place === 0;
    rows.feedback.push({
      companyId,
      id: id(`feedback/${message.id}`, new Date(message.at)),
      messageId: message.id,
      rating: rated ? 1 : null,
      ratedById: rated ? owner.id : null,
      ratedAt: rated ? new Date(new Date(message.at).getTime() + 3_600_000) : null,
      createdAt: message.at,
    });
  }
}

interface SuggestionScript {
  thread: 'lamp' | 'parcel' | 'mugs';
  kind: 'reply' | 'tag' | 'tip';
  text: string;
  tag?: 'vip' | 'lead' | 'delivery';
  status: 'pending' | 'APPROVED' | 'DISMISSED' | 'EXPIRED';
  at: string;
}

const suggestions: readonly SuggestionScript[] = [
  {
    thread: 'mugs',
    kind: 'reply',
    text: 'The mugs are dishwasher-safe up to 60 °C.',
    status: 'APPROVED',
    at: '2026-01-14T09:03:00.000Z',
  },
  {
    thread: 'mugs',
    kind: 'tag',
    text: 'Delivery',
    tag: 'delivery',
    status: 'DISMISSED',
    at: '2026-01-14T09:04:00.000Z',
  },
  {
    thread: 'mugs',
    kind: 'tip',
    text: 'Offer a matching bowl.',
    status: 'EXPIRED',
    at: '2026-01-14T09:05:00.000Z',
  },
  {
    thread: 'parcel',
    kind: 'reply',
    text: 'Leaving the parcel with a neighbour is fine. What is the house number?',
    status: 'pending',
    at: '2026-02-09T11:32:00.000Z',
  },
  {
    thread: 'lamp',
    kind: 'reply',
    text: 'The shade also comes in charcoal, and Saturday from 9 to 13 works for picking up.',
    status: 'pending',
    at: '2026-02-11T17:22:00.000Z',
  },
  { thread: 'lamp', kind: 'tag', text: 'VIP', tag: 'vip', status: 'pending', at: '2026-02-11T17:23:00.000Z' },
  {
    thread: 'lamp',
    kind: 'tip',
    text: 'Order 3 is waiting for payment; the customer is ready to buy.',
    status: 'pending',
    at: '2026-02-11T17:24:00.000Z',
  },
];

function addSuggestions({ companyId, id, rows, owner, tag }: Stage): void {
  for (const [place, { thread, kind, text, tag: tagKey, status, at }] of suggestions.entries()) {
    const createdAt = new Date(at);
    const decided = status === 'APPROVED' || status === 'DISMISSED';
    const named = tagKey ? tag(tagKey) : null;
    rows.suggestions.push({
      companyId,
      id: id(`suggestion/${place}`, createdAt),
      conversationId: conversationId(id, thread),
      kind,
      text,
      tagId: named?.id ?? null,
      color: named?.color ?? null,
      status,
      statusAt: status === 'pending' ? createdAt : new Date(createdAt.getTime() + 120_000),
      decidedById: decided ? owner.id : null,
      createdAt,
    });
  }
  for (const conversation of rows.conversations) {
    conversation.pendingSuggestions = rows.suggestions.filter(
      ({ conversationId: of, status }) => of === conversation.id && status === 'pending',
    ).length;
  }
}

const insights = [
  {
    thread: 'mugs',
    sentiment: 'positive',
    purchaseLikelihood: 'high',
    intentKey: 'product_question',
    ops: ['Answered a question about care', 'Noticed an order'],
  },
  {
    thread: 'parcel',
    sentiment: 'neutral',
    purchaseLikelihood: 'low',
    intentKey: 'order_status',
    ops: ['Looked up order 2', 'Suggested a reply'],
  },
  {
    thread: 'lamp',
    sentiment: 'positive',
    purchaseLikelihood: 'high',
    intentKey: 'product_question',
    ops: ['Checked the stock of “Alba”', 'Suggested a reply, a tag and a tip'],
  },
] as const;

function addInsights({ companyId, id, rows }: Stage): void {
  for (const { thread, ops, ...insight } of insights) {
    const conversation = rows.conversations.find((row) => row.id === conversationId(id, thread));
    const inbound = rows.messages.filter(
      (row) => row.conversationId === conversation?.id && row.direction === 'inbound',
    );
    const at = new Date(inbound.at(-1)?.at ?? opened);
    rows.insights.push({
      companyId,
      conversationId: conversationId(id, thread),
      ...insight,
      intentAt: at,
      ops: ops.map((text, place) => ({ text, at: new Date(at.getTime() + 1_000 - place).toISOString() })),
      basedOn: inbound.at(-1)?.id ?? null,
      updatedAt: at,
    });
  }
}
