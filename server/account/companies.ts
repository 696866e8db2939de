import { z } from 'zod';
import { email, text } from '../../schema/common.ts';
import { currency, timezone } from '../../schema/company.ts';
import { type SystemRole, systemRoles } from '../../schema/scopes.ts';
import { newPassword } from '../../schema/sign-in.ts';
import type { Services } from '../platform/services.ts';
import type { Db } from '../platform/database.ts';
import { conflict } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import { validationError } from '../platform/validation.ts';
import { fillSandbox } from '../sandbox/fixtures.ts';
import { fixtureIds } from '../sandbox/ids.ts';
import { opened } from '../sandbox/stage.ts';
import { hashPassword } from './password.ts';
import { addUser, refuseTakenEmail } from './users.ts';

const CompanyCreate = z.object({
  name: text(191, 1),
  ownerEmail: email,
  ownerPassword: newPassword,
  /** Display name; the part of the e-mail before the @ unless given. */
  ownerName: text(191, 1).optional(),
  timezone: timezone.default('UTC'),
  currency: currency.default('USD'),
  /** Chosen by the caller only where a run may be repeated (the demo company). */
  id: z.string().optional(),
});
export type CompanyCreate = z.input<typeof CompanyCreate>;

/** Ids of a new live company and of its Owner. */
export interface NewCompany {
  company: string;
  owner: string;
}

/**
 * Makes a live company: its roles, its Owner with a login, and its sandbox twin with the same roles, a mirror of the
 * Owner and the fixtures that test keys see. One transaction: all of it or nothing. A live company starts without a
 * channel; the twin has a simulator.
 * @param options onlyFirst: refuses with `conflict` where any company exists, also one that is being made right now
 * @throws AppError `validation_failed`; code `duplicate` when somebody signs in with the e-mail already
 */
export async function createCompany(
  app: Pick<Services, 'prisma' | 'clock'>,
  given: CompanyCreate,
  { onlyFirst = false }: { onlyFirst?: boolean } = {},
): Promise<NewCompany> {
  const parsed = CompanyCreate.safeParse(given);
  if (!parsed.success) throw validationError(parsed.error, given);
  const input = parsed.data;
  await refuseTakenEmail(app, 'ownerEmail', input.ownerEmail);
  const passwordHash = await hashPassword(input.ownerPassword);
  const now = app.clock.now();
  const id = input.id ?? newId();
  const mirrored = fixtureIds(id);
  const twinId = mirrored('company', opened);
  const owner = { email: input.ownerEmail, name: input.ownerName ?? nameOf(input.ownerEmail) };
  const settings = {
    name: input.name,
    timezone: input.timezone,
    currency: input.currency,
    createdAt: now,
    updatedAt: now,
  };

  const create = async (db: Db) => {
    if (onlyFirst) await refuseSecond(db);
    await db.company.createMany({
      data: [
        { id, ...settings },
        { id: twinId, ...settings, sandboxOf: id },
      ],
    });
    const roles = await addRoles(db, id, () => newId(), now);
    const twinRoles = await addRoles(db, twinId, (role) => mirrored(`role/${role}`, opened), now);
    const live = { companyId: id, roleId: roles.owner };
    const twin = { companyId: twinId, roleId: twinRoles.owner, id: mirrored('agent/owner', opened) };
    const user = await addUser(db, { ...owner, passwordHash, now, live, twin });
    await fillSandbox(db, {
      liveCompanyId: id,
      companyId: twinId,
      currency: input.currency,
      owner: { type: 'agent', id: twin.id, ...owner },
    });
    return { company: id, owner: user };
  };
  return acrossTenants(() => app.prisma.$transaction(create, { timeout: 30_000, maxWait: 10_000 }));
}

/** Any constant will do; it only has to differ from other advisory locks of this database. */
const setUpLock = 7_203_114_404;

async function refuseSecond(db: Db): Promise<void> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(${setUpLock})`;
  if (await db.company.findFirst({ select: { id: true } }))
    throw conflict('This installation has an Owner already.');
}

const roleNames = { owner: 'Owner', admin: 'Admin', agent: 'Agent' } as const satisfies Record<
  SystemRole,
  string
>;

/** The roles every company starts with; it may edit them later. */
async function addRoles(db: Db, companyId: string, idOf: (role: SystemRole) => string, now: Date) {
  const ids = { owner: idOf('owner'), admin: idOf('admin'), agent: idOf('agent') };
  await db.role.createMany({
    data: (Object.keys(ids) as SystemRole[]).map((key) => ({
      companyId,
      id: ids[key],
      key,
      name: roleNames[key],
      permissions: [...systemRoles[key]].sort(),
      createdAt: now,
      updatedAt: now,
    })),
  });
  return ids;
}

/** `ana.lopes@example.com` → `Ana Lopes`. */
function nameOf(address: string): string {
  const words = (address.split('@')[0] ?? '').split(/[._+-]+/).filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ') || address;
}
