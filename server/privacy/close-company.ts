import { CompanyClosing, CompanyName } from '../../schema/sign-in.ts';
import type { Identity } from '../account/identity.ts';
import { passwordIsWrong, requireOk, whose } from '../account/sign-in.ts';
import { announceAccessChange } from '../platform/access.ts';
import { accessChannel } from '../platform/auth.ts';
import { createContext } from '../platform/context.ts';
import { AppError, conflict, invalidField, notFound } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import { mailJob } from '../platform/mail.ts';
import { execute, mutation } from '../platform/operation.ts';
import type { Services } from '../platform/services.ts';
import { type SignInStep, signInStep } from '../platform/sign-in-step.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { announceChange } from '../webhooks/service.ts';

/** Days between closing and erasure, in which whoever runs the server can open the company again. */
export const closedDays = 30;

/**
 * Closes the company: sessions and keys end at once, nothing is sent and nothing is taken in, and all of it is erased
 * after {@link closedDays}. The Owner's password is asked for by the step that leads here.
 * @throws AppError `validation_failed` with param `name` unless it is the company's own
 */
export const closeCompany = mutation(
  { access: 'owner', dashboardOnly: true, liveOnly: true, input: CompanyName },
  async (ctx, { name }) => {
    await ctx.db.$queryRaw`SELECT 1 FROM companies WHERE id = ${ctx.companyId} FOR NO KEY UPDATE`;
    const before = await ctx.db.company.findUniqueOrThrow({ where: { id: ctx.companyId } });
    if (name !== before.name) throw invalidField('name', 'not_allowed', 'Must be the name of the company.');
    const now = ctx.now();
    await ctx.db.company.update({
      where: { id: before.id },
      data: { closedAt: before.closedAt ?? now, version: { increment: 1 }, updatedAt: now },
    });
    const people = await ctx.db.user.findMany({
      where: { companyId: before.id, loginId: { not: null } },
      select: { loginId: true, email: true, role: { select: { key: true } } },
    });
    const logins = people.flatMap(({ loginId }) => loginId ?? []);
    await ctx.db.session.deleteMany({ where: { userId: { in: logins } } });
    announceAccessChange(ctx);
    await stopWebhooks(ctx);
    const erasedAt = erasureOf(now);
    for (const { email, role } of people)
      if (role.key === 'owner') await ctx.enqueue('mail.send', letter(ctx, email, before, erasedAt));
    return { erasedAt };
  },
);

/** The door to it: the Owner types the name of the company and the password. Their session ends with it. */
export function closingSteps(app: Services, identity: () => Promise<Identity>): SignInStep[] {
  return [
    signInStep({
      path: '/close-company',
      input: CompanyClosing,
      session: true,
      guesses: whose,
      async run({ headers, principal, requestId }, { name, password }) {
        if (!principal) throw new AppError('unauthenticated', 'Sign in first.');
        const { api } = await identity();
        const answer = await api.verifyPassword({ body: { password }, headers, asResponse: true });
        await requireOk(answer, passwordIsWrong('password'));
        const address = headers.get('x-client-address') ?? undefined;
        const ctx = { ...createContext(app, principal, requestId), address };
        const { erasedAt } = await execute(closeCompany, ctx, { name });
        return { data: { closed: true, erased_at: erasedAt.toISOString() } };
      },
    }),
  ];
}

/** When what was closed at that time is erased. */
export function erasureOf(closedAt: Date): Date {
  return new Date(closedAt.getTime() + closedDays * 24 * 60 * 60 * 1000);
}

/** Who delivers looks at the endpoints again, and finds that they are nobody's. */
async function stopWebhooks(ctx: WorkContext): Promise<void> {
  const endpoints = await ctx.db.webhookEndpoint.findMany({
    where: { companyId: ctx.companyId, enabled: true },
    select: { id: true },
  });
  for (const { id } of endpoints) announceChange(ctx, id);
}

function letter(ctx: WorkContext, to: string, { id, name }: { id: string; name: string }, erasedAt: Date) {
  const text = [
    `${name} was closed by ${ctx.principal.name}. Nobody can sign in, and its API keys, webhooks and channels are off.`,
    '',
    `On ${erasedAt.toISOString().slice(0, 10)} all that it kept is erased. Until then whoever runs the server can open`,
    'it again:',
    '',
    `  npx parlour companies restore ${id}`,
  ].join('\n');
  return mailJob(ctx.app, { to, subject: `${name} was closed`, text });
}

/**
 * Opens a closed company again, on the command line alone: keys work, people sign in, what waited is sent.
 * @throws AppError `not_found`, and `conflict` for one that is open
 */
export async function restoreCompany(app: Pick<Services, 'prisma' | 'clock'>, id: string) {
  const where = { id, sandboxOf: null };
  return acrossTenants(() =>
    app.prisma.$transaction(async (db) => {
      const found = isId(id) ? await db.company.findFirst({ where }) : null;
      if (!found) throw notFound();
      const { count } = await db.company.updateMany({
        where: { ...where, closedAt: { not: null } },
        data: { closedAt: null, version: { increment: 1 }, updatedAt: app.clock.now() },
      });
      if (count === 0) throw conflict('The company is open.');
      await db.$executeRaw`SELECT pg_notify(${accessChannel}, ${id})`;
      return { id, name: found.name };
    }),
  );
}
