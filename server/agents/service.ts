import { z } from 'zod';
import { AgentPath, AgentUpdate } from '../../schema/agents.ts';
import { endSessionsOf } from '../account/sessions.ts';
import { announceAccessChange } from '../platform/access.ts';
import type { Context } from '../platform/context.ts';
import { conflict, forbidden, invalidField, notFound } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import { mutation, query } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { asHouse } from '../platform/wall.ts';
import { mirroredRole, requireGrantableRole } from '../roles/service.ts';

const admin = { access: 'admin', liveOnly: true } as const;
const include = { role: true, login: { select: { twoFactorEnabled: true } } } as const;

/** Everybody of the company, deactivated ones too. */
export const listAgents = query({ access: 'any', dashboardOnly: true, input: z.object({}) }, async (ctx) => {
  const rows = await ctx.db.user.findMany({
    where: { companyId: ctx.companyId },
    include,
    orderBy: [{ displayName: 'asc' }, { id: 'asc' }],
  });
  return rows.map((row) => ({ ...row, isMe: row.id === ctx.principal.user?.id }));
});

/** Name and role. Whoever may do more than the caller can't be changed by them. */
export const updateAgent = mutation({ ...admin, input: AgentUpdate }, async (ctx, { agent, name, role }) => {
  const before = await lockAgent(ctx, agent);
  const now = ctx.now();
  const renamed = name === undefined ? {} : { displayName: name };
  const given = role === undefined || role === before.roleId ? null : await requireGrantableRole(ctx, role);
  if (given) await keepAnOwner(ctx, before);
  const mirrored = given ? { roleId: (await mirroredRole(ctx, given)).roleId } : {};
  const { companyId } = ctx;
  await ctx.db.user.update({
    where: { companyId_id: { companyId, id: before.id } },
    data: { ...renamed, ...(given ? { roleId: given.id } : {}), updatedAt: now },
  });
  await asHouse(ctx, () =>
    ctx.db.user.updateMany({
      where: { mirrorOf: before.id },
      data: { ...renamed, ...mirrored, updatedAt: now },
    }),
  );
  if (given) announceAccessChange(ctx);
  return requireAgent(ctx, before.id);
});

/** Ends the agent's sessions and silences their keys at once. What they did stays under their name. */
export const deactivateAgent = mutation({ ...admin, input: AgentPath }, async (ctx, { agent }) => {
  const before = await lockAgent(ctx, agent);
  if (before.id === ctx.principal.user?.id) throw conflict('Nobody can deactivate themselves.');
  await keepAnOwner(ctx, before);
  if (before.deactivatedAt) return requireAgent(ctx, before.id);
  await setDeactivated(ctx, before.id, ctx.now());
  if (before.loginId !== null) await endSessionsOf(ctx.db, before.loginId);
  announceAccessChange(ctx);
  return requireAgent(ctx, before.id);
});

export const reactivateAgent = mutation({ ...admin, input: AgentPath }, async (ctx, { agent }) => {
  const before = await lockAgent(ctx, agent);
  if (!before.deactivatedAt) return requireAgent(ctx, before.id);
  await setDeactivated(ctx, before.id, null);
  announceAccessChange(ctx);
  return requireAgent(ctx, before.id);
});

/** The caller becomes an admin, the other the Owner. */
export const transferOwnership = mutation(
  { access: 'owner', liveOnly: true, input: AgentPath },
  async (ctx, { agent }) => {
    const heir = await lockAgent(ctx, agent);
    const { companyId } = ctx;
    const own = ctx.principal.user?.id;
    if (own === undefined) throw forbidden('Only the Owner may do that.');
    if (heir.id === own) throw conflict('You are the Owner already.');
    if (heir.deactivatedAt || heir.loginId === null)
      throw invalidField('agent', 'not_allowed', 'Must be an agent who signs in.');
    const roles = await ctx.db.role.findMany({ where: { companyId, key: { in: ['owner', 'admin'] } } });
    for (const [id, key] of [
      [heir.id, 'owner'],
      [own, 'admin'],
    ] as const) {
      const role = roles.find((one) => one.key === key);
      if (!role) throw new Error(`The company has no role ${key}.`);
      const mirror = await mirroredRole(ctx, role);
      await ctx.db.user.update({
        where: { companyId_id: { companyId, id } },
        data: { roleId: role.id, updatedAt: ctx.now() },
      });
      await asHouse(ctx, () =>
        ctx.db.user.updateMany({ where: { mirrorOf: id }, data: { roleId: mirror.roleId } }),
      );
    }
    announceAccessChange(ctx);
    return requireAgent(ctx, heir.id);
  },
);

async function setDeactivated(ctx: WorkContext, id: string, at: Date | null): Promise<void> {
  const { companyId } = ctx;
  const data = { deactivatedAt: at, updatedAt: ctx.now() };
  await ctx.db.user.update({ where: { companyId_id: { companyId, id } }, data });
  await asHouse(ctx, () => ctx.db.user.updateMany({ where: { mirrorOf: id }, data }));
}

/** @throws AppError `not_found` */
async function requireAgent(ctx: Context, id: string) {
  const { companyId } = ctx;
  const row = isId(id)
    ? await ctx.db.user.findUnique({ where: { companyId_id: { companyId, id } }, include })
    : null;
  if (!row) throw notFound();
  return { ...row, isMe: row.id === ctx.principal.user?.id };
}

/**
 * An agent whom the caller may change. Changes of one company's agents go one after the other, so that two of them
 * can't leave it without an Owner.
 */
async function lockAgent(ctx: WorkContext, id: string) {
  await ctx.db.$executeRaw`SELECT 1 FROM companies WHERE id = ${ctx.companyId} FOR UPDATE`;
  const agent = await requireAgent(ctx, id);
  const held = ctx.principal.grants as ReadonlySet<string>;
  const { kind, role } = ctx.principal;
  if (kind === 'system' || role === 'owner') return agent;
  if (agent.role.key === 'owner') throw forbidden('Only the Owner may change the Owner.');
  if (agent.role.permissions.some((scope) => !held.has(scope))) throw forbidden('They may do more than you.');
  return agent;
}

/** @throws AppError `conflict` when the agent is the only Owner left */
async function keepAnOwner(
  ctx: WorkContext,
  agent: { id: string; role: { key: string | null } },
): Promise<void> {
  if (agent.role.key !== 'owner') return;
  const others = await ctx.db.user.count({
    where: {
      companyId: ctx.companyId,
      id: { not: agent.id },
      deactivatedAt: null,
      loginId: { not: null },
      role: { key: 'owner' },
    },
  });
  if (others === 0) throw conflict('They are the only Owner. Transfer ownership first.');
}
