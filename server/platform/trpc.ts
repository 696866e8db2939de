import { initTRPC, TRPCError } from '@trpc/server';
import type { TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import { type ErrorCode, errors } from '../../schema/errors.ts';
import type { Context } from './context.ts';
import { AppError, errorBody } from './errors.ts';
import { Replay } from './idempotency.ts';
import { type AnyOperation, type Framed, type Mutation, perform, type Query } from './operation.ts';
import { publicError } from './public-error.ts';
import type { WorkContext } from './unit-of-work.ts';

/** What REST adds to a procedure. Path parameters are names of input fields in braces. */
export interface RestFacts {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: `/${string}`;
  summary: string;
  description?: string;
  /** Status of success; 200 unless given. */
  status?: 200 | 201 | 204;
  /** Heading in the reference. */
  tag: string;
  /** What the body is; JSON unless given. A form's file arrives as the field `file`, an `Upload`. */
  body?: 'multipart' | 'json-or-form';
  /** Error bodies that differ from the uniform one (API document, "Case rules" 5). */
  legacy?: 'account' | 'bookings' | 'rating';
  /** Response headers that the procedure may set, with what they mean. */
  headers?: Readonly<Record<string, string>>;
  /** Whether a state can refuse it with 409 `conflict`. */
  conflicts?: true;
}

export interface ProcedureMeta extends OpenApiMeta {
  [key: string]: unknown;
  operation?: AnyOperation<z.ZodObject, never>;
  answer?: Answer;
  rest?: RestFacts;
}

/** The public body of a call, made of what the caller sent: the procedure without the layers that tRPC puts around it. */
export type Answer = (ctx: Context, raw: unknown) => Promise<unknown>;

/** What tRPC itself refuses, before any operation runs. */
const refusals: Partial<Record<TRPCError['code'], ErrorCode>> = {
  PARSE_ERROR: 'bad_request',
  BAD_REQUEST: 'bad_request',
  UNSUPPORTED_MEDIA_TYPE: 'bad_request',
  NOT_FOUND: 'not_found',
  METHOD_NOT_SUPPORTED: 'method_not_allowed',
  PAYLOAD_TOO_LARGE: 'payload_too_large',
};

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    errorFormatter({ shape, error, ctx }) {
      const known = appErrorOf(error);
      return {
        code: shape.code,
        message: known.message,
        data: { httpStatus: known.status, ...errorBody(known, ctx?.requestId ?? '') },
      };
    },
  });

/** What an error of tRPC tells its caller. */
export function appErrorOf({ cause, code }: TRPCError): AppError {
  return cause instanceof AppError ? cause : new AppError(refusals[code] ?? 'server_error');
}

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

interface Carried<R, O extends z.ZodType> {
  output: O;
  /** From what the service returned to the public body. */
  present: (result: R, ctx: Context) => z.input<O>;
  rest?: RestFacts;
  /** Response headers of this answer; only REST sends them. Their names stand in `rest.headers`. */
  headers?: (result: R) => Record<string, string>;
}

/**
 * Carries an operation on tRPC and, with `rest`, on REST. Input, output, method, path and summary stand in
 * one expression; the OpenAPI document and the REST routes are generated from it.
 */
export function procedure<I extends z.ZodObject, R, O extends z.ZodType>(
  operation: Query<I, R>,
  carried: Carried<R, O>,
): TRPCQueryProcedure<{ input: z.input<I>; output: z.output<O>; meta: ProcedureMeta }>;
export function procedure<I extends z.ZodObject, R, O extends z.ZodType>(
  operation: Mutation<I, R>,
  carried: Carried<R, O>,
): TRPCMutationProcedure<{ input: z.input<I>; output: z.output<O>; meta: ProcedureMeta }>;
export function procedure<I extends z.ZodObject, R, O extends z.ZodType>(
  operation: AnyOperation<I, R>,
  { output, present, rest, headers }: Carried<R, O>,
): unknown {
  const result = async (ctx: Context, input: z.output<I>) => {
    const value = await operation.run(ctx as WorkContext, input);
    if (headers && ctx.headers) Object.assign(ctx.headers, headers(value));
    return present(value, ctx);
  };
  const answer: Answer = (ctx, raw) =>
    perform(operation as unknown as Framed, ctx, raw, async (inner) => {
      const body = output.safeParse(await result(inner, operation.input.parse(raw)));
      if (!body.success) throw new Error('The answer does not fit its schema.', { cause: body.error });
      return withTestEvents(body.data, inner);
    });
  const base = t.procedure
    .meta({
      operation: operation as unknown as AnyOperation<z.ZodObject, never>,
      answer,
      ...(rest ? { rest, openapi: openApiFacts(rest) } : {}),
    })
    .use(framed(operation as unknown as Framed))
    .input(operation.input)
    .output(output);
  const resolve = ({ ctx, input }: { ctx: Context; input: z.output<I> }) => result(ctx, input);
  return operation.kind === 'query' ? base.query(resolve as never) : base.mutation(resolve as never);
}

export interface ProcedureFacts {
  /** Such as `contacts.list`. */
  name: string;
  operation: AnyOperation<z.ZodObject, never>;
  answer: Answer;
  rest: RestFacts | undefined;
}

/** Every procedure of a router with its operation and REST facts. One without an operation is a mistake. */
export function procedureFacts(appRouter: { _def: { procedures: object } }): ProcedureFacts[] {
  return Object.entries(appRouter._def.procedures).map(
    ([name, built]: [string, { _def: { meta?: ProcedureMeta } }]) => {
      const { operation, answer, rest } = built._def.meta ?? {};
      if (!operation || !answer) throw new Error(`The procedure ${name} carries no operation.`);
      return { name, operation, answer, rest };
    },
  );
}

/** Where the public surface is mounted. */
export const restPrefix = '/api/v1';

function openApiFacts({ method, path, summary, description, tag, body }: RestFacts): OpenApiMeta['openapi'] {
  return {
    method,
    path: `${restPrefix}${path}`,
    summary,
    tags: [tag],
    ...(description ? { description } : {}),
    ...(body === 'multipart' ? { contentTypes: ['multipart/form-data'] } : {}),
  };
}

function framed(operation: Framed) {
  return t.middleware(async ({ ctx, next, getRawInput }) => {
    // A query without input is one with every field left out, as over REST.
    const raw = (await getRawInput()) ?? {};
    const given = { getRawInput: async () => raw };
    type Result = Awaited<ReturnType<typeof next>>;
    let result: Result | undefined;
    try {
      await perform(operation, ctx, raw, async (inner) => {
        const outcome = await next({ ctx: inner, ...given });
        if (!outcome.ok) throw inputError(outcome.error) ?? outcome.error.cause ?? outcome.error;
        result = { ...outcome, data: await withTestEvents(outcome.data, inner) };
        return result.data;
      });
    } catch (error) {
      throw trpcError(error, ctx);
    }
    if (!result) throw new Error('The procedure ended without a result.');
    return result;
  });
}

/** tRPC reports bad input and bad output with the same cause; only the first is the caller's fault. */
function inputError(error: TRPCError): z.core.$ZodError | undefined {
  return error.code === 'BAD_REQUEST' && error.cause instanceof z.core.$ZodError ? error.cause : undefined;
}

/** A test key's answer to a write carries the events that live mode would have sent (decisions §13). */
async function withTestEvents(body: unknown, ctx: Context): Promise<unknown> {
  if (ctx.principal.livemode || !isWorking(ctx) || typeof body !== 'object' || body === null) return body;
  if (!('data' in body)) return body;
  const meta: unknown = Reflect.get(body, 'meta');
  return {
    ...body,
    meta: { ...(typeof meta === 'object' ? meta : {}), test: { events: await ctx.flush() } },
  };
}

function isWorking(ctx: Context): ctx is WorkContext {
  return 'flush' in ctx;
}

function trpcError(error: unknown, ctx: Context): TRPCError {
  const known = publicError(error, ctx);
  if (known instanceof Replay) return new TRPCError({ code: 'CONFLICT', cause: known });
  return new TRPCError({ code: errors[known.code].trpc, message: known.message, cause: known });
}
