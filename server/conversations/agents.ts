import { Prisma } from '../../prisma/generated/client/client.ts';
import type { Context } from '../platform/context.ts';
import { invalidField } from '../platform/errors.ts';
import { readRows } from '../platform/rows.ts';

/** An agent of the company. */
export interface Agent {
  id: string;
  name: string;
  email: string;
}

/** Active agents by lower-cased e-mail; deactivated ones and strangers are missing. One statement. */
export async function agentsByEmail(ctx: Context, emails: readonly string[]): Promise<Map<string, Agent>> {
  if (emails.length === 0) return new Map();
  const rows = await readRows<Agent>(
    ctx,
    Prisma.sql`
    SELECT id, display_name AS name, email FROM users
    WHERE company_id = ${ctx.companyId} AND lower(email) = ANY(${emails.map((email) => email.toLowerCase())})
      AND deactivated_at IS NULL`,
  );
  return new Map(rows.map((agent) => [agent.email.toLowerCase(), agent]));
}

/** @throws AppError `validation_failed`, param `assignee`, for anyone but an active agent of the company */
export async function requireAssignee(ctx: Context, assignee: string): Promise<Agent> {
  const email = assignee === 'me' ? ctx.principal.user?.email : assignee;
  const agent =
    email === undefined ? undefined : (await agentsByEmail(ctx, [email])).get(email.toLowerCase());
  if (!agent) throw invalidField('assignee', 'unknown_id', 'Must be the e-mail of an agent, or `me`.');
  return agent;
}
