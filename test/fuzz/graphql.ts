import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { errors } from '../../schema/errors.ts';
import { type JsonSchema, nearly, rarely, valid } from './arbitraries.ts';
import type { Received, Sent } from './exchange.ts';
import { bodies, texts } from './hostile.ts';
import { encode, singular } from './references.ts';
import { filled, headerFaults, type Plan, type Surface } from './surface.ts';
import type { Actor, World } from './world.ts';

export interface GraphqlPlan extends Plan {
  query: string;
  variables: unknown;
  /** Instead of all of it, as it is. */
  raw?: string;
}

type Field = GraphQLField<unknown, unknown>;

/** GraphQL over HTTP, as its schema describes it: one root field for each operation, with all that is in it. */
export class Graphql implements Surface<GraphqlPlan> {
  readonly name = 'graphql';
  readonly weight = 1;
  readonly plans: ReadonlyMap<string, fc.Arbitrary<GraphqlPlan>>;
  readonly tours: GraphqlPlan[];
  readonly #world: World;
  readonly #kinds = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
    const schema = buildSchema(readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8'));
    const fields = [...fieldsOf(schema, 'query'), ...fieldsOf(schema, 'mutation')];
    for (const { field } of fields) this.#kinds.set(field.name, singular(nameOf(field.type)));
    this.plans = new Map(fields.map(({ kind, field }) => [field.name, this.#plans(kind, field)]));
    this.tours = [];
  }

  kind({ operation }: GraphqlPlan): string {
    return this.#kinds.get(operation) ?? '';
  }

  request({ query, variables, raw }: GraphqlPlan, actor: Actor): Sent {
    const body =
      raw ??
      `{"query":${JSON.stringify(query)},"variables":${encode(filled(this.#world, actor, variables))}}`;
    const who = actor.graphql ?? actor.headers;
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json', ...who };
    return { method: 'POST', path: '/graphql', headers, body };
  }

  judge(_plan: GraphqlPlan, actor: Actor, received: Received): string[] {
    const { body, headers } = received;
    const faults = headerFaults(received, actor);
    if (typeof body !== 'object' || body === null) return [...faults, 'no JSON'];
    const failures = (Reflect.get(body, 'errors') ?? []) as {
      message?: unknown;
      extensions?: Record<string, unknown>;
    }[];
    for (const { message, extensions } of failures) {
      if (typeof message !== 'string' || !(String(extensions?.['code']) in errors))
        faults.push(`an error has the code ${String(extensions?.['code'])}`);
      if (extensions?.['request_id'] !== headers['x-request-id'])
        faults.push('request_id is not that of the header');
    }
    if (failures.length === 0 && !('data' in body)) faults.push('neither data nor errors');
    return faults;
  }

  #plans(kind: string, field: Field): fc.Arbitrary<GraphqlPlan> {
    const query = document(kind, field);
    const schema = objectOf(field.args.map(({ name, type }) => [name, type] as const));
    const lookup = () => ({});
    const documents = fc.constantFrom(
      ...texts.map((text) => `{ ${field.name}(a: ${JSON.stringify(text)}) { id } }`),
      `{ ${field.name} }`,
      `subscription { ${field.name} { id } }`,
      `${query} ${query}`,
      query.replaceAll('id', '__typename @skip(if: true) id'),
      `fragment f on Query { ...f } query { ...f ${field.name} { id } }`,
    );
    return fc
      .record(
        {
          query: fc.oneof({ weight: 15, arbitrary: fc.constant(query) }, documents),
          variables: fc.oneof(
            { weight: 3, arbitrary: valid(schema, '', lookup) },
            { weight: 2, arbitrary: nearly(schema, '', lookup) },
          ),
          raw: rarely(60, fc.constantFrom(...bodies)),
          actor: this.#world.callers(this.#world.keys, this.#world.pages),
        },
        { requiredKeys: ['query', 'variables', 'actor'] },
      )
      .map((plan) => ({ surface: 'graphql', operation: field.name, ...plan }));
  }
}

function fieldsOf(schema: GraphQLSchema, kind: 'query' | 'mutation'): { kind: string; field: Field }[] {
  const type = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  return Object.values(type?.getFields() ?? {}).map((field) => ({ kind, field }));
}

function nameOf(type: GraphQLOutputType): string {
  const { name } = getNamedType(type);
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`.replace(/Page$/, '');
}

/** A document that asks for one root field, its arguments as variables. */
function document(kind: string, field: Field): string {
  const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const head = given === '' ? [kind, field.name] : [`${kind}(${declared})`, `${field.name}(${given})`];
  return `${head[0]} { ${head[1]} ${selection(field.type, 3)} }`;
}

/** Everything in a record that needs no argument, lists of the first record only. */
function selection(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (!isObjectType(named)) return '{ __typename }';
  const parts = Object.values(named.getFields()).flatMap((field) => {
    if (isLeafType(getNamedType(field.type))) return [field.name];
    const listed = isListType(getNullableType(field.type)) && field.name !== 'items';
    if (depth <= 1 || field.args.some(isRequiredArgument) || (listed && field.args.length === 0)) return [];
    const first = field.args.some(({ name }) => name === 'first') ? '(first: 1)' : '';
    return [
      `${field.name}${first} ${selection(field.type, depth - (field.name === 'items' ? 0 : 1) - (listed ? 1 : 0))}`,
    ];
  });
  return `{ __typename ${parts.join(' ')} }`;
}

/** An input as JSON Schema, in the names of GraphQL. */
function schemaOf(type: GraphQLInputType): JsonSchema {
  if (isNonNullType(type)) return schemaOf(type.ofType);
  if (isListType(type)) return { type: 'array', items: schemaOf(type.ofType) };
  if (isEnumType(type)) return { enum: type.getValues().map(({ name }) => name) };
  if (isInputObjectType(type))
    return objectOf(Object.values(type.getFields()).map(({ name, type: of }) => [name, of]));
  const scalars: Record<string, JsonSchema> = {
    Int: { type: 'integer', minimum: -5, maximum: 200 },
    SafeInt: { type: 'integer', minimum: -5, maximum: 100_000 },
    Float: { type: 'number', minimum: 0 },
    Boolean: { type: 'boolean' },
    JSON: {},
  };
  return scalars[type.name] ?? { type: 'string' };
}

function objectOf(fields: readonly (readonly [string, GraphQLInputType])[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, type]) => [name, schemaOf(type)])),
    required: fields.flatMap(([name, type]) => (isNonNullType(type) ? [name] : [])),
  };
}
