import { z } from 'zod';
import type { AiInsight as InsightRow } from '../../prisma/generated/client/client.ts';
import type { Insights } from '../../schema/ai.ts';
import { conversationPath } from '../conversations/action.ts';
import { conversationExists, conversationTargets } from '../conversations/record.ts';
import { announce } from '../platform/announce.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { query } from '../platform/operation.ts';
import type { Services } from '../platform/services.ts';
import { asSystem } from '../platform/system-context.ts';
import { inUnitOfWork } from '../platform/unit-of-work.ts';
import { builtIn } from './built-in/engine.ts';
import { callProvider } from './call.ts';
import { gatherThread } from './gather.ts';
import { newestOps, recognised } from './ops.ts';
import type { ThreadView } from './provider.ts';
import { providerOf } from './select.ts';

/** What is known of a conversation so far; null when nothing was computed yet. */
export const showInsights = query(
  { access: 'inbox.access', input: z.object(conversationPath), targets: conversationTargets },
  async (ctx, { conversation }): Promise<InsightRow | null> => {
    if (!(await conversationExists(ctx, conversation))) throw notFound();
    return ctx.db.aiInsight.findUnique({
      where: { companyId_conversationId: { companyId: ctx.companyId, conversationId: conversation } },
    });
  },
);

interface Place {
  companyId: string;
  conversationId: string;
}

/**
 * Computes the insights of a conversation anew when the customer has written since they were computed. Never in a
 * transaction: the provider may take its time, and what it says of an older state than the stored one is dropped.
 */
export async function computeInsights(app: Services, place: Place): Promise<void> {
  if (!(await isDue(app, place))) return;
  await asSystem(app, place.companyId, async (ctx) => {
    const thread = await gatherThread(ctx, place.conversationId);
    const newest = thread.messages.findLast(({ from }) => from === 'customer');
    const insights = newest && !thread.contact.blocked ? await insightsOf(ctx, thread) : null;
    if (newest && insights) await save(ctx, thread.conversationId, insights, newest);
  });
}

/**
 * Whether the customer wrote something that is not thought about yet, and may be. One statement, since of a burst of
 * messages only the first job finds something to do. Nobody thinks about the sandbox, nor for a closed company.
 */
async function isDue(app: Services, { companyId, conversationId }: Place): Promise<boolean> {
  const rows = await app.prisma.$queryRaw<unknown[]>`
    SELECT FROM conversations thread
    JOIN companies company ON company.id = thread.company_id AND company.closed_at IS NULL
      AND company.sandbox_of IS NULL AND company.ai_enabled
    JOIN contacts contact ON contact.company_id = thread.company_id AND contact.id = thread.contact_id
    LEFT JOIN ai_insights known ON known.company_id = thread.company_id AND known.conversation_id = thread.id
    JOIN LATERAL (
      SELECT id FROM messages WHERE company_id = thread.company_id AND conversation_id = thread.id
        AND direction = 'inbound' AND text IS NOT NULL
      ORDER BY at DESC LIMIT 1) AS newest ON newest.id IS DISTINCT FROM known.based_on
    WHERE thread.company_id = ${companyId} AND thread.id = ${conversationId} AND NOT contact.blocked`;
  return rows.length > 0;
}

/**
 * By the company's provider, and where that one fails by the built-in engine; null where nothing is wanted. What the
 * built-in engine thinks costs nothing and leaves nothing, so only calls of others are written down in the ledger.
 */
async function insightsOf(ctx: Context, thread: ThreadView): Promise<Insights | null> {
  const provider = await providerOf(ctx);
  if (!provider) return null;
  if (provider !== builtIn) {
    const { now: _now, ...input } = thread;
    const asked = { purpose: 'insights', conversationId: thread.conversationId, input } as const;
    const { answer } = await callProvider(ctx, asked, (chosen, signal) => chosen.insights(thread, signal));
    if (answer.outcome === 'ok') return answer.value;
  }
  const own = await builtIn.insights(thread, AbortSignal.timeout(1_000));
  return own.outcome === 'ok' ? own.value : null;
}

/** Compare-and-set: of two that compute at once, the one that knows the newer message stays. */
function save(
  ctx: Context,
  conversationId: string,
  { sentiment, purchase_likelihood: likelihood, intent }: Insights,
  { id, at }: ThreadView['messages'][number],
): Promise<void> {
  const now = ctx.now();
  const ops = JSON.stringify(intent ? [{ text: recognised[intent], at: now.toISOString() }] : []);
  return inUnitOfWork(ctx, async (work) => {
    const changed = await work.db.$queryRaw<unknown[]>`
      INSERT INTO ai_insights (company_id, conversation_id, sentiment, purchase_likelihood, intent_key, intent_at, ops,
        based_on, updated_at)
      VALUES (${ctx.companyId}, ${conversationId}, ${sentiment}, ${likelihood}, ${intent}, ${intent && at},
        ${ops}::jsonb, ${id}, ${now})
      ON CONFLICT (company_id, conversation_id) DO UPDATE SET sentiment = excluded.sentiment,
        purchase_likelihood = excluded.purchase_likelihood, intent_key = excluded.intent_key,
        intent_at = excluded.intent_at, based_on = excluded.based_on, updated_at = excluded.updated_at,
        ops = CASE WHEN ai_insights.intent_key IS DISTINCT FROM excluded.intent_key THEN ${newestOps}
          ELSE ai_insights.ops END
      WHERE NOT EXISTS (SELECT FROM messages known WHERE known.company_id = ai_insights.company_id
        AND known.id = ai_insights.based_on AND known.at >= ${at})
      RETURNING conversation_id`;
    if (changed.length === 0) return;
    announce(work, {
      type: 'insights.updated',
      conversation: conversationId,
      object: { conversation: conversationId },
    });
  });
}
