import { eventObjects, eventTypes, type EventFamily, type EventType } from '../../schema/events.ts';

type Json = Record<string, unknown>;

/** The `webhooks` section of the document: every event with the body that a receiver is sent. */
export function webhookPaths(): Json {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: operation(type) }]));
}

function operation(type: EventType): Json {
  return {
    operationId: `webhook-${type.replace('.', '-')}`,
    summary:
      summaries[type] ??
      `${/^[aeiou]/.test(type) ? 'An' : 'A'} ${family(type).replace('_', ' ')}: ${verb(type)}.`,
    tags: ['Webhooks'],
    security: [],
    parameters: Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { required: true, content: { 'application/json': { schema: bodyOf(type) } } },
    responses: Object.fromEntries(
      Object.keys(answers).map((status) => [status, { $ref: `#/components/responses/Webhook${status}` }]),
    ),
  };
}

function bodyOf(type: EventType): Json {
  const object = objectOf(type);
  return {
    allOf: [
      { $ref: '#/components/schemas/Event' },
      {
        type: 'object',
        properties: {
          type: { const: type },
          ...(object ? { data: { type: 'object', properties: { object } } } : {}),
        },
      },
    ],
  };
}

/** The record's own schema, where it has one. */
function objectOf(type: EventType): Json | undefined {
  const known: Partial<Record<EventFamily, { meta(): { id?: string } | undefined }>> = eventObjects;
  const id = known[family(type)]?.meta()?.id;
  if (id === undefined) return undefined;
  const names = [id, ...Object.keys(stubs)];
  return { anyOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) };
}

const family = (type: EventType) => type.split('.')[0] as EventFamily;
const verb = (type: EventType) => (type.split('.')[1] ?? '').replaceAll('_', ' ');

const summaries: Partial<Record<EventType, string>> = {
  'webhook.ping': 'Sent by "send test" only; the one event that no live activity caused.',
  'conversation.handoff': 'The AI handed a conversation to a human.',
};

const headers = {
  'X-Service-Signature':
    '`t=<unix>,v1=<hex>`: HMAC-SHA256 of `t`, a dot and the raw body, keyed with the whole secret. Two `v1` while a replaced secret still signs.',
  'X-Service-Event': 'Type of the event.',
  'X-Service-Event-Id': 'Id of the event, the same in every attempt and resend: drop what you have seen.',
  'X-Service-Delivery': 'Id of the delivery, the same in every attempt.',
  'X-Service-Attempt': 'Number of the attempt, from 1.',
  'webhook-id': 'As X-Service-Event-Id, for Standard Webhooks libraries.',
  'webhook-timestamp': 'As `t`.',
  'webhook-signature': '`v1,<base64>`, one for each secret, with a space between.',
};

const answers = {
  '2XX': 'Received. The answer is not read beyond 4 kB.',
  '410': 'Nobody wants this any more: the endpoint is switched off.',
  default: 'Tried again, ten times in 75 h 35 min. `Retry-After` is honoured up to 24 hours.',
};

const stub = (flag: string, description: string): Json => ({
  type: 'object',
  description,
  properties: { id: { type: 'string' }, [flag]: { type: 'boolean', const: true } },
  required: ['id', flag],
  additionalProperties: false,
});

const stubs = {
  DeletedRecord: stub('deleted', 'What an event tells of a record that was deleted.'),
  TruncatedRecord: stub('truncated', 'In place of a record whose event would be over 256 KiB: fetch it.'),
};

/** What the webhooks refer to in the document's components. */
export const webhookComponents = {
  schemas: stubs,
  parameters: Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { name, in: 'header', required: true, description, schema: { type: 'string' } },
    ]),
  ),
  responses: Object.fromEntries(
    Object.entries(answers).map(([status, description]) => [`Webhook${status}`, { description }]),
  ),
};
