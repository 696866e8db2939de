import { grantNames } from '../../schema/scopes.ts';
import { type Context, createContext } from './context.ts';
import { notFound } from './errors.ts';
import { isId, newId } from './ids.ts';
import type { Services } from './services.ts';
import { acrossTenants, inTenant } from './tenancy.ts';

/**
 * A context for the command line and for jobs: the system acts on a live company, with every grant.
 * @throws AppError `not_found` for an unknown or closed company, and for a sandbox twin: nothing acts on one as live
 */
export async function systemContext(app: Services, companyId: string): Promise<Context> {
  const company = isId(companyId)
    ? await acrossTenants(() => app.prisma.company.findUnique({ where: { id: companyId } }))
    : null;
  if (!company || company.sandboxOf !== null || company.closedAt) throw notFound();
  const { id, name, timezone, currency } = company;
  const reference = { id, name, timezone, currency };
  const principal = {
    kind: 'system' as const,
    id: null,
    name: 'Parlour',
    user: null,
    account: reference,
    company: reference,
    livemode: true,
    role: null,
    grants: new Set(grantNames),
  };
  return createContext(app, principal, newId());
}

/** Lets the system act on a live company, as jobs do. @throws AppError `not_found` as `systemContext` */
export async function asSystem<T>(
  app: Services,
  companyId: string,
  act: (ctx: Context) => Promise<T>,
): Promise<T> {
  const ctx = await systemContext(app, companyId);
  return inTenant(companyId, () => act(ctx));
}
