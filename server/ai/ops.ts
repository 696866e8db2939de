import { Prisma } from '../../prisma/generated/client/client.ts';
import type { intentKeys } from '../../schema/ai.ts';
import { opsMaximum } from '../../schema/ai-insights.ts';
import { announce } from '../platform/announce.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';

/** In an upsert of ai_insights: the new ones before the old ones, the newest 20. */
export const newestOps = Prisma.sql`(
  SELECT coalesce(jsonb_agg(op ORDER BY place), '[]') FROM jsonb_array_elements(excluded.ops || ai_insights.ops)
    WITH ORDINALITY AS kept (op, place) WHERE place <= ${opsMaximum})`;

/** What an insight says was done. */
export const recognised: Readonly<Record<(typeof intentKeys)[number], string>> = {
  product_question: 'Recognised a question about a product',
  price: 'Recognised a question about a price',
  order_status: 'Recognised a question about an order',
  booking: 'Recognised a wish to book',
  complaint: 'Recognised a complaint',
  return: 'Recognised a wish to return something',
  greeting: 'Recognised a greeting',
  other: 'Read what the customer wrote',
};

export const repliedOp = 'Wrote a reply';
export const handedOverOp = 'Handed over to a person';

/**
 * Notes what AI did in a conversation, for `ai_ops`, and tells who looks at it. One of the texts that this code has:
 * never what a customer or a model wrote.
 */
export async function noteOp(ctx: WorkContext, conversationId: string, text: string): Promise<void> {
  const ops = JSON.stringify([{ text, at: ctx.now().toISOString() }]);
  await ctx.db.$executeRaw`
    INSERT INTO ai_insights (company_id, conversation_id, ops, updated_at)
    VALUES (${ctx.companyId}, ${conversationId}, ${ops}::jsonb, ${ctx.now()})
    ON CONFLICT (company_id, conversation_id) DO UPDATE SET ops = ${newestOps}, updated_at = excluded.updated_at`;
  announce(ctx, {
    type: 'insights.updated',
    conversation: conversationId,
    object: { conversation: conversationId },
  });
}

export function suggestedOp(count: number): string {
  return count === 1 ? 'Made a suggestion' : `Made ${count} suggestions`;
}
