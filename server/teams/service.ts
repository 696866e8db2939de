import { z } from 'zod';
import type { Prisma } from '../../prisma/generated/client/client.ts';
import { pathId } from '../../schema/common.ts';
import { TeamCreate, TeamUpdate } from '../../schema/teams.ts';
import type { Context } from '../platform/context.ts';
import { type Detail, invalid, invalidField, notFound } from '../platform/errors.ts';
import { isId, newId } from '../platform/ids.ts';
import { mutation, query } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';

const teamPath = { team: pathId };

const withMembers = {
  members: {
    select: { user: { select: { displayName: true, email: true } } },
    where: { user: { deactivatedAt: null } },
    orderBy: { user: { email: 'asc' } },
  },
} as const satisfies Prisma.TeamInclude;

export type TeamRecord = Prisma.TeamGetPayload<{ include: typeof withMembers }>;

async function findTeam(ctx: Context, id: string): Promise<TeamRecord | null> {
  if (!isId(id)) return null;
  return ctx.db.team.findUnique({
    where: { companyId_id: { companyId: ctx.companyId, id } },
    include: withMembers,
  });
}

async function requireTeam(ctx: Context, id: string): Promise<TeamRecord> {
  const team = await findTeam(ctx, id);
  if (!team) throw notFound();
  return team;
}

const teamTargets = { team: async (ctx: Context, id: string) => (await findTeam(ctx, id)) !== null };

/** In name order. Whoever works in the inbox may see them, to transfer to one. */
export const listTeams = query({ access: 'inbox.access', input: z.object({}) }, (ctx) =>
  ctx.db.team.findMany({
    where: { companyId: ctx.companyId },
    include: withMembers,
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  }),
);

export const createTeam = mutation(
  { access: 'admin', input: TeamCreate },
  async (ctx, { name, slug, members = [] }) => {
    const id = newId();
    const now = ctx.now();
    const chosen = slug ?? slugOf(name);
    await refuseTakenSlug(ctx, chosen, id);
    const { companyId } = ctx;
    await ctx.db.team.create({ data: { companyId, id, name, slug: chosen, createdAt: now, updatedAt: now } });
    await setMembers(ctx, id, members);
    return requireTeam(ctx, id);
  },
);

export const updateTeam = mutation(
  { access: 'admin', input: TeamUpdate.extend(teamPath), targets: teamTargets },
  async (ctx, { team, name, slug, members }) => {
    const { id } = await requireTeam(ctx, team);
    if (slug !== undefined) await refuseTakenSlug(ctx, slug, id);
    await ctx.db.team.update({
      where: { companyId_id: { companyId: ctx.companyId, id } },
      data: {
        ...(name === undefined ? {} : { name }),
        ...(slug === undefined ? {} : { slug }),
        updatedAt: ctx.now(),
      },
    });
    if (members) await setMembers(ctx, id, members);
    return requireTeam(ctx, id);
  },
);

/** Its conversations stay with their assignees and belong to no team. */
export const deleteTeam = mutation(
  { access: 'admin', input: z.object(teamPath), targets: teamTargets },
  async (ctx, { team }) => {
    const { id } = await requireTeam(ctx, team);
    await ctx.db.$executeRaw`
      UPDATE conversations SET team_id = NULL, version = version + 1, updated_at = ${ctx.now()}
      WHERE company_id = ${ctx.companyId} AND team_id = ${id}`;
    await ctx.db.team.delete({ where: { companyId_id: { companyId: ctx.companyId, id } } });
    return { id };
  },
);

/** @throws AppError `validation_failed` with a detail `members.N` for everyone who is no active agent */
async function setMembers(ctx: WorkContext, teamId: string, emails: readonly string[]): Promise<void> {
  const { companyId } = ctx;
  const wanted = emails.map((email) => email.toLowerCase());
  const users = await ctx.db.$queryRaw<{ id: string; email: string }[]>`
    SELECT id, lower(email) AS email FROM users
    WHERE company_id = ${companyId} AND lower(email) = ANY(${wanted}) AND deactivated_at IS NULL`;
  const [first, ...rest] = wanted.flatMap((email, index): Detail[] =>
    users.some((user) => user.email === email)
      ? []
      : [{ param: `members.${index}`, code: 'unknown_id', message: 'Must be the e-mail of an agent.' }],
  );
  if (first) throw invalid(first, ...rest);
  await ctx.db.teamMember.deleteMany({ where: { companyId, teamId } });
  await ctx.db.teamMember.createMany({
    data: users.map(({ id }) => ({ companyId, teamId, userId: id, createdAt: ctx.now() })),
  });
}

async function refuseTakenSlug(ctx: WorkContext, slug: string, self: string): Promise<void> {
  const { companyId } = ctx;
  const taken = await ctx.db.team.findUnique({ where: { companyId_slug: { companyId, slug } } });
  if (taken && taken.id !== self)
    throw invalidField('slug', 'duplicate', 'Another team has this slug.', taken.id);
}

/** `Vendas & Suporte` is `vendas-suporte`. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const slug = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
  if (slug === '') throw invalidField('slug', 'required', 'Give a slug: the name has no letters for one.');
  return slug.slice(0, 50);
}
