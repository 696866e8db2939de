import { hash } from 'node:crypto';
import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type ASTVisitor,
  type DocumentNode,
  type ExecutionArgs,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  ProvidedRequiredArgumentsRule,
  specifiedRules,
  validate,
  type ValidationContext,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
} from 'graphql';
import dashboardDocuments from '../../schema/dashboard-documents.json' with { type: 'json' };
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { graphqlError, refusal } from './graphql-errors.ts';
import { graphqlLimits, overLimit, rootFieldsOf } from './graphql-limits.ts';

/** A request that may run. */
export interface Prepared extends ExecutionArgs {
  contextValue: Context;
  operation: OperationDefinitionNode;
  /** Root fields: what it costs of the caller's budget. */
  cost: number;
}

export type Prepare = (ctx: Context, request: unknown) => Prepared | GraphQLError[];

/** Everything that can be refused without touching the database; the errors it returns are ready to be sent. */
export function createPrepare(schema: GraphQLSchema): Prepare {
  const known = new Recent<DocumentNode>(500);

  function readDocument(source: string): DocumentNode {
    const before = known.get(source);
    if (before) return before;
    const document = parse(source, { maxTokens: graphqlLimits.tokens });
    const excess = overLimit(document);
    if (excess !== null) throw new AppError('bad_request', excess);
    const faults = validate(schema, document, rules, { maxErrors: 20 });
    if (faults.length > 0) throw new AggregateError(faults);
    known.set(source, document);
    return document;
  }

  return (ctx, request) => {
    try {
      const { query, variables, operationName } = readRequest(request);
      refuseForeign(ctx, query);
      const document = readDocument(query);
      const operation = getOperationAST(document, operationName);
      if (!operation)
        throw new AppError('bad_request', 'Name one operation of the document in operationName.');
      refuseCostly(schema, document, operation, variables, ctx);
      const cost = rootFieldsOf(document, operation);
      return {
        schema,
        document,
        operation,
        operationName,
        variableValues: variables,
        contextValue: ctx,
        cost,
      };
    } catch (error) {
      const faults: unknown[] = error instanceof AggregateError ? error.errors : [error];
      return faults.map((fault) => graphqlError(faultOf(fault), ctx));
    }
  };
}

const shipped = new Set(Object.keys(dashboardDocuments));

/** A session runs the dashboard's own documents: what somebody has slipped into a page asks for nothing else. */
function refuseForeign({ principal }: Context, query: string): void {
  if (principal.session === undefined || principal.anyDocument) return;
  if (!shipped.has(hash('sha256', query)))
    throw new AppError(
      'forbidden',
      'A session runs the documents of the dashboard alone. Send others with an API key.',
    );
}

/** Errors of these rules concern a value that was given; all others a document that is none of this schema. */
const rules: readonly ValidationRule[] = specifiedRules.map((rule) =>
  rule === ValuesOfCorrectTypeRule || rule === ProvidedRequiredArgumentsRule ? marked(rule) : rule,
);

const ofValues = new WeakSet<Error>();

function marked(rule: ValidationRule): ValidationRule {
  return (context: ValidationContext): ASTVisitor => {
    const marking = Object.create(context, {
      reportError: {
        value: (error: GraphQLError) => {
          ofValues.add(error);
          context.reportError(error);
        },
      },
    }) as ValidationContext;
    return rule(marking);
  };
}

function faultOf(fault: unknown): unknown {
  if (!(fault instanceof GraphQLError)) return fault;
  const known = refusal(fault, ofValues.has(fault) ? 'values' : 'document');
  return new GraphQLError(known.message, {
    nodes: fault.nodes,
    source: fault.source,
    positions: fault.positions,
    originalError: known,
  });
}

function refuseCostly(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
  ctx: Context,
): void {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const alone: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] };
  let complexity: number;
  try {
    complexity = complexityFromQuery(alone, { schema, ctx, variables }).complexity;
  } catch (error) {
    if (error instanceof GraphQLError) ofValues.add(error);
    throw error;
  }
  if (complexity > graphqlLimits.complexity) {
    throw new AppError(
      'bad_request',
      `The query asks for up to ${complexity} records, over ${graphqlLimits.complexity}.`,
    );
  }
}

interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | null;
}

/** @throws AppError `bad_request` when the parameters are none of a GraphQL request */
export function readRequest(request: unknown): GraphqlRequest {
  const field = (name: string): unknown => (isObject(request) ? Reflect.get(request, name) : undefined);
  const [query, variables, operationName, extensions] = [
    'query',
    'variables',
    'operationName',
    'extensions',
  ].map(field);
  if (typeof query !== 'string') throw new AppError('bad_request', 'query must be text.');
  if (Buffer.byteLength(query) > graphqlLimits.document) {
    throw new AppError('bad_request', `The document is over ${graphqlLimits.document} bytes.`);
  }
  const given = variables ?? {};
  if (!isObject(given)) throw new AppError('bad_request', 'variables must be an object.');
  if (Buffer.byteLength(JSON.stringify(given)) > graphqlLimits.variables) {
    throw new AppError('bad_request', `The variables are over ${graphqlLimits.variables} bytes.`);
  }
  const name = operationName ?? null;
  if (name !== null && typeof name !== 'string')
    throw new AppError('bad_request', 'operationName must be text.');
  if (extensions !== undefined && extensions !== null && !isObject(extensions)) {
    throw new AppError('bad_request', 'extensions must be an object.');
  }
  return { query, variables: given, operationName: name };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The most recently used values, so that a client's few documents are parsed and validated once. */
class Recent<Value> {
  readonly #values = new Map<string, Value>();
  readonly #maximum: number;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#maximum && oldest !== undefined) this.#values.delete(oldest);
  }
}
