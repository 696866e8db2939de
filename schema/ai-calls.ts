import { z } from 'zod';
import { idOut, page, pageQuery, publicId, timestamp } from './common.ts';

export const aiPurposes = ['reply', 'suggestions', 'insights', 'rewrite', 'summary'] as const;
export const aiOutcomes = ['ok', 'refused', 'malformed', 'timeout', 'error', 'budget'] as const;

/** One call of an AI provider, as the ledger keeps it. Dashboard only. */
export const AiCall = z
  .strictObject({
    id: idOut,
    purpose: z.enum(aiPurposes),
    conversation: idOut.nullable(),
    message: idOut.nullable().meta({ description: 'The reply that was made of it.' }),
    provider: z.string(),
    model: z.string(),
    input_hash: z.string().meta({ description: 'SHA-256 of what the provider was given, in hex.' }),
    input_tokens: z.int().min(0),
    output_tokens: z.int().min(0),
    cost: z.int().min(0).meta({ description: 'Micro units of USD.' }),
    latency_ms: z.int().min(0),
    outcome: z.enum(aiOutcomes).meta({ description: 'budget: nobody was asked, nothing was left to spend.' }),
    approved_by: z.strictObject({ name: z.string(), email: z.string() }).nullable(),
    rating: z
      .enum(['up', 'down', 'none'])
      .nullable()
      .meta({ description: 'Of the reply; null without one.' }),
    created_at: timestamp,
  })
  .meta({ id: 'AiCall' });
export type AiCall = z.infer<typeof AiCall>;

export const AiCallListQuery = z.object({
  conversation: publicId.optional(),
  purpose: z.enum(aiPurposes).optional(),
  outcome: z.enum(aiOutcomes).optional(),
  ...pageQuery,
});

export const AiCallPage = page(AiCall);
