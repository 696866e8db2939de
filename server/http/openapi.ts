import { generateOpenApiDocument, type OpenAPIObject } from 'trpc-to-openapi';
import { ErrorBody, LegacyErrorBody } from '../../schema/common.ts';
import { type ErrorCode, errors } from '../../schema/errors.ts';
import { legacyAbilities, scopes } from '../../schema/scopes.ts';
import type { AppRouter } from '../app-router.ts';
import { type ProcedureFacts, procedureFacts, type RestFacts, restPrefix } from '../platform/trpc.ts';

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
    defs: { Error: ErrorBody, LegacyError: LegacyErrorBody },
  });
  for (const { rest, operation } of procedureFacts(appRouter)) {
    if (!rest) continue;
    const target = document.paths?.[`${restPrefix}${rest.path}`]?.[rest.method.toLowerCase() as 'get'];
    if (target) describe(target as unknown as Json, rest, operation);
  }
  Object.assign((document.components ??= {}), { responses: errorResponses(), headers, parameters });
  return document;
}

function describe(target: Json, rest: RestFacts, operation: Operation): void {
  const idempotent = operation.kind === 'mutation' && rest.legacy !== 'bookings';
  const { 200: success } = target['responses'] as Record<string, Json>;
  target['responses'] = {
    [rest.status ?? 200]: successResponse(rest, success ?? {}, idempotent),
    ...Object.fromEntries(
      errorCodesOf(rest, target, idempotent).map((code) => [
        errors[code].status,
        { $ref: `#/components/responses/${rest.legacy === 'bookings' ? 'legacy_' : ''}${code}` },
      ]),
    ),
  };
  target['x-required-scopes'] = operation.access === 'any' ? [] : [operation.access];
  if (idempotent) {
    target['parameters'] = [
      ...((target['parameters'] as Json[]) ?? []),
      { $ref: '#/components/parameters/IdempotencyKey' },
    ];
  }
  const body = target['requestBody'] as Json | undefined;
  // An object whose every field is optional may be left out altogether.
  if (body) body['required'] = hasRequiredField(body);
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

/** One response per code, with the uniform body and with the legacy one. A 409 of a state may also be one of a key. */
function errorResponses(): Json {
  const references = Object.fromEntries(
    Object.keys(headers)
      .filter((name) => name !== 'Idempotency-Replayed')
      .map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const response = (code: ErrorCode, schema: string, examples: Json): Json => ({
    description:
      code === 'conflict'
        ? `${errors.conflict.message} Or: ${errors.idempotency_conflict.message}`
        : errors[code].message,
    headers: references,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, examples } },
  });
  const responses: Json = {};
  for (const code of Object.keys(errors) as ErrorCode[]) {
    const example = { error: exampleOf(code) };
    const examples: Json = { [code]: { value: example } };
    if (code === 'conflict')
      examples['idempotency_conflict'] = { value: { error: exampleOf('idempotency_conflict') } };
    responses[code] = response(code, 'Error', examples);
    responses[`legacy_${code}`] = {
      ...response(code, 'LegacyError', { [code]: { value: { ...legacyOf(example.error), ...example } } }),
      description: errors[code].message,
    };
  }
  return responses;
}

function legacyOf(error: Json): Json {
  const { message, details } = error as { message: string; details?: { param: string; message: string }[] };
  return {
    message,
    errors: Object.fromEntries((details ?? []).map((detail) => [detail.param, [detail.message]])),
  };
}

function exampleOf(code: ErrorCode): Json {
  const { type, message } = errors[code];
  const error = { type, code, message, param: null, request_id: '01JQZ7K3M9V5T2XH8C4B6N0DFG' };
  if (code !== 'validation_failed') return error;
  const detail = { param: 'name', code: 'max', message: 'Must have at most 191 characters.' };
  return { ...error, param: 'name', message: detail.message, details: [detail] };
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
