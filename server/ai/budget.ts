import type { Context } from '../platform/context.ts';

/** What a company may spend on AI in a calendar month of its time zone, and what it has spent. */
export interface Budget {
  /** Micro units of USD; null is no limit. */
  monthlyBudget: bigint | null;
  monthlyTokens: bigint | null;
  cost: bigint;
  tokens: bigint;
}

export async function readBudget(ctx: Context): Promise<Budget> {
  const [budget] = await ctx.db.$queryRaw<Budget[]>`
    SELECT companies.ai_monthly_budget AS "monthlyBudget", companies.ai_monthly_tokens AS "monthlyTokens",
      coalesce(spent.cost, 0)::bigint AS cost, coalesce(spent.tokens, 0)::bigint AS tokens
    FROM companies CROSS JOIN LATERAL (
      SELECT sum(cost) AS cost, sum(input_tokens + output_tokens) AS tokens FROM ai_ledger
      WHERE company_id = ${ctx.companyId} AND (cost > 0 OR input_tokens > 0 OR output_tokens > 0)
        AND created_at >= date_trunc('month', ${ctx.now()}::timestamptz, companies.timezone)
    ) AS spent
    WHERE companies.id = ${ctx.companyId}`;
  if (!budget) throw new Error('The company is gone.');
  return budget;
}

/** Whether nothing is left. A call that began before the last unit was spent still ends. */
export function isSpent({ monthlyBudget, monthlyTokens, cost, tokens }: Budget): boolean {
  return (
    (monthlyBudget !== null && cost >= monthlyBudget) || (monthlyTokens !== null && tokens >= monthlyTokens)
  );
}
