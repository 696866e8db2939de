import { inAnyCase } from '../platform/names.ts';
import type { Services } from '../platform/services.ts';
import type { Db } from '../platform/database.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { acrossTenants } from '../platform/tenancy.ts';

interface NewUser {
  email: string;
  name: string;
  /** Null: no login yet; the agent can act through a key, not sign in. */
  passwordHash: string | null;
  now: Date;
  live: { companyId: string; roleId: string };
  /** The mirror in the sandbox twin: same e-mail and name, no login. */
  twin: { companyId: string; roleId: string; id: string | ((userId: string) => string) };
}

/** Adds an agent and its mirror; returns the live user's id. `db` is a transaction. */
export async function addUser(db: Db, user: NewUser): Promise<string> {
  const { email, name, passwordHash, now, live, twin } = user;
  const loginId = passwordHash === null ? null : await addLogin(db, { email, name, passwordHash, now });
  const id = newId();
  const common = { email, displayName: name, createdAt: now, updatedAt: now };
  await db.user.create({ data: { ...live, id, ...common, loginId } });
  const mirror = typeof twin.id === 'string' ? twin.id : twin.id(id);
  await db.user.create({ data: { ...twin, id: mirror, ...common, mirrorOf: id } });
  return id;
}

/** A sign-in identity with a password, as better-auth keeps it. */
export async function addLogin(
  db: Db,
  { email, name, passwordHash, now }: { email: string; name: string; passwordHash: string; now: Date },
): Promise<string> {
  const stamps = { createdAt: now, updatedAt: now };
  const id = newId();
  await db.login.create({ data: { id, name, email: email.toLowerCase(), emailVerified: true, ...stamps } });
  await db.account.create({
    data: {
      id: newId(),
      accountId: id,
      providerId: 'credential',
      userId: id,
      password: passwordHash,
      ...stamps,
    },
  });
  return id;
}

/**
 * An e-mail signs in to one company only.
 * @throws AppError `validation_failed` with code `duplicate` when an agent of any live company has the e-mail
 */
export async function refuseTakenEmail(
  app: Pick<Services, 'prisma'>,
  param: string,
  email: string,
): Promise<void> {
  const taken = await acrossTenants(async () => {
    const user = await app.prisma.user.findFirst({
      where: { email: inAnyCase(email), mirrorOf: null },
      select: { id: true },
    });
    return (
      user ?? app.prisma.login.findUnique({ where: { email: email.toLowerCase() }, select: { id: true } })
    );
  });
  if (taken) throw invalidField(param, 'duplicate', `${email} is the e-mail of an agent already.`);
}
