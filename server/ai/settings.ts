import { z } from 'zod';
import { type AiSettings, AiSettingsUpdate, aiPrivacies, aiProviders } from '../../schema/ai-settings.ts';
import type { Context } from '../platform/context.ts';
import { mutation, query } from '../platform/operation.ts';
import { readBudget } from './budget.ts';
import { companyOf } from '../account/company.ts';

/** How AI assists the company. Dashboard only, like all of a company's settings. */
export const showAiSettings = query({ access: 'admin', input: z.object({}) }, readSettings);

export const updateAiSettings = mutation(
  { access: 'admin', input: AiSettingsUpdate },
  async (ctx, input): Promise<AiSettings> => {
    const wanted = {
      aiEnabled: input.enabled,
      aiProvider: input.provider,
      aiAutoReply: input.auto_reply,
      aiHoldSeconds: input.hold_seconds,
      aiPrivacy: input.privacy,
      aiMonthlyBudget: wide(input.monthly_budget),
      aiMonthlyTokens: wide(input.monthly_tokens),
    };
    const data = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    if (Object.keys(data).length > 0)
      await ctx.db.company.update({
        where: { id: ctx.companyId },
        data: { ...data, version: { increment: 1 }, updatedAt: ctx.now() },
        select: { id: true },
      });
    return readSettings(ctx);
  },
);

async function readSettings(ctx: Context): Promise<AiSettings> {
  const company = await companyOf(ctx);
  const { monthlyBudget, monthlyTokens, cost, tokens } = await readBudget(ctx);
  return {
    enabled: company.aiEnabled,
    provider: aiProviders.find((known) => known === company.aiProvider) ?? null,
    auto_reply: company.aiAutoReply,
    hold_seconds: company.aiHoldSeconds,
    privacy: aiPrivacies.find((known) => known === company.aiPrivacy) ?? 'redacted',
    monthly_budget: narrow(monthlyBudget),
    monthly_tokens: narrow(monthlyTokens),
    spent: { cost: Number(cost), tokens: Number(tokens) },
  };
}

function wide(amount: number | null | undefined): bigint | null | undefined {
  return typeof amount === 'number' ? BigInt(amount) : amount;
}

function narrow(amount: bigint | null): number | null {
  return amount === null ? null : Number(amount);
}
