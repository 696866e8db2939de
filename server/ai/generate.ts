import { z } from 'zod';
import type { AiSuggestion as SuggestionRow, Prisma } from '../../prisma/generated/client/client.ts';
import type { Proposal } from '../../schema/ai.ts';
import { pendingMaximum } from '../../schema/ai-suggestions.ts';
import { conversationPath } from '../conversations/action.ts';
import { type ConversationRecord, conversationTargets, loadConversations } from '../conversations/record.ts';
import { expireSuggestions } from '../conversations/suggestions.ts';
import { changeConversation, lockConversation } from '../conversations/thread.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { isId, newId } from '../platform/ids.ts';
import { mutation, Preparation } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { callProvider } from './call.ts';
import { gatherThread } from './gather.ts';
import { countGeneration } from './generation-limit.ts';
import { callLimitMs } from './limits.ts';
import { noteOp, suggestedOp } from './ops.ts';
import { presentSuggestion } from './present.ts';

/** What a provider proposes for the thread as it was then; null when there is no answer. */
interface Proposed {
  thread: Pick<ConversationRecord, 'lastMessageAt' | 'status'>;
  proposals: Proposal[];
  entry: string | null;
}

interface Generated {
  available: boolean;
  created: number;
}

const preparation = new Preparation<{ proposed: Proposed | null }>();

/**
 * Asks AI for suggestions, before the transaction and for 20 s at most; the new set replaces what was pending. Without
 * an answer, or when the thread moved on meanwhile, the existing set is kept.
 */
export const generateSuggestions = mutation(
  {
    access: 'inbox.access',
    input: z.object(conversationPath),
    targets: conversationTargets,
    async prepare(ctx, { conversation }) {
      await requireThread(ctx, conversation);
      await countGeneration(ctx, conversation);
      return preparation.keep({ proposed: await propose(ctx, conversation) });
    },
  },
  async (ctx, { conversation }): Promise<Generated> => {
    const { proposed } = preparation.of(ctx);
    const record = await lockConversation(ctx, conversation);
    if (!proposed || !isSame(record, proposed.thread)) return { available: false, created: 0 };
    const { proposals, entry } = proposed;
    return { available: true, created: await replaceSuggestions(ctx, record, proposals, entry) };
  },
);

/**
 * Expires what is pending in a locked conversation and stores the new set.
 * @param entry of the ledger
 * @returns how many were stored
 */
async function replaceSuggestions(
  ctx: WorkContext,
  record: ConversationRecord,
  proposals: readonly Proposal[],
  entry: string | null,
): Promise<number> {
  await expireSuggestions(ctx, [record]);
  const created = await store(ctx, record, await readProposals(ctx, record, proposals), entry);
  if (created.length !== record.pendingSuggestions)
    await changeConversation(ctx, record, { pendingSuggestions: created.length });
  return created.length;
}

/** Once more when the thread moved on while the provider thought, within the same 20 s. */
async function propose(ctx: Context, conversation: string): Promise<Proposed | null> {
  const until = AbortSignal.timeout(callLimitMs);
  for (let attempt = 1; ; attempt++) {
    const thread = await requireThread(ctx, conversation);
    // A closed thread needs no advice.
    if (thread.status === 'closed') return { thread, proposals: [], entry: null };
    const view = await gatherThread(ctx, conversation);
    const { now: _now, ...input } = view;
    const { answer, entry } = await callProvider(
      ctx,
      { purpose: 'suggestions', conversationId: conversation, input },
      (provider, signal) => provider.suggest(view, signal),
      until,
    );
    if (answer.outcome !== 'ok') return null;
    const proposed = { thread, proposals: answer.value, entry };
    if (attempt > 1 || isSame(await requireThread(ctx, conversation), thread)) return proposed;
  }
}

async function requireThread(ctx: Context, id: string): Promise<ConversationRecord> {
  const [record] = isId(id) ? await loadConversations(ctx, [id]) : [];
  if (!record) throw notFound();
  return record;
}

function isSame(now: Proposed['thread'], then: Proposed['thread']): boolean {
  return now.status === then.status && now.lastMessageAt.getTime() === then.lastMessageAt.getTime();
}

type Suggested = Pick<SuggestionRow, 'kind' | 'text' | 'tagId' | 'color'>;

async function store(
  ctx: WorkContext,
  record: ConversationRecord,
  suggested: Suggested[],
  entry: string | null,
): Promise<SuggestionRow[]> {
  if (suggested.length === 0) return [];
  const now = ctx.now();
  const { companyId } = ctx;
  // Newest first is the provider's first: ids rise with each, so the last one is made first.
  const data: Prisma.AiSuggestionCreateManyInput[] = suggested.reverse().map((one) => ({
    ...one,
    companyId,
    id: newId(),
    conversationId: record.id,
    status: 'pending',
    statusAt: now,
    ledgerId: entry,
    createdAt: now,
  }));
  const rows = await ctx.db.aiSuggestion.createManyAndReturn({ data });
  for (const row of rows)
    ctx.emit({
      type: 'ai_suggestion.created',
      object: presentSuggestion(row),
      details: { conversation: record.id },
      conversationId: record.id,
      contactId: record.contactId,
    });
  await noteOp(ctx, record.id, suggestedOp(rows.length));
  return rows;
}

/** Model output is data: what can't be stored or is no tag of the company is left out, and what is said twice. */
async function readProposals(
  ctx: Context,
  record: ConversationRecord,
  proposals: readonly Proposal[],
): Promise<Suggested[]> {
  const wanted = proposals.flatMap((one) => (one.kind === 'tag' && isId(one.tag) ? [one.tag] : []));
  const rows = wanted.length
    ? await ctx.db.tag.findMany({ where: { companyId: ctx.companyId, id: { in: wanted } } })
    : [];
  const tags = new Map(rows.map((tag) => [tag.id, tag]));
  const found = new Map<string, Suggested>();
  for (const proposal of proposals) {
    const one = suggestedBy(proposal, record, tags);
    if (one && !found.has(`${one.kind} ${one.text}`)) found.set(`${one.kind} ${one.text}`, one);
  }
  return [...found.values()].slice(0, pendingMaximum);
}

function suggestedBy(
  proposal: Proposal,
  { tagIds }: ConversationRecord,
  tags: ReadonlyMap<string, { id: string; name: string; color: string }>,
): Suggested | null {
  if (proposal.kind === 'tag') {
    const tag = tags.get(proposal.tag);
    if (!tag || tagIds.includes(tag.id)) return null;
    return { kind: 'tag', text: tag.name, tagId: tag.id, color: tag.color };
  }
  const text = proposal.text.trim();
  if (text === '' || text.includes('\0') || !text.isWellFormed()) return null;
  return { kind: proposal.kind, text, tagId: null, color: null };
}
