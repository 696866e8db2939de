import { z } from 'zod';
import type { AiSuggestion as SuggestionRow } from '../../prisma/generated/client/client.ts';
import { pathId } from '../../schema/common.ts';
import { conversationPath } from '../conversations/action.ts';
import { type ConversationRecord, conversationTargets } from '../conversations/record.ts';
import { attach, holdTag } from '../conversations/tags.ts';
import { changeConversation, lockConversation } from '../conversations/thread.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import { mutation } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { approveCall } from './ledger.ts';
import { presentSuggestion } from './present.ts';

const declaration = {
  access: 'inbox.access',
  input: z.object({ ...conversationPath, suggestion: pathId }),
  targets: {
    ...conversationTargets,
    suggestion: async (ctx: Context, id: string) =>
      (await ctx.db.aiSuggestion.findFirst({
        where: { companyId: ctx.companyId, id },
        select: { id: true },
      })) !== null,
  },
} as const;

/** Takes a suggestion up. A tag is attached; a reply is only handed back, never sent. */
export const approveSuggestion = mutation(declaration, async (ctx, { conversation, suggestion }) => {
  const { row, record } = await decide(ctx, conversation, suggestion, 'APPROVED');
  await approveCall(ctx, row.ledgerId);
  if (row.tagId !== null) {
    const tag = await holdTag(ctx, row.tagId);
    if (!tag) throw notFound();
    await attach(tag)(ctx, [record]);
  }
  emit(ctx, 'ai_suggestion.approved', row, record);
  return row;
});

export const dismissSuggestion = mutation(declaration, async (ctx, { conversation, suggestion }) => {
  const { row, record } = await decide(ctx, conversation, suggestion, 'DISMISSED');
  emit(ctx, 'ai_suggestion.dismissed', row, record);
  return row;
});

/**
 * One compare-and-swap: of any number who decide at once, one does.
 * @throws AppError `not_found` for a suggestion that is foreign, of another thread, or decided already
 */
async function decide(
  ctx: WorkContext,
  conversation: string,
  id: string,
  status: 'APPROVED' | 'DISMISSED',
): Promise<{ row: SuggestionRow; record: ConversationRecord }> {
  const locked = await lockConversation(ctx, conversation);
  const [row] = isId(id)
    ? await ctx.db.aiSuggestion.updateManyAndReturn({
        where: { companyId: ctx.companyId, id, conversationId: locked.id, status: 'pending' },
        data: { status, statusAt: ctx.now(), decidedById: ctx.principal.user?.id ?? null },
      })
    : [];
  if (!row) throw notFound();
  const record = await changeConversation(ctx, locked, { pendingSuggestions: locked.pendingSuggestions - 1 });
  return { row, record };
}

function emit(
  ctx: WorkContext,
  type: `ai_suggestion.${'approved' | 'dismissed'}`,
  row: SuggestionRow,
  { id, contactId }: ConversationRecord,
): void {
  ctx.emit({
    type,
    object: presentSuggestion(row),
    details: { conversation: id },
    conversationId: id,
    contactId,
  });
}
