import { z } from 'zod';
import type { Grant } from '../../schema/scopes.ts';
import type { Context } from './context.ts';
import { AppError, forbidden, notFound } from './errors.ts';
import { isId } from './ids.ts';
import { inTenant } from './tenancy.ts';
import { inUnitOfWork, type WorkContext } from './unit-of-work.ts';
import { validationError } from './validation.ts';

/**
 * Who may call an operation: a scope of the key or role (or a legacy ability), `any` valid credential,
 * or a role's own dashboard session (or the command line), never a key: `owner`, or `admin`, which the Owner is too.
 */
export type Access = Grant | 'any' | 'admin' | 'owner';

/**
 * For each id in the path: does the record exist for this company? Only asked when the rest of the input
 * is invalid, because an unknown record (404) wins over an invalid body (422).
 */
type Targets = Readonly<Record<string, (ctx: Context, id: string) => Promise<boolean>>>;

interface Declaration<I extends z.ZodObject> {
  access: Access;
  input: I;
  targets?: Targets;
  /** Refused to test keys with 403: the operation would touch live data (decisions §3). */
  liveOnly?: boolean;
}

interface Operation<I extends z.ZodObject, R, C extends Context> extends Declaration<I> {
  kind: 'query' | 'mutation';
  run(ctx: C, input: z.output<I>): Promise<R>;
}

export type Query<I extends z.ZodObject = z.ZodObject, R = unknown> = Operation<I, R, Context> & {
  kind: 'query';
};
export type Mutation<I extends z.ZodObject = z.ZodObject, R = unknown> = Operation<I, R, WorkContext> & {
  kind: 'mutation';
};
export type AnyOperation<I extends z.ZodObject = z.ZodObject, R = unknown> = Query<I, R> | Mutation<I, R>;

/** Declares an operation that reads. Scope, input and function stand in one place; every transport carries it. */
export function query<I extends z.ZodObject, R>(
  declaration: Declaration<I>,
  run: (ctx: Context, input: z.output<I>) => Promise<R>,
): Query<I, R> {
  return { ...declaration, kind: 'query', run };
}

/** Declares an operation that writes: it runs in one unit of work, which a test key rolls back. */
export function mutation<I extends z.ZodObject, R>(
  declaration: Declaration<I>,
  run: (ctx: WorkContext, input: z.output<I>) => Promise<R>,
): Mutation<I, R> {
  return { ...declaration, kind: 'mutation', run };
}

/**
 * Runs an operation from GraphQL, a job or the command line.
 * Checks in the documented order: scope, idempotency, unknown record, invalid input, state.
 * @throws AppError
 */
export async function execute<I extends z.ZodObject, R>(
  operation: AnyOperation<I, R>,
  ctx: Context,
  input: unknown,
): Promise<R> {
  return perform(operation, ctx, input, async (inner) => {
    const parsed = operation.input.safeParse(input);
    if (!parsed.success) throw parsed.error;
    return operation.run(inner as WorkContext, parsed.data);
  });
}

/**
 * The frame around every call: authorisation, tenancy, unit of work, and the order of 404 before 422.
 * `call` parses the input and runs the operation; it may throw a zod error.
 */
export async function perform<T>(
  operation: Pick<AnyOperation, 'kind' | 'access' | 'targets' | 'liveOnly'>,
  ctx: Context,
  input: unknown,
  call: (ctx: Context) => Promise<T>,
): Promise<T> {
  authorize(operation, ctx);
  return inTenant(ctx.companyId, async () => {
    const checked = async (inner: Context) => {
      try {
        return await call(inner);
      } catch (error) {
        if (!(error instanceof z.core.$ZodError)) throw error;
        await requireTargets(operation.targets, inner, input);
        throw validationError(error, input);
      }
    };
    return operation.kind === 'query' ? checked(ctx) : inUnitOfWork(ctx, checked);
  });
}

/** 403 unless the caller may use the operation. */
export function authorize(
  operation: Pick<AnyOperation, 'access' | 'liveOnly'>,
  ctx: Pick<Context, 'principal'>,
): void {
  const { principal } = ctx;
  if (operation.liveOnly && !principal.livemode) throw forbidden('Not available to test keys.');
  if (principal.kind === 'system' || operation.access === 'any') return;
  if (operation.access === 'owner' || operation.access === 'admin') {
    const roles = operation.access === 'owner' ? ['owner'] : ['owner', 'admin'];
    if (principal.kind === 'user' && roles.includes(principal.role ?? '')) return;
    throw forbidden(
      operation.access === 'owner' ? 'Only the Owner may do that.' : 'Only an admin may do that.',
    );
  }
  if (!principal.grants.has(operation.access)) {
    throw new AppError('forbidden', `This needs the scope ${operation.access}.`);
  }
}

async function requireTargets(targets: Targets | undefined, ctx: Context, input: unknown): Promise<void> {
  if (!targets || typeof input !== 'object' || input === null) return;
  for (const [param, exists] of Object.entries(targets)) {
    const id: unknown = Reflect.get(input, param);
    if (typeof id === 'string' && !(isId(id) && (await exists(ctx, id)))) throw notFound();
  }
}
