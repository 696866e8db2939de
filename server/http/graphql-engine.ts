import {
  createSourceEventStream,
  execute,
  type ExecutionResult,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
} from 'graphql';
import type { Context } from '../platform/context.ts';
import { SlowReader } from '../platform/feed-readers.ts';
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
  const source = await createSourceEventStream(prepared);
  if (!(Symbol.asyncIterator in source)) return masked(source, ctx);
  const key = sharedKey(prepared);
  const resultOf = (item: unknown) => {
    const run = async () => masked(await execute({ ...prepared, rootValue: item }), ctx);
    return key === null || !isObject(item) ? run() : once(item, key, run);
  };
  return stream(source, resultOf, ctx);
}

/**
 * Each result is made in the tenant, whoever asks for it. Leaving must reach a source that is waiting for its next
 * event, which a generator around it would only do after that event.
 */
function stream(
  source: AsyncIterable<unknown>,
  resultOf: (item: unknown) => Promise<ExecutionResult>,
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
        return await inTenant(ctx.companyId, async () => {
          const { done, value } = await iterator.next();
          return done ? end : { done: false, value: await resultOf(value) };
        });
      } catch (error) {
        over = true;
        const value = { errors: [graphqlError(error, ctx)] };
        if (error instanceof SlowReader) slowReaders.add(value);
        return { done: false, value };
      }
    },
    async return() {
      over = true;
      await iterator.return?.();
      return end;
    },
  };
}

/** Results that many subscribers have in common, by the item they are made of. */
const shared = new WeakMap<object, Map<string, Promise<ExecutionResult>>>();

/** Runs once for each item and key, however many ask. */
function once(item: object, key: string, run: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
  const results = shared.get(item) ?? new Map<string, Promise<ExecutionResult>>();
  shared.set(item, results);
  const result = results.get(key) ?? run();
  results.set(key, result);
  return result;
}

const documents = new WeakMap<object, number>();
let documentCount = 0;

/**
 * What a subscription's results depend on besides the item: its document and variables, when its field says that
 * they depend on nothing else. Null for one whose results are its own.
 */
function sharedKey({ schema, document, operation, variableValues }: Prepared): string | null {
  const [root, ...others] = operation.selectionSet.selections;
  if (root?.kind !== Kind.FIELD || others.length > 0) return null;
  const field = schema.getSubscriptionType()?.getFields()[root.name.value];
  if (field?.extensions['shared'] !== true) return null;
  const number = documents.get(document) ?? ++documentCount;
  documents.set(document, number);
  return JSON.stringify([number, operation.name?.value, variableValues]);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const slowReaders = new WeakSet<object>();

/** Whether a subscription ended with this result because its reader was too slow. */
export function endsSlowReader(result: object): boolean {
  return slowReaders.has(result);
}

function masked(result: ExecutionResult, ctx: Context): ExecutionResult {
  if (!result.errors) return result;
  return { ...result, errors: result.errors.map((error) => graphqlError(error, ctx)) };
}
