import { z } from 'zod';
import { Prisma } from '../../prisma/generated/client/client.ts';
import { type Availability, AvailabilityUpdate, CapacityUpdate } from '../../schema/availability.ts';
import { announce } from '../platform/announce.ts';
import type { Context } from '../platform/context.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import { mutation, query } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { askForAssignment } from './auto-assign.ts';

/** An active agent, with how much they have to do. */
export interface AgentRow {
  id: string;
  name: string;
  email: string;
  role: string;
  availability: Availability;
  capacity: number | null;
  openConversations: number;
}

function agentsWhere(ctx: Context, condition: Prisma.Sql): Promise<AgentRow[]> {
  return ctx.db.$queryRaw<AgentRow[]>`
    SELECT users.id, users.display_name AS name, users.email, roles.name AS role, users.availability, users.capacity,
      (SELECT count(*)::int FROM conversations c WHERE c.company_id = ${ctx.companyId}
        AND c.assignee_id = users.id AND c.status = 'open' AND NOT c.archived) AS "openConversations"
    FROM users JOIN roles ON roles.company_id = ${ctx.companyId} AND roles.id = users.role_id
    WHERE users.company_id = ${ctx.companyId} AND users.deactivated_at IS NULL AND ${condition}
    ORDER BY users.display_name, users.id`;
}

async function findAgent(ctx: Context, id: string): Promise<AgentRow | null> {
  if (!isId(id)) return null;
  return (await agentsWhere(ctx, Prisma.sql`users.id = ${id}`))[0] ?? null;
}

/** Active agents in the order of their names; as many as a company has, so not paged. */
export const listAgents = query({ access: 'inbox.access', dashboardOnly: true, input: z.object({}) }, (ctx) =>
  agentsWhere(ctx, Prisma.sql`true`),
);

/** Agents say it of themselves. Whoever goes away or offline keeps their conversations. */
export const setAvailability = mutation(
  { access: 'inbox.access', dashboardOnly: true, input: AvailabilityUpdate },
  async (ctx, { availability }) => {
    const id = ctx.principal.user?.id;
    if (id === undefined) throw forbidden('Only an agent can do that.');
    return changeAgent(ctx, id, { availability });
  },
);

/** So many open conversations auto-assignment may give to an agent; what they have beyond it they keep. */
export const setCapacity = mutation(
  {
    access: 'admin',
    input: CapacityUpdate,
    targets: { agent: async (ctx, id) => (await findAgent(ctx, id)) !== null },
  },
  (ctx, { agent, capacity }) => changeAgent(ctx, agent, { capacity }),
);

/** Tells the dashboards of the company. Whoever may take more now is given it. */
async function changeAgent(
  ctx: WorkContext,
  id: string,
  change: Partial<Pick<AgentRow, 'availability' | 'capacity'>>,
): Promise<AgentRow> {
  const before = await findAgent(ctx, id);
  if (!before) throw notFound();
  const after = { ...before, ...change };
  if (after.availability === before.availability && after.capacity === before.capacity) return before;
  await ctx.db.user.update({
    where: { companyId_id: { companyId: ctx.companyId, id } },
    data: { ...change, updatedAt: ctx.now() },
    select: { id: true },
  });
  const { availability, capacity } = after;
  announce(ctx, { type: 'agent.updated', object: { id, availability, capacity } });
  if (availability === 'online') await askForAssignment(ctx);
  return after;
}
