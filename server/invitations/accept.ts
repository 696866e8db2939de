import { InvitationAcceptance, InvitationToken } from '../../schema/sign-in.ts';
import type { Identity } from '../account/identity.ts';
import { hashPassword } from '../account/password.ts';
import { signIn } from '../account/sign-in.ts';
import { addLogin, addUser, refuseTakenEmail } from '../account/users.ts';
import type { Db } from '../platform/database.ts';
import { invalidField } from '../platform/errors.ts';
import { inAnyCase } from '../platform/names.ts';
import type { Services } from '../platform/services.ts';
import { type SignInStep, signInStep } from '../platform/sign-in-step.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import { fixtureIds } from '../sandbox/ids.ts';
import { opened } from '../sandbox/stage.ts';
import { hashOfToken } from './service.ts';

/** What somebody does who was invited: looks whom by, then chooses a name and a password, and is in. */
export function invitationSteps(app: Services, identity: () => Promise<Identity>): SignInStep[] {
  return [
    signInStep({
      path: '/invitation',
      input: InvitationToken,
      guesses: () => null,
      async run(_call, { token }) {
        const { email, company, role, invitedBy } = await acrossTenants(() =>
          openInvitation(app, app.prisma, token),
        );
        return {
          data: { email, company: company.name, role: role.name, invited_by: invitedBy?.displayName ?? null },
        };
      },
    }),
    signInStep({
      path: '/invitation/accept',
      input: InvitationAcceptance,
      guesses: () => null,
      async run(call, { token, name, password }) {
        const passwordHash = await hashPassword(password);
        const email = await acrossTenants(() =>
          app.prisma.$transaction((db: Db) => accept(app, db, { token, name, passwordHash })),
        );
        return signIn(await identity(), call, { email, password });
      },
    }),
  ];
}

interface Acceptance {
  token: string;
  name: string;
  passwordHash: string;
}

async function accept(app: Services, db: Db, { token, name, passwordHash }: Acceptance): Promise<string> {
  const hash = hashOfToken(token);
  await db.$executeRaw`SELECT 1 FROM invitations WHERE token_hash = ${hash} FOR UPDATE`;
  const { id, companyId, email, role, company } = await openInvitation(app, db, token);
  const now = app.clock.now();
  const without = await db.user.findFirst({
    where: { companyId, email: inAnyCase(email), loginId: null },
  });
  const twin = company.sandbox?.id;
  if (twin === undefined) throw new Error('The company has no sandbox.');
  const mirrored = fixtureIds(companyId);
  const same = role.key === null ? { id: mirrored(`role/${role.id}`, opened) } : { key: role.key };
  const twinRole = await db.role.findFirstOrThrow({ where: { companyId: twin, ...same } });
  if (without) {
    const loginId = await addLogin(db, { email: without.email, name, passwordHash, now });
    const data = { displayName: name, deactivatedAt: null, updatedAt: now };
    await db.user.update({
      where: { companyId_id: { companyId, id: without.id } },
      data: { ...data, loginId, roleId: role.id },
    });
    await db.user.updateMany({ where: { mirrorOf: without.id }, data: { ...data, roleId: twinRole.id } });
  } else {
    await refuseTakenEmail(app, 'token', email);
    await addUser(db, {
      email,
      name,
      passwordHash,
      now,
      live: { companyId, roleId: role.id },
      twin: {
        companyId: twin,
        roleId: twinRole.id,
        id: (userId) => mirrored(`agent/${userId}`, opened),
      },
    });
  }
  await db.invitation.update({ where: { companyId_id: { companyId, id } }, data: { acceptedAt: now } });
  return email;
}

/** @throws AppError `validation_failed` for a link that is unknown, was used, was revoked or has expired */
async function openInvitation(app: Services, db: Db, token: string) {
  const found = await db.invitation.findUnique({
    where: { tokenHash: hashOfToken(token) },
    include: { company: { include: { sandbox: { select: { id: true } } } }, role: true, invitedBy: true },
  });
  const gone = !found || found.acceptedAt || found.revokedAt || found.expiresAt <= app.clock.now();
  if (gone || found.company.closedAt)
    throw invalidField('token', 'not_allowed', 'The invitation was used, withdrawn or is too old.');
  return found;
}
