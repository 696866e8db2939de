import fc from 'fast-check';
import { assigned, texts, values } from './hostile.ts';
import { kindOf, type Reference, snakeCase } from './references.ts';

/** As much of JSON Schema as the documents use. */
export interface JsonSchema {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  override?: JsonSchema;
}

/** Gives the schema that a `$ref` names. */
export type Lookup = (ref: string) => JsonSchema;
type Values = fc.Arbitrary<unknown>;

const one = (...candidates: unknown[]): Values => fc.constantFrom(...candidates);
const phones = one('+351912345678', '+14155552671', '912 345 678', '+5511987654321', '+34 612 34 56 78');

/** Fields whose schema says less than they ask for. */
const byName: Readonly<Record<string, Values>> = {
  phone: phones,
  country: one('PT', 'ES', 'BR', 'us', 'XX'),
  currency: one('EUR', 'USD', 'BRL', 'JPY'),
  timezone: one('Europe/Lisbon', 'America/Sao_Paulo', 'UTC'),
  locale: one('en', 'es', 'pt-BR', 'ar'),
  language: one('en', 'es', 'pt-BR', 'en_US'),
  color: one('#112233', '#ABCDEF'),
  socket_id: one('123.456', '1.1'),
  channel_name: one('private-company.x', 'presence-conversation.x', 'private-user.x-test'),
  // Nobody listens there.
  url: one('http://127.0.0.1:9/hooks', 'https://127.0.0.1/hooks'),
  status: one('confirmed', 'pending', 'confirmed,pending', 'active', 'open'),
};

const moments = fc.oneof(
  fc
    .date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom(
    '2026-03-01T09:30:00Z',
    '2026-03-01T09:30:00.123+02:00',
    '2026-03-01',
    '2031-06-01T10:00:00Z',
  ),
);
const emails = fc.nat(10_000).map((n) => `fuzz-${n}@example.com`);

/** A value that an answer has told before, mostly of the caller's own company. */
export function reference(kind: string): Values {
  const own = fc.nat(40).map((n): Reference => ({ $from: kind, n }));
  const foreign = fc.nat(40).map((n): Reference => ({ $from: kind, n, foreign: true }));
  return fc.oneof({ weight: 8, arbitrary: own }, { weight: 2, arbitrary: foreign });
}

/** Values that the schema allows. @param name of the field */
export function valid(schema: JsonSchema, name: string, lookup: Lookup): Values {
  if (schema.$ref !== undefined) return valid(lookup(schema.$ref), name, lookup);
  if (schema.override && !schema.override.format) return valid({ type: 'boolean' }, name, lookup);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return one(...schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return fc.oneof(...options.map((option) => valid(option, name, lookup)));
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: string) => valid({ ...schema, type }, name, lookup)));
  const kind = kindOf(name);
  switch (schema.type) {
    case 'object':
      return objects(schema, lookup, valid);
    case 'array':
      return fc.array(valid(schema.items ?? {}, name, lookup), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case 'integer':
    case 'number':
      return kind ? fc.oneof(reference(kind), numbers(schema)) : numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return kind
        ? fc.oneof({ weight: 6, arbitrary: reference(kind) }, strings(schema, name))
        : strings(schema, name);
    default:
      return fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant({ a: [1, null] }));
  }
}

/** Optional fields without which an operation does nothing, and which contradict others. */
const essential: Readonly<Record<string, readonly string[]>> = {
  'messages.send': ['conversation', 'text'],
  'drafts.send': ['conversation', 'text'],
  'bookings.create': ['duration_minutes'],
  'conversations.transfer': ['assignee'],
  'conversations.bulk': ['assignee', 'tag'],
};

/** What a client sends that wants an operation to succeed. @param operation such as `messages.send` */
export function plain(schema: JsonSchema, operation: string, lookup: Lookup): Values {
  const required = [...(schema.required ?? []), ...(essential[operation] ?? [])];
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => required.includes(name));
  return valid({ ...schema, required, properties: Object.fromEntries(properties) }, '', lookup);
}

function numbers({ minimum = -1_000, maximum = 1_000_000 }: JsonSchema): Values {
  const small = fc.integer({ min: Math.max(minimum, -10), max: Math.max(Math.min(maximum, 100), minimum) });
  return fc.oneof({ weight: 4, arbitrary: small }, one(minimum, maximum));
}

function strings({ format, pattern, minLength = 0, maxLength = 40 }: JsonSchema, name: string): Values {
  const named = byName[snakeCase(name)];
  if (named) return named;
  if (format === 'date') return one('2026-01-01', '2026-03-05', '2026-06-30');
  if (format?.startsWith('date')) return moments;
  if (format === 'email') return emails;
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { maxLength });
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) }) },
    { weight: 1, arbitrary: one('😀'.repeat(maxLength), 'x'.repeat(maxLength)) },
  );
}

/** Once in so many times what is given, else nothing. */
export function rarely<T>(times: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

type Make = (schema: JsonSchema, name: string, lookup: Lookup) => Values;

function objects(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  lookup: Lookup,
  make: Make,
): Values {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, make(schema, name, lookup)]),
  );
  // All of them together contradict each other; a few are what a client sends.
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const known = fc
    .tuple(fc.record(fields), fc.subarray(optional, { maxLength: Math.min(optional.length, 4) }))
    .map(([all, some]) => Object.fromEntries([...required, ...some].map((name) => [name, all[name]])));
  if (Object.keys(properties).length > 0 || additionalProperties === false) return known;
  const inner = typeof additionalProperties === 'object' ? additionalProperties : {};
  return fc.dictionary(fc.string({ maxLength: 12 }), make(inner, '', lookup), { maxKeys: 4 });
}

/** Values that are wrong in one place, or at the edge of what is allowed. */
export function nearly(schema: JsonSchema, name: string, lookup: Lookup): Values {
  if (schema.$ref !== undefined) return nearly(lookup(schema.$ref), name, lookup);
  const anything = fc.oneof(one(...texts), one(...values), edges(schema), wrongReference);
  const properties = Object.entries(schema.properties ?? {});
  if (schema.type === 'array' && schema.items) {
    const items = valid(schema.items, name, lookup);
    const wrong = nearly(schema.items, name, lookup);
    return fc.oneof(
      { weight: 1, arbitrary: anything },
      {
        weight: 3,
        arbitrary: fc.tuple(fc.array(items, { maxLength: 2 }), wrong).map(([good, bad]) => [...good, bad]),
      },
      {
        weight: 1,
        arbitrary: items.map((item) => Array.from({ length: (schema.maxItems ?? 50) + 1 }, () => item)),
      },
    );
  }
  if (properties.length === 0) return anything;
  const spoilt = fc.oneof(
    ...properties.map(([field, inner]) => nearly(inner, field, lookup).map((bad) => ({ [field]: bad }))),
  );
  const base = objects(schema, lookup, valid) as fc.Arbitrary<object>;
  return fc.oneof(
    { weight: 8, arbitrary: fc.tuple(base, spoilt).map(([good, bad]) => ({ ...good, ...bad })) },
    { weight: 2, arbitrary: base.map((good) => ({ ...assigned, ...good })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(base, one(...properties.map(([field]) => field)))
        .map(([good, gone]) => without(good, String(gone))),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(base, one(...texts)).map(([good, key]) => ({ ...good, [String(key)]: 1 })),
    },
  );
}

const wrongReference = fc
  .tuple(
    one('contact', 'conversation', 'tag', 'product', 'order', 'message', 'cursor', 'email'),
    fc.nat(20),
    fc.boolean(),
  )
  .map(([$from, n, foreign]) => ({ $from, n, foreign }));

function without(value: object, gone: string): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== gone));
}

/** One beyond each limit, and what is exactly at it. */
function edges(schema: JsonSchema): Values {
  const [first] = schema.anyOf ?? [schema];
  const { minimum = 0, maximum = 2 ** 31 - 1, minLength = 0, maxLength = 191 } = { ...first, ...schema };
  return one(
    minimum,
    minimum - 1,
    maximum,
    maximum + 1,
    String(minimum),
    'x'.repeat(Math.max(minLength - 1, 0)),
    '😀'.repeat(maxLength),
    '😀'.repeat(maxLength + 1),
    'x'.repeat(maxLength + 1),
  );
}
