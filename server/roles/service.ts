import { z } from 'zod';
import { RoleCreate, RolePath, RoleUpdate } from '../../schema/agents.ts';
import type { Scope } from '../../schema/scopes.ts';
import { announceAccessChange } from '../platform/access.ts';
import type { Context } from '../platform/context.ts';
import { conflict, forbidden, invalidField, notFound } from '../platform/errors.ts';
import { isId, newId } from '../platform/ids.ts';
import { refuseTakenName } from '../platform/names.ts';
import { mutation, query } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { asHouse } from '../platform/wall.ts';
import { fixtureIds } from '../sandbox/ids.ts';
import { opened } from '../sandbox/stage.ts';

const admin = { access: 'admin', liveOnly: true } as const;

/** A company's own roles. */
const maximum = 50;

export const listRoles = query(
  { access: 'any', dashboardOnly: true, liveOnly: true, input: z.object({}) },
  (ctx) =>
    ctx.db.role.findMany({
      where: { companyId: ctx.companyId },
      include: { _count: { select: { users: { where: { deactivatedAt: null } } } } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    }),
);

export const createRole = mutation({ ...admin, input: RoleCreate }, async (ctx, { name, permissions }) => {
  const { companyId } = ctx;
  const id = newId();
  const now = ctx.now();
  await refuseTakenName(ctx, 'role', name, id);
  if ((await ctx.db.role.count({ where: { companyId } })) >= maximum)
    throw conflict(`A company has at most ${maximum} roles.`);
  const granted = grantable(ctx, permissions);
  const values = { name, permissions: granted, createdAt: now, updatedAt: now };
  await ctx.db.role.create({ data: { companyId, id, ...values } });
  const twin = await twinOf(ctx);
  await asHouse(ctx, () =>
    ctx.db.role.create({ data: { companyId: twin, id: mirrorOf(companyId, id), ...values } }),
  );
  return requireRole(ctx, id);
});

/** Agents and keys with the role gain and lose at once. What is not held oneself can't be granted. */
export const updateRole = mutation(
  { ...admin, input: RoleUpdate },
  async (ctx, { role, name, permissions }) => {
    const before = await requireRole(ctx, role);
    if (before.key === 'owner') throw conflict('The Owner may do everything, always.');
    if (name !== undefined) await refuseTakenName(ctx, 'role', name, before.id);
    const added = permissions?.filter((scope) => !before.permissions.includes(scope)) ?? [];
    grantable(ctx, added, permissions);
    const data = {
      ...(name === undefined ? {} : { name }),
      ...(permissions === undefined ? {} : { permissions: [...new Set(permissions)].sort() }),
      updatedAt: ctx.now(),
    };
    const { companyId } = ctx;
    await ctx.db.role.update({ where: { companyId_id: { companyId, id: before.id } }, data });
    const twin = await twinOf(ctx);
    const same = before.key === null ? { id: mirrorOf(companyId, before.id) } : { key: before.key };
    await asHouse(ctx, () => ctx.db.role.updateMany({ where: { companyId: twin, ...same }, data }));
    announceAccessChange(ctx);
    return requireRole(ctx, before.id);
  },
);

/** Only the company's own, and only while nobody has it. */
export const deleteRole = mutation({ ...admin, input: RolePath }, async (ctx, { role }) => {
  const { companyId } = ctx;
  const { id, key } = await requireRole(ctx, role);
  if (key !== null) throw conflict('Every company has this role.');
  const where = { companyId, roleId: id };
  // Invitations that ended still name it.
  await ctx.db.invitation.deleteMany({
    where: { ...where, OR: [{ revokedAt: { not: null } }, { acceptedAt: { not: null } }] },
  });
  if ((await ctx.db.user.count({ where })) + (await ctx.db.invitation.count({ where })) > 0)
    throw conflict('Agents or invitations have this role. Give them another one first.');
  await ctx.db.role.delete({ where: { companyId_id: { companyId, id } } });
  const twin = await twinOf(ctx);
  await asHouse(ctx, () =>
    ctx.db.role.deleteMany({ where: { companyId: twin, id: mirrorOf(companyId, id) } }),
  );
  return { id };
});

/** @throws AppError `not_found` */
export async function requireRole(ctx: Context, id: string) {
  const { companyId } = ctx;
  const row = isId(id)
    ? await ctx.db.role.findUnique({
        where: { companyId_id: { companyId, id } },
        include: { _count: { select: { users: { where: { deactivatedAt: null } } } } },
      })
    : null;
  if (!row) throw notFound();
  return row;
}

/**
 * A role that the caller may give to somebody.
 * @throws AppError `validation_failed` for an unknown one, the Owner's, or one with more than the caller has
 */
export async function requireGrantableRole(ctx: WorkContext, id: string) {
  const { companyId } = ctx;
  const role = await ctx.db.role.findFirst({ where: { companyId, id } });
  if (!role) throw invalidField('role', 'unknown_id', 'Must be a role of the company.');
  if (role.key === 'owner')
    throw invalidField('role', 'not_allowed', 'Ownership is transferred, not given with a role.');
  if (role.permissions.some((scope) => !holds(ctx, scope)))
    throw invalidField('role', 'not_allowed', 'The role may do more than you.');
  return role;
}

/** The role of the sandbox twin that mirrors one of the live company. */
export async function mirroredRole(ctx: WorkContext, role: { id: string; key: string | null }) {
  const twin = await twinOf(ctx);
  const same = role.key === null ? { id: mirrorOf(ctx.companyId, role.id) } : { key: role.key };
  const found = await asHouse(ctx, () =>
    ctx.db.role.findFirstOrThrow({ where: { companyId: twin, ...same }, select: { id: true } }),
  );
  return { companyId: twin, roleId: found.id };
}

/** Id of the company's sandbox twin. */
async function twinOf({ db, companyId }: Context): Promise<string> {
  const { id } = await db.company.findUniqueOrThrow({
    where: { sandboxOf: companyId },
    select: { id: true },
  });
  return id;
}

const mirrorOf = (companyId: string, id: string) => fixtureIds(companyId)(`role/${id}`, opened);

/** The permissions, sorted, if the caller holds those that are asked about. */
function grantable(ctx: WorkContext, asked: readonly Scope[], all: readonly Scope[] = asked): Scope[] {
  const refused = asked.find((scope) => !holds(ctx, scope));
  if (refused !== undefined)
    throw invalidField(`permissions.${all.indexOf(refused)}`, 'not_allowed', `You do not hold ${refused}.`);
  return [...new Set(all)].sort();
}

function holds({ principal }: WorkContext, scope: string): boolean {
  if (principal.kind === 'api_key') throw forbidden();
  return principal.kind === 'system' || (principal.grants as ReadonlySet<string>).has(scope);
}
