import type { AiInsights } from '../../schema/ai-insights.ts';
import { firstArg, queryField, takeFirst } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import { showInsights } from './insights.ts';
import { presentInsights } from './present-insights.ts';

const Intent = builder.objectRef<NonNullable<AiInsights['current_intent']>>('AiIntent').implement({
  description: 'What the customer wants.',
  fields: (t) => ({
    key: t.exposeString('key', {
      description: 'product_question, price, order_status, booking, complaint, return, greeting or other.',
    }),
    label: t.exposeString('label'),
    at: t.field({ type: 'DateTime', resolve: ({ at }) => new Date(at) }),
  }),
});

const Op = builder.objectRef<AiInsights['ai_ops'][number]>('AiOp').implement({
  description: 'Something that AI did in the conversation.',
  fields: (t) => ({
    text: t.exposeString('text'),
    at: t.field({ type: 'DateTime', resolve: ({ at }) => new Date(at) }),
  }),
});

const InsightsType = builder.objectRef<AiInsights>('AiInsights').implement({
  description: 'What AI makes of a conversation, computed when the customer writes.',
  fields: (t) => ({
    sentiment: t.exposeString('sentiment', {
      nullable: true,
      description: 'positive, neutral or negative; null when it is not known.',
    }),
    purchaseLikelihood: t.exposeString('purchase_likelihood', {
      description: 'low, medium, high or unknown.',
    }),
    currentIntent: t.expose('current_intent', { type: Intent, nullable: true }),
    aiOps: t.field({
      type: [Op],
      description: 'What AI did, newest first, at most 20.',
      args: firstArg(),
      resolve: ({ ai_ops: ops }, args) => takeFirst(ops, args),
    }),
  }),
});

queryField('aiInsights', showInsights, {
  type: InsightsType,
  present: presentInsights,
  description: 'What AI makes of a conversation. It is computed ahead: reading never waits.',
});
