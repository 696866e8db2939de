import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { InvitationCreate, InvitationPath } from '../../schema/agents.ts';
import { conflict, invalidField, notFound } from '../platform/errors.ts';
import { isId, newId } from '../platform/ids.ts';
import { mailJob } from '../platform/mail.ts';
import { inAnyCase } from '../platform/names.ts';
import { mutation, query } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { asHouse } from '../platform/wall.ts';
import { requireGrantableRole } from '../roles/service.ts';

const admin = { access: 'admin', liveOnly: true } as const;
const include = { role: true, invitedBy: true } as const;
/** How long an invitation can be accepted, in days. */
const days = 7;
/** Open invitations of one company. */
const maximum = 200;

/** Those that can still be accepted, newest first. */
export const listInvitations = query({ ...admin, input: z.object({}) }, (ctx) =>
  ctx.db.invitation.findMany({
    where: {
      companyId: ctx.companyId,
      acceptedAt: null,
      revokedAt: null,
      expiresAt: { gt: ctx.now() },
    },
    include,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: maximum,
  }),
);

/**
 * Invites somebody by mail; the link is in the answer too, and nowhere else. An earlier invitation of the same e-mail
 * ends. An agent of the company without a login gets one by it.
 */
export const createInvitation = mutation(
  { ...admin, input: InvitationCreate },
  async (ctx, { email, role }) => {
    const { companyId } = ctx;
    const { id: roleId } = await requireGrantableRole(ctx, role);
    await refuseTaken(ctx, email);
    const now = ctx.now();
    const same = { companyId, email: inAnyCase(email) };
    const open = { acceptedAt: null, revokedAt: null };
    await ctx.db.invitation.updateMany({ where: { ...same, ...open }, data: { revokedAt: now } });
    if ((await ctx.db.invitation.count({ where: { companyId, ...open, expiresAt: { gt: now } } })) >= maximum)
      throw conflict(`At most ${maximum} invitations can be open.`);
    const token = randomBytes(32).toString('base64url');
    const row = await ctx.db.invitation.create({
      data: {
        companyId,
        id: newId(),
        email,
        roleId,
        tokenHash: hashOfToken(token),
        invitedById: ctx.principal.user?.id ?? null,
        expiresAt: new Date(now.getTime() + days * 24 * 3_600_000),
        createdAt: now,
      },
      include,
    });
    const link = `${ctx.app.publicUrl()}/invitation#${token}`;
    const text = [
      'Hello,',
      '',
      `${ctx.principal.name} invites you to work with ${ctx.principal.account.name} in Parlour:`,
      link,
      '',
      `The link works once, for ${days} days.`,
    ].join('\n');
    const subject = `${ctx.principal.account.name} invites you`;
    await ctx.enqueue('mail.send', mailJob(ctx.app, { to: email, subject, text }));
    return { ...row, link };
  },
);

export const revokeInvitation = mutation({ ...admin, input: InvitationPath }, async (ctx, { invitation }) => {
  const where = { companyId_id: { companyId: ctx.companyId, id: invitation } };
  const row = isId(invitation) ? await ctx.db.invitation.findUnique({ where, include }) : null;
  if (!row) throw notFound();
  if (row.acceptedAt) throw conflict('It was accepted. Deactivate the agent instead.');
  if (row.revokedAt) return row;
  return ctx.db.invitation.update({ where, data: { revokedAt: ctx.now() }, include });
});

export function hashOfToken(token: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash('sha256').update(token).digest());
}

/** Whoever signs in here already needs no invitation; who does elsewhere can't have one. */
async function refuseTaken(ctx: WorkContext, email: string): Promise<void> {
  const [taken] = await asHouse(ctx, () =>
    ctx.db.user.findMany({
      where: { email: inAnyCase(email), mirrorOf: null },
      select: { id: true, companyId: true, loginId: true },
      take: 1,
    }),
  );
  if (!taken || (taken.companyId === ctx.companyId && taken.loginId === null)) return;
  const existing = taken.companyId === ctx.companyId ? taken.id : undefined;
  throw invalidField('email', 'duplicate', `${email} is the e-mail of an agent already.`, existing);
}
