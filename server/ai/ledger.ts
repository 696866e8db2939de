import { createHash } from 'node:crypto';
import type { aiOutcomes, aiPurposes } from '../../schema/ai-calls.ts';
import type { Context } from '../platform/context.ts';
import { newId } from '../platform/ids.ts';
import type { AiProvider, Usage } from './provider.ts';

/** What is asked of a provider, as the ledger keeps it. */
export interface Asked {
  purpose: (typeof aiPurposes)[number];
  conversationId: string | null;
  /** What the provider is given. Only its hash is kept. */
  input: unknown;
}

/**
 * Writes one call down, in a statement of its own: the money is spent whatever becomes of the answer.
 * @returns the entry; null for a test key, whose calls are free and leave no trace
 */
export async function recordCall(
  ctx: Context,
  { purpose, conversationId, input }: Asked,
  { name, model }: AiProvider,
  { outcome, usage }: { outcome: (typeof aiOutcomes)[number]; usage: Usage },
  latencyMs: number,
): Promise<string | null> {
  if (!ctx.principal.livemode) return null;
  const id = newId();
  await ctx.app.prisma.aiLedger.create({
    data: {
      companyId: ctx.companyId,
      id,
      conversationId,
      purpose,
      provider: name,
      model,
      inputHash: createHash('sha256').update(JSON.stringify({ purpose, input })).digest(),
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      cost: BigInt(usage.cost),
      latencyMs,
      outcome,
      createdAt: ctx.now(),
    },
    select: { id: true },
  });
  return id;
}

/** Who stood up for what a call brought. */
export async function approveCall(ctx: Context, entry: string | null): Promise<void> {
  const approvedById = ctx.principal.user?.id;
  if (entry === null || approvedById === undefined) return;
  await ctx.db.aiLedger.updateMany({
    where: { companyId: ctx.companyId, id: entry },
    data: { approvedById },
  });
}
