import { z } from 'zod';
import { intentKeys, purchaseLikelihoods, sentiments } from './ai.ts';
import { single, timestamp } from './common.ts';

/** So many of the things that AI did in a conversation are kept, the newest. */
export const opsMaximum = 20;

/** What AI makes of a conversation. Source: API document, "AI insights". */
export const AiInsights = z
  .strictObject({
    sentiment: z
      .enum(sentiments)
      .nullable()
      .meta({ description: 'Of the newest customer messages; null when it is not known.' }),
    purchase_likelihood: z.enum(purchaseLikelihoods),
    current_intent: z
      .strictObject({
        key: z.enum(intentKeys),
        label: z.string().meta({ examples: ['Price'] }),
        at: timestamp.meta({ description: 'When the customer wrote it.' }),
      })
      .nullable(),
    ai_ops: z
      .array(z.strictObject({ text: z.string(), at: timestamp }))
      .max(opsMaximum)
      .meta({ description: 'What AI did in the conversation, newest first, at most 20.' }),
  })
  .meta({ id: 'AiInsights' });
export type AiInsights = z.infer<typeof AiInsights>;

export const AiInsightsBody = single(AiInsights);
