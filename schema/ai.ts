import { z } from 'zod';

export const sentiments = ['positive', 'neutral', 'negative'] as const;
export const purchaseLikelihoods = ['low', 'medium', 'high', 'unknown'] as const;
export const intentKeys = [
  'product_question',
  'price',
  'order_status',
  'booking',
  'complaint',
  'return',
  'greeting',
  'other',
] as const;

/** What AI makes of a thread. `sentiment` is null where the engine does not know the language. */
export const Insights = z.object({
  sentiment: z.enum(sentiments).nullable(),
  purchase_likelihood: z.enum(purchaseLikelihoods),
  intent: z.enum(intentKeys).nullable(),
});
export type Insights = z.infer<typeof Insights>;

/** One suggestion as a provider proposes it, before it is stored. */
export const Proposal = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reply'), text: z.string().min(1).max(4096) }),
  /** A tag of the company, by its id. */
  z.object({ kind: z.literal('tag'), tag: z.string() }),
  z.object({ kind: z.literal('tip'), text: z.string().min(1).max(500) }),
]);
export type Proposal = z.infer<typeof Proposal>;
