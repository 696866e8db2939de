import type { AiInsight as InsightRow } from '../../prisma/generated/client/client.ts';
import { z } from 'zod';
import { intentKeys, purchaseLikelihoods, sentiments } from '../../schema/ai.ts';
import { type AiInsights, opsMaximum } from '../../schema/ai-insights.ts';

const labels: Readonly<Record<(typeof intentKeys)[number], string>> = {
  product_question: 'Product question',
  price: 'Price',
  order_status: 'Order status',
  booking: 'Booking',
  complaint: 'Complaint',
  return: 'Return',
  greeting: 'Greeting',
  other: 'Other',
};

const StoredOps = z.array(z.object({ text: z.string(), at: z.iso.datetime() }));

/** The public record; of a conversation that nothing is known of, that nothing is known. */
export function presentInsights(row: InsightRow | null): AiInsights {
  const key = intentKeys.find((known) => known === row?.intentKey);
  const ops = StoredOps.safeParse(row?.ops ?? []);
  return {
    sentiment: sentiments.find((known) => known === row?.sentiment) ?? null,
    purchase_likelihood: purchaseLikelihoods.find((known) => known === row?.purchaseLikelihood) ?? 'unknown',
    current_intent: key && row?.intentAt ? { key, label: labels[key], at: row.intentAt.toISOString() } : null,
    ai_ops: ops.success ? ops.data.slice(0, opsMaximum).map(({ text, at }) => ({ text, at })) : [],
  };
}
