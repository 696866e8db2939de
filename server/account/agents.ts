import { z } from 'zod';
import { email, text } from '../../schema/common.ts';
import { type SystemRole, systemRoles } from '../../schema/scopes.ts';
import { newPassword } from '../../schema/sign-in.ts';
import type { Services } from '../platform/services.ts';
import type { Db } from '../platform/database.ts';
import { notFound } from '../platform/errors.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import { validationError } from '../platform/validation.ts';
import { fixtureIds } from '../sandbox/ids.ts';
import { opened } from '../sandbox/stage.ts';
import { hashPassword } from './password.ts';
import { addUser, refuseTakenEmail } from './users.ts';

const AgentCreate = z.object({
  email,
  name: text(191, 1),
  role: z.enum(Object.keys(systemRoles) as [SystemRole, ...SystemRole[]]).default('agent'),
  password: newPassword.optional(),
});

export interface NewAgent {
  id: string;
  email: string;
}

/**
 * Adds an agent to a live company, and its mirror to the sandbox twin, in one transaction. Without a password the
 * agent has no login yet.
 * @throws AppError `not_found` for an unknown company; `validation_failed`, code `duplicate` for a taken e-mail
 */
export async function createAgent(
  app: Pick<Services, 'prisma' | 'clock'>,
  { company, ...given }: z.input<typeof AgentCreate> & { company: string },
): Promise<NewAgent> {
  const parsed = AgentCreate.safeParse(given);
  if (!parsed.success) throw validationError(parsed.error, given);
  const { name, role, ...input } = parsed.data;
  const live = await liveCompany(app, company);
  await refuseTakenEmail(app, 'email', input.email);
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password);
  const now = app.clock.now();

  const create = async (db: Db) => {
    const roleOf = async (companyId: string) => {
      const { id } = await db.role.findUniqueOrThrow({ where: { companyId_key: { companyId, key: role } } });
      return { companyId, roleId: id };
    };
    const mirrored = fixtureIds(company);
    const id = await addUser(db, {
      email: input.email,
      name,
      passwordHash,
      now,
      live: await roleOf(company),
      twin: { ...(await roleOf(live.twin)), id: (userId) => mirrored(`agent/${userId}`, opened) },
    });
    return { id, email: input.email };
  };
  return acrossTenants(() => app.prisma.$transaction(create));
}

async function liveCompany(app: Pick<Services, 'prisma'>, id: string): Promise<{ twin: string }> {
  const row = await acrossTenants(() =>
    app.prisma.company.findUnique({ where: { id }, include: { sandbox: { select: { id: true } } } }),
  );
  if (!row?.sandbox || row.closedAt) throw notFound();
  return { twin: row.sandbox.id };
}
