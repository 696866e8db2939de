import { z } from 'zod';
import type { Grant } from '../../schema/scopes.ts';
import type { Context } from './context.ts';
import { AppError, forbidden, notFound } from './errors.ts';
import { recordAudit } from './audit.ts';
import { keyWasUsed } from './idempotency.ts';
import { isId } from './ids.ts';
import { inTenant } from './tenancy.ts';
import { inUnitOfWork, type WorkContext } from './unit-of-work.ts';
import { validationError } from './validation.ts';

/**
 * Who may call an operation: a scope of the key or role (or a legacy ability), one of several, `any` valid credential,
 * or a role's own dashboard session (or the command line), never a key: `owner`, or `admin`, which the Owner is too.
 * `visitor` is for visitors of a web chat and for nobody else, and they may use nothing else.
 */
export type Access = Grant | readonly Grant[] | 'any' | 'admin' | 'owner' | 'visitor';

const withoutGrants: ReadonlySet<unknown> = new Set(['any', 'admin', 'owner', 'visitor']);

/** The grants an access rule speaks of: any one of them is enough. Empty when the rule is about none. */
export function scopesOf(access: Access): readonly Grant[] {
  if (isWithoutGrants(access)) return [];
  return typeof access === 'string' ? [access] : access;
}

function isWithoutGrants(access: Access): access is 'any' | 'admin' | 'owner' | 'visitor' {
  return withoutGrants.has(access);
}

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
  /** Refused to keys with 403: only in the dashboard (and on the command line). */
  dashboardOnly?: boolean;
  /** Leaves no row in the audit log: what it writes is one person's own and changes all the time, or nothing at all. */
  unaudited?: true;
  /**
   * Slow or outside work that must not happen inside the transaction, such as storing a file or resolving a name.
   * Runs before it, with valid input. What it throws is thrown inside, after the idempotency check; `undo`, if
   * anything is to be undone, when nothing was committed. Not called when the Idempotency-Key was answered before.
   */
  prepare?(ctx: Context, input: z.output<I>): Promise<Prepared | void>;
}

export interface Prepared {
  undo?(): Promise<void>;
  /** What `run` finds in `ctx.prepared`; see `Preparation`. */
  value?: object;
}

/** Hands what `prepare` found out to `run`, with its type. */
export class Preparation<T> {
  readonly #values = new WeakMap<object, T>();

  /** What `prepare` returns. */
  keep(found: T): Prepared {
    const value = {};
    this.#values.set(value, found);
    return { value };
  }

  /** The same in `run`. */
  of({ prepared }: Pick<Context, 'prepared'>): T {
    const found = prepared && this.#values.get(prepared);
    if (found === undefined) throw new Error('The operation was not prepared.');
    return found;
  }
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
/** What the frame around a call needs to know. */
export type Framed = Pick<
  AnyOperation,
  'kind' | 'access' | 'input' | 'targets' | 'liveOnly' | 'dashboardOnly' | 'unaudited' | 'prepare'
>;

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
  return perform(operation as unknown as Framed, ctx, input, async (inner) => {
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
  operation: Framed,
  ctx: Context,
  input: unknown,
  call: (ctx: Context) => Promise<T>,
): Promise<T> {
  authorize(operation, ctx);
  return inTenant(ctx.companyId, async () => {
    const prepared = await prepare(operation, ctx, input);
    const checked = async (inner: Context) => {
      if (prepared?.failure) throw prepared.failure.error;
      try {
        return await call(prepared?.value ? { ...inner, prepared: prepared.value } : inner);
      } catch (error) {
        if (!(error instanceof z.core.$ZodError)) throw error;
        await requireTargets(operation.targets, inner, input);
        throw validationError(error, input);
      }
    };
    if (operation.kind === 'query') return checked(ctx);
    try {
      return await inUnitOfWork(ctx, async (inner) => {
        const value = await checked(inner);
        // What an operation does through others is its own.
        if (!operation.unaudited && ctx.work === null) recordAudit(inner, operation, input, value);
        return value;
      });
    } catch (error) {
      await prepared?.undo?.();
      throw error;
    }
  });
}

async function prepare(operation: Framed, ctx: Context, input: unknown) {
  const parsed = operation.prepare && operation.input.safeParse(input);
  if (!operation.prepare || !parsed?.success || (await keyWasUsed(ctx))) return undefined;
  try {
    const prepared = await operation.prepare(ctx, parsed.data);
    return { undo: prepared?.undo, value: prepared?.value };
  } catch (error) {
    return { failure: { error } };
  }
}

/** 403 unless the caller may use the operation. */
export function authorize(
  operation: Pick<AnyOperation, 'access' | 'liveOnly' | 'dashboardOnly'>,
  ctx: Pick<Context, 'principal'>,
): void {
  const { principal } = ctx;
  if (operation.access === 'visitor' || principal.kind === 'visitor') {
    if (operation.access === principal.kind) return;
    throw forbidden();
  }
  if (operation.liveOnly && !principal.livemode) throw forbidden('Not available to test keys.');
  if (principal.kind === 'system') return;
  if (operation.dashboardOnly && principal.kind === 'api_key')
    throw forbidden('Keys can’t do that; the dashboard can.');
  if (operation.access === 'any') return;
  if (operation.access === 'owner' || operation.access === 'admin') {
    const roles = operation.access === 'owner' ? ['owner'] : ['owner', 'admin'];
    if (principal.kind === 'user' && roles.includes(principal.role ?? '')) return;
    throw forbidden(
      operation.access === 'owner' ? 'Only the Owner may do that.' : 'Only an admin may do that.',
    );
  }
  const scopes = scopesOf(operation.access);
  if (!scopes.some((scope) => principal.grants.has(scope)))
    throw new AppError('forbidden', `This needs the scope ${scopes.join(' or ')}.`);
}

async function requireTargets(targets: Targets | undefined, ctx: Context, input: unknown): Promise<void> {
  if (!targets || typeof input !== 'object' || input === null) return;
  for (const [param, exists] of Object.entries(targets)) {
    const id: unknown = Reflect.get(input, param);
    if (typeof id === 'string' && !(isId(id) && (await exists(ctx, id)))) throw notFound();
  }
}
