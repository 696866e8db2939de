import { AsyncLocalStorage } from 'node:async_hooks';
import { Prisma } from '../../prisma/generated/client/client.ts';

/** The company that queries may touch in this asynchronous call; `null` means the system, which may touch all. */
const tenant = new AsyncLocalStorage<{ companyId: string | null }>();

/** Runs `work` so that every query of a tenant table must name this company. */
export function inTenant<T>(companyId: string, work: () => Promise<T>): Promise<T> {
  return within({ companyId }, work);
}

/** For dispatchers and maintenance that serve all companies. Never around a request. */
export function acrossTenants<T>(work: () => Promise<T>): Promise<T> {
  return within({ companyId: null }, work);
}

/** A Prisma query starts when it is awaited, so that must happen inside, also for `() => prisma.user.findFirst(…)`. */
function within<T>(scope: { companyId: string | null }, work: () => Promise<T>): Promise<T> {
  return tenant.run(scope, async () => {
    const value = await work();
    return value;
  });
}

/**
 * Prisma extension: a query of a tenant table that names no company, or another one, is a bug and is refused
 * before it reaches the database. Keys, foreign keys and row-level security stand behind it.
 */
export const tenancy = Prisma.defineExtension({
  name: 'tenancy',
  query: {
    $allModels: {
      $allOperations({ model, operation, args, query }) {
        if (tenantModels.has(model)) guard(model, operation, args);
        return query(args);
      },
    },
  },
});

const tenantModels: ReadonlySet<string> = new Set(
  Object.values(Prisma.ModelName).filter((model) => {
    const fields: Record<string, string> | undefined = Reflect.get(Prisma, `${model}ScalarFieldEnum`);
    return fields !== undefined && 'companyId' in fields;
  }),
);

class TenancyViolation extends Error {
  constructor(model: string, operation: string, reason: string) {
    super(`${model}.${operation} ${reason}`);
    this.name = 'TenancyViolation';
  }
}

function guard(model: string, operation: string, args: unknown): void {
  const scope = tenant.getStore();
  if (scope?.companyId === null) return;
  if (!scope) throw new TenancyViolation(model, operation, 'outside of a tenant');
  for (const part of partsToCheck(operation, args)) {
    const named = companyOf(part);
    if (named !== scope.companyId) {
      throw new TenancyViolation(
        model,
        operation,
        named === undefined ? 'names no company' : 'names another company',
      );
    }
  }
}

function partsToCheck(operation: string, args: unknown): unknown[] {
  const data = property(args, 'data');
  switch (operation) {
    case 'create':
      return [data];
    case 'createMany':
    case 'createManyAndReturn':
      return Array.isArray(data) ? data : [data];
    case 'upsert':
      return [property(args, 'where'), property(args, 'create')];
    default:
      return [property(args, 'where')];
  }
}

/** `companyId` of a where or data, given plainly, as `{equals}`, through a compound key, or by connecting a company. */
function companyOf(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return undefined;
  const plain = property(part, 'companyId');
  if (typeof plain === 'string') return plain;
  if (typeof plain === 'object') return property(plain, 'equals');
  for (const [name, value] of Object.entries(part)) {
    if (name.startsWith('companyId_')) return property(value, 'companyId');
  }
  const and = property(part, 'AND');
  if (Array.isArray(and)) return and.map(companyOf).find((named) => named !== undefined);
  return undefined;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
