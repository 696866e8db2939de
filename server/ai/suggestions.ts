import { z } from 'zod';
import type { AiSuggestion as SuggestionRow } from '../../prisma/generated/client/client.ts';
import { pendingMaximum } from '../../schema/ai-suggestions.ts';
import { conversationPath } from '../conversations/action.ts';
import { conversationExists, conversationTargets } from '../conversations/record.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { query } from '../platform/operation.ts';

const historyMaximum = 200;
const declaration = {
  access: 'inbox.access',
  input: z.object(conversationPath),
  targets: conversationTargets,
} as const;

/** What waits for a decision, newest first. */
export const listSuggestions = query(declaration, (ctx, { conversation }) =>
  suggestionsOf(ctx, conversation, { status: 'pending' }, pendingMaximum),
);

/** Suggestions of every status, newest first, the newest 200. */
export const listSuggestionHistory = query(declaration, (ctx, { conversation }) =>
  suggestionsOf(ctx, conversation, {}, historyMaximum),
);

async function suggestionsOf(
  ctx: Context,
  conversationId: string,
  where: { status?: string },
  take: number,
): Promise<SuggestionRow[]> {
  if (!(await conversationExists(ctx, conversationId))) throw notFound();
  return ctx.db.aiSuggestion.findMany({
    where: { companyId: ctx.companyId, conversationId, ...where },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take,
  });
}
