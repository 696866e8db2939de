import type { OutputRef } from '@pothos/core';
import { z } from 'zod';
import { limits, pathId } from '../../schema/common.ts';
import type { Context } from './context.ts';
import { builder } from './graphql.ts';
import { fieldsFromGraphql, inputObject, mapFields, optionsOf, type Shape } from './graphql-input.ts';
import { type Access, type AnyOperation, execute, type Mutation, type Query, scopesOf } from './operation.ts';
import type { Page } from './pagination.ts';
import { validationError } from './validation.ts';

interface Carried<R, Type> {
  type: OutputRef<Type>;
  description: string;
  /** From what the service returned to what the type resolves from, where the two differ. */
  present: (result: R) => Type;
}

/** The same without `present` when the service returns what the type resolves from. */
type Carry<R, Type> = Omit<Carried<R, Type>, 'present'> &
  ([R] extends [Type] ? { present?: undefined } : { present: (result: R) => Type });

/** A root query straight from its operation: every input field is an argument. */
export function queryField<I extends z.ZodObject, R, Type>(
  name: string,
  operation: Query<I, R>,
  { type, description, present = same }: Carry<R, Type>,
): void {
  const { shape } = operation.input;
  rootField('Query', name, operation, {
    type,
    description,
    args: argsOf(shape, name),
    run: async (args, ctx) =>
      present(await execute(operation, ctx, fieldsFromGraphql(shape, withoutNulls(args)))),
  });
}

/** A cursor-paginated list: `{items, nextCursor, hasMore}` with the arguments `first` and `after`. */
export function pageField<I extends z.ZodObject, Row>(
  name: string,
  operation: Query<I, Page<Row>>,
  item: { type: NamedRef<Row>; description: string },
): void {
  queryField(name, operation, { type: pageType(item.type), description: item.description });
}

/** A list that the service caps itself; GraphQL returns its `first` records. */
export function listField<I extends z.ZodObject, Row>(
  name: string,
  operation: Query<I, Row[]>,
  item: { type: NamedRef<Row>; description: string },
): void {
  const { shape } = operation.input;
  rootField('Query', name, operation, {
    type: [item.type],
    description: item.description,
    args: { ...argsOf(shape, name), ...firstArg() },
    run: async (args, ctx) =>
      takeFirst(await execute(operation, ctx, fieldsFromGraphql(shape, withoutNulls(args))), args),
  });
}

/**
 * A root mutation straight from its operation: ids of the path are arguments, the other fields are one `input`
 * of the type `carried.input`, which an operation with nothing but ids has no use for.
 */
export function mutationField<I extends z.ZodObject, R, Type>(
  name: string,
  operation: Mutation<I, R>,
  { type, description, present = same, input }: Carry<R, Type> & { input?: string },
): void {
  const [ids, body] = splitPath(operation.input.shape);
  if (Object.keys(body).length > 0 !== (input !== undefined))
    throw new Error(`${name} needs the name of its input, or has none.`);
  rootField('Mutation', name, operation, {
    type,
    description,
    args: { ...argsOf(ids, name), ...(input === undefined ? {} : inputArg(body, input)) },
    run: async (args, ctx) => {
      const fields = fieldsFromGraphql(body, objectOf(Reflect.get(args, 'input')));
      return present(await execute(operation, ctx, { ...fields, ...fieldsFromGraphql(ids, args) }));
    },
  });
}

/**
 * A subscription from an operation whose result is a stream. Everything that refuses a query refuses it too, before
 * it starts. `resolve` makes what the type resolves from, for each item.
 */
export function subscriptionField<I extends z.ZodObject, Item, Type>(
  name: string,
  operation: Query<I, AsyncIterable<Item>>,
  field: {
    type: OutputRef<Type>;
    description: string;
    resolve: (item: Item, ctx: Context) => Type | Promise<Type>;
    /** What is told of an item is the same for all who may hear of it: it is made once for all of them. */
    shared?: true;
  },
): void {
  const { shape } = operation.input;
  builder.subscriptionField(name, (t) =>
    t.field({
      type: field.type as OutputRef,
      args: argsOf(shape, name),
      extensions: { shared: field.shared ?? false, operation },
      description: `${field.description} ${needsOf(operation.access)}`,
      subscribe: (_root: object, args: object, ctx: Context) =>
        execute(operation, ctx, fieldsFromGraphql(shape, withoutNulls(args))),
      resolve: (item: unknown, _args: object, ctx: Context) => field.resolve(item as Item, ctx),
    } as never),
  );
}

interface RootField {
  type: OutputRef | [OutputRef];
  description: string;
  args: ReturnType<typeof argsOf>;
  run(args: object, ctx: Context): Promise<unknown>;
}

/**
 * Root fields are nullable: one that fails leaves the others their answer, above all mutations that have happened.
 */
function rootField(
  root: 'Query' | 'Mutation',
  name: string,
  operation: Pick<AnyOperation, 'access'>,
  field: RootField,
): void {
  const options = {
    type: field.type,
    nullable: true,
    args: field.args,
    description: `${field.description} ${needsOf(operation.access)}`,
    extensions: { operation },
    resolve: (_root: object, args: object, ctx: Context) => field.run(args, ctx),
  } as const;
  if (root === 'Query') builder.queryField(name, (t) => t.field(options));
  else builder.mutationField(name, (t) => t.field(options));
}

function needsOf(access: Access): string {
  if (access === 'visitor') return "Needs a visitor's token.";
  if (access === 'any') return 'Needs any valid key.';
  if (access === 'owner') return "Needs the Owner's session.";
  if (access === 'admin') return "Needs an admin's or the Owner's session.";
  const scopes = scopesOf(access).map((scope) => `\`${scope}\``);
  return `Needs ${scopes.join(' or ')}.`;
}

function argsOf(shape: Shape, owner: string) {
  const name = owner.slice(0, 1).toUpperCase() + owner.slice(1);
  return builder.args((t) => mapFields(shape, (field, schema) => t.field(optionsOf(schema, name, field))));
}

function inputArg(body: Shape, name: string) {
  return builder.args((t) => ({ input: t.field({ type: inputObject(body, name), required: true }) }));
}

const firstInput = z.object({ first: z.int().min(limits.page.min).max(limits.page.max) });
const description = `At most ${limits.page.max}; ${limits.page.default} unless given.`;

/** The argument that caps a list which is not paged; read by `takeFirst`. */
export function firstArg() {
  return builder.args((t) => ({ first: t.int({ required: false, description }) }));
}

/** @throws AppError `validation_failed` when `first` is out of range */
export function takeFirst<T>(rows: readonly T[], args: object): T[] {
  const asked: unknown = Reflect.get(args, 'first') ?? limits.page.default;
  const input = firstInput.safeParse({ first: asked });
  if (!input.success) throw validationError(input.error, { first: asked });
  return rows.slice(0, input.data.first);
}

type NamedRef<Row> = OutputRef<Row> & { name: string };

const pages = new Map<string, OutputRef<Page<unknown>>>();

function pageType<Row>(item: NamedRef<Row>): OutputRef<Page<unknown>> {
  const known = pages.get(item.name);
  if (known) return known;
  const type = builder.objectRef<Page<unknown>>(`${item.name}Page`).implement({
    fields: (t) => ({
      items: t.field({
        type: [item as OutputRef],
        complexity: { field: 1, multiplier: 1 },
        resolve: ({ rows }) => rows,
      }),
      nextCursor: t.string({
        nullable: true,
        description: '`after` of the next page; null when there is none.',
        resolve: ({ nextCursor }) => nextCursor,
      }),
      hasMore: t.boolean({ resolve: ({ hasMore }) => hasMore }),
    }),
  });
  pages.set(item.name, type);
  return type;
}

/** What the path of the REST endpoint names, and what its body holds. */
function splitPath(shape: Shape): [Shape, Shape] {
  const entries = Object.entries(shape);
  return [
    Object.fromEntries(entries.filter(([, schema]) => schema === pathId)),
    Object.fromEntries(entries.filter(([, schema]) => schema !== pathId)),
  ];
}

/** A filter that is null is no filter: clients send null for variables that have no value. */
function withoutNulls(args: object): object {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** Only used where the type says that the service returns what the type resolves from. */
function same(value: unknown): never {
  return value as never;
}

/** Answer of a delete. */
export const Deleted = builder.objectRef<{ id: string }>('Deleted').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    deleted: t.boolean({ resolve: () => true }),
  }),
});
