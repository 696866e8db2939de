import Ajv, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { escape, type Received, type Sent } from './exchange.ts';
import { type JsonSchema, nearly, plain, rarely, reference, valid } from './arbitraries.ts';
import { accepts, bodies, idempotencyKeys, queries, texts, types } from './hostile.ts';
import { multipart } from './multipart.ts';
import { encode, singular } from './references.ts';
import { codesOf, filled, headerFaults, type Plan, type Surface } from './surface.ts';
import type { Actor, World } from './world.ts';

interface Parameter {
  name: string;
  in: string;
  schema: JsonSchema;
}
interface Operation {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  body: JsonSchema | undefined;
  form: boolean;
  responses: Record<string, Record<string, unknown>>;
}
export interface OpenApi {
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: object;
}

export interface RestPlan extends Plan {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, string | string[]>;
  /** Another query string, as it is. */
  rawQuery?: string;
  /** The value of a JSON body, or the text of any other. */
  body?: { json: unknown } | { text: string; type: string };
}

/** REST, as its document describes it. */
export class Rest implements Surface<RestPlan> {
  readonly name = 'rest';
  readonly weight = 3;
  readonly plans: ReadonlyMap<string, fc.Arbitrary<RestPlan>>;
  readonly tours: RestPlan[];
  readonly #world: World;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #document: OpenApi;
  readonly #ajv = new Ajv.default({
    strict: true,
    allErrors: true,
    strictTypes: false,
    strictRequired: false,
  });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(world: World, document: OpenApi) {
    this.#world = world;
    this.#document = document;
    addFormats.default(this.#ajv);
    this.#ajv.addVocabulary(['components', 'example', 'discriminator', 'override']);
    const operations = operationsOf(document);
    this.#operations = new Map(operations.map((one) => [one.id, one]));
    this.plans = new Map(operations.map((one) => [one.id, this.#plans(one)]));
    const keys = world.keys.filter(({ name }) => name.endsWith('all'));
    this.tours = keys.flatMap(({ name: actor }) => operations.flatMap((one) => tour(one, actor)));
  }

  kind({ operation }: RestPlan): string {
    const [resource = '', action = ''] = operation.split('-');
    if (action.startsWith('suggestion')) return 'suggestion';
    return action === 'timeline' ? 'message' : singular(resource);
  }

  request(plan: RestPlan, actor: Actor): Sent {
    const { method, path } = this.#operation(plan);
    const { path: ids, query, body, headers } = filled(this.#world, actor, plan);
    const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => escape(String(ids[name])));
    const pairs = Object.entries(query).map(([name, value]) => `${name}=${escape(String(value))}`);
    const search = plan.rawQuery ?? pairs.join('&');
    const sent = body && 'json' in body ? { text: encode(body.json), type: 'application/json' } : body;
    return {
      method,
      path: search === '' ? at : `${at}?${search}`,
      headers: {
        Accept: 'application/json',
        ...(sent && sent.type !== '' ? { 'Content-Type': sent.type } : {}),
        ...headers,
        ...actor.headers,
      },
      ...(sent ? { body: sent.text } : {}),
    };
  }

  judge(plan: RestPlan, actor: Actor, received: Received): string[] {
    const { status, text, body, headers } = received;
    const faults = headerFaults(received, actor);
    const operation = this.#operation(plan);
    if (!operation.responses[status]) return [...faults, `the status ${status} is not documented`];
    if (status === 204) return text === '' ? faults : [...faults, '204 has a body'];
    const validate = this.#validator(operation, status);
    if (!validate(body))
      faults.push(`${status} does not conform: ${this.#ajv.errorsText(validate.errors?.slice(0, 3))}`);
    const error = (body as { error?: { code?: string; request_id?: string } }).error;
    if (status >= 400 && typeof error === 'object') {
      if (!codesOf(status).includes(String(error.code))) faults.push(`${status} has the code ${error.code}`);
      if (error.request_id !== headers['x-request-id']) faults.push('request_id is not that of the header');
    }
    return status < 300 ? [...faults, ...roundTrip(plan, body)] : faults;
  }

  #operation({ operation }: RestPlan): Operation {
    return this.#operations.get(operation) as Operation;
  }

  #validator({ id, responses }: Operation, status: number): ValidateFunction {
    const known = this.#validators.get(`${id} ${status}`);
    if (known) return known;
    const response = this.#at<{ content: { 'application/json': { schema: JsonSchema } } }>(responses[status]);
    const { schema } = response.content['application/json'];
    const made = this.#ajv.compile({ ...schema, components: this.#document.components });
    this.#validators.set(`${id} ${status}`, made);
    return made;
  }

  /** What stands at a place of the document, whether by itself or by reference. */
  #at<T>(value: unknown): T {
    const ref: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, '$ref') : undefined;
    if (typeof ref !== 'string') return value as T;
    return ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, part) => Reflect.get(at as object, part), this.#document) as T;
  }

  #plans(operation: Operation): fc.Arbitrary<RestPlan> {
    const lookup = (ref: string) => this.#at<JsonSchema>({ $ref: ref });
    const parameters = operation.parameters.filter(({ in: where }) => where === 'query');
    const paths = operation.parameters.filter(({ in: where }) => where === 'path');
    const query = fc.record(
      Object.fromEntries(
        parameters.map(({ name, schema }) => [
          name,
          fc.oneof({ weight: 4, arbitrary: valid(schema, name, lookup) }, nearly(schema, name, lookup)),
        ]),
      ),
      { requiredKeys: [] },
    );
    const path = fc.record(Object.fromEntries(paths.map(({ name }) => [name, ids(name)])));
    return fc
      .record(
        {
          path,
          query,
          headers: headersOf(operation),
          rawQuery: rarely(20, fc.constantFrom(...queries)),
          body: operation.form ? multipart : bodiesOf(operation, lookup),
          actor: this.#world.callers(this.#world.keys),
        },
        { requiredKeys: ['path', 'query', 'headers', 'actor'] },
      )
      .map((plan) => ({ surface: 'rest', operation: operation.id, ...plan }));
  }
}

function operationsOf({ paths }: OpenApi): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => {
      const { content = {} } = (one['requestBody'] ?? {}) as {
        content?: Record<string, { schema: JsonSchema }>;
      };
      return {
        id: String(one['operationId']),
        method: method.toUpperCase(),
        path,
        parameters: ((one['parameters'] ?? []) as Parameter[]).filter(({ name }) => name !== undefined),
        body: content['application/json']?.schema,
        form: content['multipart/form-data'] !== undefined,
        responses: one['responses'] as Operation['responses'],
      };
    }),
  );
}

/** A plain call of what reads, of lists before what is in them. */
function tour({ id, method, parameters }: Operation, actor: string): RestPlan[] {
  if (method !== 'GET') return [];
  const names = parameters.filter(({ in: where }) => where === 'path').map(({ name }) => name);
  const path = Object.fromEntries(names.map((name) => [name, { $from: name, n: 0 }]));
  return [{ surface: 'rest', operation: id, actor, path, query: {}, headers: {} }];
}

function ids(name: string): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 8, arbitrary: reference(name) },
    { weight: 1, arbitrary: fc.constantFrom(...texts.filter((text) => text !== '' && text.length < 1_000)) },
  );
}

function headersOf({ method }: Operation): fc.Arbitrary<Record<string, string | string[]>> {
  const some = <T>(times: number, ...values: readonly T[]) => rarely(times, fc.constantFrom(...values));
  const key = fc.oneof(
    { weight: 8, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.constantFrom('again-1', 'again-2', 'again-3') },
    { weight: 1, arbitrary: fc.constantFrom(...idempotencyKeys, ['one', 'two']) },
  );
  return fc
    .record({
      Accept: some(15, ...accepts),
      'Idempotency-Key': method === 'GET' ? fc.constant(undefined) : key,
      'Accept-Language': some(20, 'pt-BR', 'x'.repeat(2_000), '*;q=nonsense'),
      'Content-Encoding': some(40, 'gzip', 'br', 'identity', 'nonsense'),
      'X-Forwarded-For': some(20, '1.2.3.4', 'nonsense, ::ffff:1.2.3.4'),
    })
    .map((all) =>
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
    ) as fc.Arbitrary<Record<string, string | string[]>>;
}

function bodiesOf(
  { id, body: schema }: Operation,
  lookup: (ref: string) => JsonSchema,
): fc.Arbitrary<RestPlan['body']> {
  const json = (value: unknown): RestPlan['body'] => ({ json: value });
  const raw = fc.record({
    text: fc.constantFrom(...bodies),
    type: fc.constantFrom('application/json', ...types),
  });
  if (!schema)
    return fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: raw });
  return fc.oneof(
    { weight: 8, arbitrary: plain(schema, id.replace('-', '.'), lookup).map(json) },
    { weight: 6, arbitrary: valid(schema, '', lookup).map(json) },
    { weight: 8, arbitrary: nearly(schema, '', lookup).map(json) },
    { weight: 1, arbitrary: raw },
  );
}

const kept = [
  'name',
  'title',
  'text',
  'description',
  'location',
  'notes',
  'client_ref',
  'external_id',
  'sku',
  'shortcut',
];

/** Accepted text is stored and answered as it was sent [F2]. */
function roundTrip({ body }: RestPlan, answer: unknown): string[] {
  const sent = body && 'json' in body ? body.json : undefined;
  const data: unknown = Reflect.get(answer as object, 'data');
  if (typeof sent !== 'object' || sent === null || typeof data !== 'object' || data === null) return [];
  return kept.flatMap((field) => {
    const [given, stored]: unknown[] = [Reflect.get(sent, field), Reflect.get(data, field)];
    const changed = typeof given === 'string' && typeof stored === 'string' && given !== stored;
    return changed ? [`${field} was ${JSON.stringify(given)} and is ${JSON.stringify(stored)}`] : [];
  });
}
