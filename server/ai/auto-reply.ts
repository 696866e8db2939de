import { textMaximum } from '../../schema/messages.ts';
import { lockConversations, recordEntry } from '../conversations/thread.ts';
import { loadConversations } from '../conversations/record.ts';
import { postMessage, textContent } from '../messages/post.ts';
import { isSendable } from '../messages/send.ts';
import type { Context } from '../platform/context.ts';
import type { JobData } from '../platform/jobs.ts';
import type { Services } from '../platform/services.ts';
import { asSystem } from '../platform/system-context.ts';
import { inUnitOfWork, type WorkContext } from '../platform/unit-of-work.ts';
import { assistant } from './assistant.ts';
import { asksForPerson } from './built-in/handoff.ts';
import { callProvider } from './call.ts';
import { gatherThread } from './gather.ts';
import { handedOverOp, noteOp, repliedOp } from './ops.ts';
import type { Draft } from './provider.ts';
import { type Turn, turnOf } from './turn.ts';

/**
 * Answers a customer's message where AI answers by itself: the draft is held, so that an agent can be faster. Asked for
 * a person, it hands the conversation over and says nothing.
 */
export async function replyToCustomer(
  app: Services,
  { companyId, conversationId, messageId }: JobData['ai.reply'],
): Promise<void> {
  await asSystem(app, companyId, async (ctx) => {
    const [record] = await loadConversations(ctx, [conversationId]);
    const turn = record && (await turnOf(ctx, record, messageId));
    if (!turn) return;
    const drafted = await draft(ctx, turn);
    if (!drafted) return;
    await inUnitOfWork(ctx, async (work) => {
      const [locked] = await lockConversations(work, [conversationId]);
      // Whatever happened while the provider thought decides.
      const now = locked && (await turnOf(work, locked, messageId));
      if (now) await settle(work, now, drafted, messageId);
    });
  });
}

interface Drafted extends Draft {
  entry: string | null;
}

async function draft(ctx: Context, turn: Turn): Promise<Drafted | null> {
  const view = await gatherThread(ctx, turn.record.id);
  // Asking for a person needs no provider, and must not depend on one.
  if (asksForPerson(view)) return { text: null, handoff: true, entry: null };
  if (turn.silent) return null;
  const { now: _now, ...input } = view;
  const { answer, entry } = await callProvider(
    ctx,
    { purpose: 'reply', conversationId: turn.record.id, input },
    (provider, signal) => provider.reply(view, signal),
  );
  return answer.outcome === 'ok' ? { ...answer.value, entry } : null;
}

async function settle(
  ctx: WorkContext,
  { record, channel, contact, silent, holdSeconds }: Turn,
  { text, handoff, entry }: Drafted,
  messageId: string,
): Promise<void> {
  if (handoff) {
    await recordEntry(ctx, record, 'conversation.handoff', {
      changes: { aiAutoReply: 'paused' },
      data: { message: messageId },
      author: assistant,
    });
    await noteOp(ctx, record.id, handedOverOp);
    return;
  }
  const said = text?.trim() ?? '';
  if (silent || !isSayable(said)) return;
  const content = textContent(said);
  if (!(await isSendable(ctx, { channel, contact, record, named: 'conversation' }, content))) return;
  const message = await postMessage(ctx, record, {
    content,
    author: assistant,
    aiGenerated: true,
    hold: { seconds: holdSeconds, origin: 'ai' },
  });
  await noteOp(ctx, record.id, repliedOp);
  if (entry !== null)
    await ctx.db.aiLedger.updateMany({
      where: { companyId: ctx.companyId, id: entry },
      data: { messageId: message.id },
    });
}

function isSayable(text: string): boolean {
  return text !== '' && !text.includes('\0') && text.isWellFormed() && [...text].length <= textMaximum;
}
