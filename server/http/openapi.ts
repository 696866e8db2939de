import { generateOpenApiDocument, type OpenAPIObject } from 'trpc-to-openapi';
import { AccountErrorBody, BookingsErrorBody, ErrorBody, RatingErrorBody } from '../../schema/common.ts';
import { type ErrorCode, errors } from '../../schema/errors.ts';
import { Event, EventActor } from '../../schema/events.ts';
import { requestExamples } from '../../schema/examples.ts';
import { legacyAbilities, scopes } from '../../schema/scopes.ts';
import type { AppRouter } from '../app-router.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { type Access, scopesOf } from '../platform/operation.ts';
import { type ProcedureFacts, procedureFacts, type RestFacts, restPrefix } from '../platform/trpc.ts';
import { type ErrorShape, errorShape, shapedError } from './error-shapes.ts';
import { exampleOf } from './openapi-examples.ts';
import { tags } from './openapi-tags.ts';
import { webhookComponents, webhookPaths } from './openapi-webhooks.ts';

type Json = Record<string, unknown>;

type Operation = ProcedureFacts['operation'];

/**
 * The OpenAPI 3.1 document of the public surface. The adapter generates it from the procedures;
 * what it can't know (statuses, error bodies, headers, scopes) is set from the same facts the routes use.
 */
export function openApiDocument(appRouter: AppRouter, baseUrl = 'http://127.0.0.1:4000'): OpenAPIObject {
  const document = generateOpenApiDocument(appRouter, {
    title: 'Parlour API',
    description: overview,
    version: 'v1',
    openApiVersion: '3.1.1',
    baseUrl,
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: bearer } },
    defs: {
      Error: ErrorBody,
      AccountError: AccountErrorBody,
      BookingsError: BookingsErrorBody,
      RatingError: RatingErrorBody,
      Event,
      EventActor,
    },
  });
  for (const { name, rest, operation } of procedureFacts(appRouter)) {
    if (!rest) continue;
    const target = document.paths?.[`${restPrefix}${rest.path}`]?.[rest.method.toLowerCase() as 'get'];
    if (target) describe(target as unknown as Json, rest, operation, requestExamples[name]);
  }
  const components = (document.components ??= {});
  // The adapter's own errors: no endpoint of ours answers with them.
  const ours = Object.entries(components.schemas ?? {}).filter(([name]) => !name.startsWith('error.'));
  Object.assign(components, {
    responses: { ...usedIn(document.paths ?? {}, errorResponses()), ...webhookComponents.responses },
    headers,
    parameters: { ...parameters, ...webhookComponents.parameters },
    schemas: { ...Object.fromEntries(ours), ...webhookComponents.schemas },
  });
  Object.assign(document, { tags, webhooks: webhookPaths() });
  Object.assign(document.info, {
    contact: { name: 'Whoever runs this Parlour', url: baseUrl },
    license: { name: 'Proprietary', url: `${baseUrl}/docs` },
  });
  const schemas = components.schemas as Record<string, object>;
  for (const item of Object.values({ ...document.paths, ...webhooksOf(document) })) {
    for (const operation of Object.values(item as Record<string, Json>)) addExamples(operation, schemas);
  }
  return document;
}

/** The responses that something refers to: not every code is answered in every shape. */
function usedIn(paths: object, responses: Json): Json {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(responses).filter(([name]) => text.includes(`"#/components/responses/${name}"`)),
  );
}

function webhooksOf(document: object): Record<string, object> {
  return (document as { webhooks: Record<string, object> }).webhooks;
}

/** Bodies without an example of their own get one made from their schema. */
function addExamples({ requestBody, responses }: Json, schemas: Record<string, object>): void {
  for (const body of [requestBody, ...Object.values(responses as Json)]) {
    const contents = (body as { content?: Record<string, Json> } | undefined)?.content ?? {};
    for (const content of Object.values(contents)) {
      content['example'] ??= exampleOf(content['schema'] as object, schemas);
    }
  }
}

function describe(target: Json, rest: RestFacts, operation: Operation, example?: Json): void {
  const idempotent = operation.kind === 'mutation' && rest.legacy !== 'bookings';
  const { 200: success } = target['responses'] as Record<string, Json>;
  target['responses'] = {
    [rest.status ?? 200]: successResponse(rest, success ?? {}, idempotent),
    ...Object.fromEntries(
      errorCodesOf(rest, target, idempotent).map((code) => [
        errors[code].status,
        {
          $ref: `#/components/responses/${responseName(code, errorShape(rest.legacy, errors[code].status))}`,
        },
      ]),
    ),
  };
  Object.assign(target, scopeFacts(operation.access));
  if (idempotent) {
    target['parameters'] = [
      ...((target['parameters'] as Json[]) ?? []),
      { $ref: '#/components/parameters/IdempotencyKey' },
    ];
  }
  const body = target['requestBody'] as Json | undefined;
  // An object whose every field is optional may be left out altogether.
  if (body) body['required'] = hasRequiredField(body);
  const content = body?.['content'] as Json | undefined;
  for (const one of Object.values(content ?? {})) Object.assign(one as Json, { example });
  if (content && rest.body === 'json-or-form')
    content['application/x-www-form-urlencoded'] = content['application/json'];
}

/** `x-required-scopes`: all of them are needed; `x-any-of-scopes`: one of them is enough. */
function scopeFacts(access: Access): Json {
  if (access === 'owner' || access === 'admin') return { 'x-required-scopes': [access] };
  const scopes = scopesOf(access);
  return scopes.length > 1
    ? { 'x-required-scopes': [], 'x-any-of-scopes': scopes }
    : { 'x-required-scopes': scopes };
}

function successResponse(rest: RestFacts, success: Json, idempotent: boolean): Json {
  const names = Object.keys(headers).filter((name) => name !== 'Idempotency-Replayed' || idempotent);
  const references = Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  if (rest.status === 204) return { description: 'Done; no content.', headers: references };
  const own = Object.entries(rest.headers ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return {
    ...success,
    description: rest.status === 201 ? 'Created.' : 'Success.',
    headers: { ...references, ...Object.fromEntries(own) },
  };
}

function errorCodesOf(rest: RestFacts, target: Json, idempotent: boolean): ErrorCode[] {
  const body = target['requestBody'] !== undefined;
  const parameters = ((target['parameters'] as Json[] | undefined) ?? []).length > 0;
  const codes: [ErrorCode, boolean][] = [
    ['bad_request', true],
    ['unauthenticated', true],
    ['forbidden', true],
    ['not_found', rest.path.includes('{')],
    ['not_acceptable', true],
    // One response a status: the description of `conflict` names the other code too.
    [rest.conflicts ? 'conflict' : 'idempotency_conflict', idempotent || rest.conflicts === true],
    ['payload_too_large', body || rest.method !== 'GET'],
    ['validation_failed', body || parameters || idempotent],
    ['rate_limited', true],
    ['server_error', true],
  ];
  return codes.filter(([, applies]) => applies).map(([code]) => code);
}

function hasRequiredField(body: Json): boolean {
  const content = body['content'] as Record<string, { schema?: { required?: string[] } }>;
  return Object.values(content).some(({ schema }) => (schema?.required?.length ?? 0) > 0);
}

function responseName(code: string, shape: ErrorShape): string {
  return shape === 'Error' ? code : `${code}_${shape}`;
}

/** One response for each code and for each shape that an endpoint sends it in. */
function errorResponses(): Json {
  const references = Object.fromEntries(
    Object.keys(headers)
      .filter((name) => name !== 'Idempotency-Replayed')
      .map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const legacies = [undefined, 'account', 'bookings', 'rating'] as const;
  const responses: Json = {};
  for (const [code, { message, status }] of Object.entries(errors)) {
    for (const shape of new Set(legacies.map((legacy) => errorShape(legacy, status)))) {
      const example = shapedError(shape, errorExample(code as ErrorCode), '01JQZ7K3M9V5T2XH8C4B6N0DFG');
      const schema = { $ref: `#/components/schemas/${shape}` };
      responses[responseName(code, shape)] = {
        description:
          code === 'conflict' && shape === 'Error' ? `${message} Or \`idempotency_conflict\`.` : message,
        headers: references,
        content: { 'application/json': { schema, example } },
      };
    }
  }
  return responses;
}

function errorExample(code: ErrorCode): AppError {
  if (code !== 'validation_failed') return new AppError(code);
  return invalidField('name', 'max', 'Must have at most 191 characters.');
}

const integer = { type: 'integer', minimum: 0 };

const headers: Record<string, Json> = {
  'X-Request-Id': { description: 'Id of this request; errors repeat it.', schema: { type: 'string' } },
  'X-Service-Mode': { description: 'Mode of the key.', schema: { type: 'string', enum: ['live', 'test'] } },
  'X-RateLimit-Limit': { description: 'Requests a minute.', schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests left in this window.', schema: integer },
  'Retry-After': { description: 'Seconds to wait; 0 while there is budget left.', schema: integer },
  'Idempotency-Replayed': {
    description: '`true` when this is the stored answer of an earlier request.',
    schema: { type: 'string', enum: ['true'] },
  },
};

const parameters: Json = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A fresh UUID per logical operation. The same key and body within 24 hours get the stored answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
  },
};

const overview = [
  'Customer messaging and commerce: contacts, conversations, messages, products, orders, bookings and campaigns.',
  'JSON in, JSON out. Every answer is `{data, meta}`, every failure `{error}`.',
  'Lists are paged by an opaque cursor. Writes take an `Idempotency-Key`.',
].join('\n\n');

const bearer = [
  'A live key starts with `svc_live_`, a test key with `svc_test_`. Scopes:',
  ...Object.entries(scopes).map(([name, { text }]) => `- \`${name}\`: ${text}`),
  ...legacyAbilities.map((name) => `- \`${name}\`: legacy ability of the bookings endpoints.`),
].join('\n');
