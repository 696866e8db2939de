import { z } from 'zod';
import { DraftRewrite } from '../../schema/ai-copilot.ts';
import { conversationPath } from '../conversations/action.ts';
import { conversationTargets } from '../conversations/record.ts';
import type { Context } from '../platform/context.ts';
import { mutation, Preparation } from '../platform/operation.ts';
import { type Called, callProvider } from './call.ts';
import { gatherThread } from './gather.ts';
import type { Rewriting } from './provider.ts';

/** A text for the agent, who does with it what they like. */
interface Copilot {
  available: boolean;
  text: string | null;
}

const preparation = new Preparation<Called<string>>();

/** Writes an agent's draft anew. Nothing is stored or sent. */
export const rewriteDraft = mutation(
  {
    access: 'inbox.access',
    dashboardOnly: true,
    input: DraftRewrite,
    async prepare(ctx, { text, as, language }) {
      const how: Rewriting =
        as === 'translation' ? { as, language: language ?? (await languageOf(ctx)) } : { as };
      const asked = { purpose: 'rewrite', conversationId: null, input: { text, how } } as const;
      return preparation.keep(
        await callProvider(ctx, asked, (provider, signal) => provider.rewrite(text, how, signal)),
      );
    },
  },
  async (ctx) => copilotOf(preparation.of(ctx)),
);

/** Says in a few sentences what a conversation is about. */
export const summariseConversation = mutation(
  {
    access: 'inbox.access',
    dashboardOnly: true,
    input: z.object(conversationPath),
    targets: conversationTargets,
    async prepare(ctx, { conversation }) {
      const view = await gatherThread(ctx, conversation);
      const { now: _now, ...input } = view;
      const asked = { purpose: 'summary', conversationId: conversation, input } as const;
      return preparation.keep(
        await callProvider(ctx, asked, (provider, signal) => provider.summarise(view, signal)),
      );
    },
  },
  async (ctx) => copilotOf(preparation.of(ctx)),
);

function copilotOf({ answer }: Called<string>): Copilot {
  return answer.outcome === 'ok' ? { available: true, text: answer.value } : { available: false, text: null };
}

async function languageOf(ctx: Context): Promise<string> {
  const { locale } = await ctx.db.company.findUniqueOrThrow({
    where: { id: ctx.companyId },
    select: { locale: true },
  });
  return locale;
}
