import { execute, type ExecutionResult, type GraphQLSchema, OperationTypeNode, subscribe } from 'graphql';
import type { Context } from '../platform/context.ts';
import { inTenant } from '../platform/tenancy.ts';
import { inRehearsal } from '../platform/unit-of-work.ts';
import { graphqlError } from './graphql-errors.ts';
import { createPrepare, type Prepare, type Prepared } from './graphql-prepare.ts';

export type Answer = ExecutionResult | AsyncIterable<ExecutionResult>;

/** Parses, checks and runs operations: the same for HTTP and WebSocket, which only carry what comes out. */
export interface GraphqlEngine {
  prepare: Prepare;
  /** Never rejects. A subscription that starts is an iterable of results. */
  run(prepared: Prepared): Promise<Answer>;
}

export function createEngine(schema: GraphQLSchema): GraphqlEngine {
  return {
    prepare: createPrepare(schema),
    async run(prepared) {
      const ctx = prepared.contextValue;
      try {
        return await inTenant(ctx.companyId, () => answer(prepared));
      } catch (error) {
        return { errors: [graphqlError(error, ctx)] };
      }
    },
  };
}

/** A test key's writes run for real in one transaction, are read back by the rest of the query, and roll back. */
function answer(prepared: Prepared): Promise<Answer> {
  const { operation, contextValue: ctx } = prepared;
  if (operation.operation === OperationTypeNode.SUBSCRIPTION) return start(prepared);
  if (operation.operation === OperationTypeNode.QUERY || ctx.principal.livemode)
    return complete(prepared, ctx);
  return inRehearsal(ctx, async (inner) => {
    const result = await complete(prepared, inner);
    return {
      ...result,
      extensions: { ...result.extensions, test: { events: inner.work?.events ?? [] } },
    };
  });
}

async function complete(prepared: Prepared, ctx: Context): Promise<ExecutionResult> {
  return masked(await execute({ ...prepared, contextValue: ctx }), ctx);
}

async function start(prepared: Prepared): Promise<Answer> {
  const ctx = prepared.contextValue;
  const source = await subscribe(prepared);
  return Symbol.asyncIterator in source ? maskedStream(source, ctx) : masked(source, ctx);
}

/**
 * Each result is made in the tenant, whoever asks for it. Leaving must reach a source that is waiting for its next
 * event, which a generator around it would only do after that event.
 */
function maskedStream(
  source: AsyncIterable<ExecutionResult>,
  ctx: Context,
): AsyncIterableIterator<ExecutionResult, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  let over = false;
  const end = { done: true, value: undefined } as const;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (over) return end;
      try {
        const { done, value } = await inTenant(ctx.companyId, () => iterator.next());
        return done ? end : { done: false, value: masked(value, ctx) };
      } catch (error) {
        over = true;
        return { done: false, value: { errors: [graphqlError(error, ctx)] } };
      }
    },
    async return() {
      over = true;
      await iterator.return?.();
      return end;
    },
  };
}

function masked(result: ExecutionResult, ctx: Context): ExecutionResult {
  if (!result.errors) return result;
  return { ...result, errors: result.errors.map((error) => graphqlError(error, ctx)) };
}
