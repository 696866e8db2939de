// oxlint-disable no-underscore-dangle -- what a zod type is stands in its `_zod`
import type { InputType } from '@pothos/core';
import { z } from 'zod';
import { limits, pathId, publicId } from '../../schema/common.ts';
import { builder, type Types } from './graphql.ts';

/** A zod type with its definition, as `_zod.def.type` tells them apart. */
type Schema = z.core.$ZodType;
export type Shape = Readonly<Record<string, Schema>>;

/** The words that GraphQL has for the page parameters; all other names only change their case. */
const spellings: Readonly<Record<string, string>> = { limit: 'first', cursor: 'after' };
const descriptions: Readonly<Record<string, string>> = {
  limit: `At most ${limits.page.max}; ${limits.page.default} unless given.`,
  cursor: '`nextCursor` of the page before, passed back verbatim.',
};

/** How a field of an input schema, or a path in an error, is spelt in GraphQL: `contact_ids.0` is `contactIds.0`. */
export function spell(path: string): string {
  return spellings[path] ?? path.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

type Kind =
  | { kind: 'scalar'; type: InputType<Types> }
  | { kind: 'enum'; values: string[] }
  | { kind: 'list'; item: Schema }
  | { kind: 'object'; shape: Shape };

interface Reading {
  is: Kind;
  required: boolean;
}

/** What a zod type is on the wire. Throws at start for one that GraphQL has no word for yet. */
function read(schema: Schema): Reading {
  if (isId(schema)) return { is: { kind: 'scalar', type: 'ID' }, required: true };
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return { ...read(def.innerType), required: false };
    case 'readonly':
    case 'nonoptional':
      return read(def.innerType);
    case 'pipe':
      return read(def.in);
    case 'string':
      return required({ kind: 'scalar', type: 'String' });
    case 'boolean':
      return required({ kind: 'scalar', type: 'Boolean' });
    case 'number':
      return required({ kind: 'scalar', type: numberType(schema) });
    case 'enum':
      return required(enumOf(Object.values(def.entries).map(String)));
    case 'array':
      return required({ kind: 'list', item: def.element });
    case 'object':
      return required({ kind: 'object', shape: def.shape });
    case 'record':
    case 'unknown':
    case 'any':
    case 'union':
      return required({ kind: 'scalar', type: 'JSON' });
    default:
      throw new Error(`GraphQL inputs know no ${def.type} yet.`);
  }
}

function required(is: Kind): Reading {
  return { is, required: true };
}

/** An id keeps being one when it gets another description. */
function isId(schema: Schema | undefined): boolean {
  if (!schema) return false;
  return schema === publicId || schema === pathId || isId(schema._zod.parent);
}

function numberType(schema: Schema): 'Int' | 'SafeInt' | 'Float' {
  if (!(schema instanceof z.ZodNumber) || !schema.isInt) return 'Float';
  const small = (bound: number | null) => bound !== null && Math.abs(bound) < 2 ** 31;
  return small(schema.minValue) && small(schema.maxValue) ? 'Int' : 'SafeInt';
}

/** Words of the document are the enum's values; a set with a word that is no GraphQL name stays text. */
function enumOf(values: string[]): Kind {
  const named = values.every((value) => /^[A-Za-z]\w*$/.test(value));
  return named ? { kind: 'enum', values } : { kind: 'scalar', type: 'String' };
}

const enums = new Map<string, InputType<Types>>();
const objects = new Map<Shape, InputType<Types>>();

/** An enum of the same words is one type, named after the first place that has it. */
function enumType(values: string[], name: string): InputType<Types> {
  const known = enums.get(values.join());
  if (known) return known;
  const type = builder.enumType(name, { values });
  enums.set(values.join(), type);
  return type;
}

/** The input type of a zod object; nested objects are named after their place. */
export function inputObject(shape: Shape, name: string): InputType<Types> {
  const known = objects.get(shape);
  if (known) return known;
  const type = builder.inputType(name, {
    fields: (t) => mapFields(shape, (field, schema) => t.field(optionsOf(schema, name, field))),
  });
  objects.set(shape, type);
  return type;
}

/** Fields of a zod object by their GraphQL names. */
export function mapFields<T>(shape: Shape, each: (field: string, schema: Schema) => T): Record<string, T> {
  return Object.fromEntries(
    Object.entries(shape).map(([field, schema]) => [spell(field), each(field, schema)]),
  );
}

/** Options of an argument or input field, from its zod type. */
export function optionsOf(schema: Schema, owner: string, field: string) {
  const { is, required } = read(schema);
  return { type: typeOf(is, owner, field), required, ...describe(schema, field) };
}

function typeOf(is: Kind, owner: string, field: string): InputType<Types> | [InputType<Types>] {
  const name = nameOf(owner, field);
  switch (is.kind) {
    case 'scalar':
      return is.type;
    case 'enum':
      return enumType(is.values, name);
    case 'object':
      return inputObject(is.shape, `${name}Input`);
    case 'list': {
      const item = typeOf(read(is.item).is, owner, field);
      if (Array.isArray(item)) throw new Error(`${name}: GraphQL inputs know no lists of lists yet.`);
      return [item];
    }
    default:
      return is satisfies never;
  }
}

/** `ContactCreateInput` and `sort` make `ContactCreateSort`. */
function nameOf(owner: string, field: string): string {
  const spelt = spell(field);
  return owner.replace(/Input$/, '') + spelt.slice(0, 1).toUpperCase() + spelt.slice(1);
}

function describe(schema: Schema, field: string): { description?: string } {
  const own = descriptions[field];
  if (own !== undefined) return { description: own };
  for (let at: Schema | undefined = schema; at; at = innerOf(at)) {
    const description = (at as z.ZodType).description;
    if (description !== undefined) return { description };
  }
  return {};
}

function innerOf(schema: Schema): Schema | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return 'innerType' in def ? def.innerType : undefined;
}

/**
 * What a caller gave, as the operation's input names it. Only names change: null stays null and what is absent
 * stays absent, because an update tells the two apart.
 */
function fromGraphql(schema: Schema, value: unknown): unknown {
  const { is } = read(schema);
  if (value === null || value === undefined) return value;
  if (is.kind === 'list' && Array.isArray(value)) return value.map((item) => fromGraphql(is.item, item));
  if (is.kind !== 'object' || typeof value !== 'object') return value;
  return fieldsFromGraphql(is.shape, value);
}

/** The same for the fields of an object: arguments, or an input object. */
export function fieldsFromGraphql(shape: Shape, given: object): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(shape)) {
    const spelt = spell(field);
    if (Object.hasOwn(given, spelt)) fields[field] = fromGraphql(schema, Reflect.get(given, spelt));
  }
  return fields;
}
