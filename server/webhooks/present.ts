import type {
  WebhookAttempt as AttemptRow,
  WebhookDelivery as DeliveryRow,
  WebhookEndpoint as EndpointRow,
} from '../../prisma/generated/client/client.ts';
import type {
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
  WebhookFigures,
} from '../../schema/webhooks.ts';
import type { EndpointFigures } from './figures.ts';
import type { Context } from '../platform/context.ts';

export function presentWebhookEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: row.events,
    enabled: row.enabled,
    status: row.enabled ? (row.failureCount > 0 ? 'failing' : 'enabled') : 'disabled',
    disabled_reason: row.disabledReason as WebhookEndpoint['disabled_reason'],
    disabled_at: row.disabledAt?.toISOString() ?? null,
    skip_key: row.skipApiKeyId,
    last_success_at: row.lastSuccessAt?.toISOString() ?? null,
    last_failure_at: row.lastFailureAt?.toISOString() ?? null,
    failing_since: row.failingSince?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

export function presentWebhookFigures(row: EndpointFigures): WebhookFigures {
  return {
    endpoint: row.id,
    deliveries: row.deliveries,
    succeeded: row.succeeded,
    p95_ms: row.p95,
    last_delivery_at: row.lastDeliveryAt?.toISOString() ?? null,
  };
}

/** A delivery, in lists with how long its last attempt took. */
export type TimedDelivery = DeliveryRow & { lastDurationMs?: number | null };

export function presentWebhookDelivery(row: TimedDelivery): WebhookDelivery {
  return {
    id: row.id,
    endpoint: row.endpointId,
    event: row.eventId,
    type: row.eventType,
    sequence: Number(row.sequence),
    status: row.status as WebhookDelivery['status'],
    attempts: row.attempts,
    next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
    last_attempt_at: row.lastAttemptAt?.toISOString() ?? null,
    last_status: row.lastStatus,
    last_error: row.lastError as WebhookDelivery['last_error'],
    last_duration_ms: row.lastDurationMs ?? null,
    resent_at: row.resentAt?.toISOString() ?? null,
    completed_at: row.completedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}

export function presentWebhookDeliveryDetail(
  { body, log, ...row }: DeliveryRow & { body: string | null; log: AttemptRow[] },
  { principal }: Pick<Context, 'principal'>,
): WebhookDeliveryDetail {
  // What a receiver answered may be anybody's: it is the Owner's to see.
  const mayRead = principal.kind === 'system' || principal.role === 'owner';
  return {
    ...presentWebhookDelivery({ ...row, lastDurationMs: log.at(-1)?.durationMs ?? null }),
    body,
    log: log.map((attempt) => presentAttempt(attempt, mayRead)),
  };
}

function presentAttempt(row: AttemptRow, mayRead: boolean): WebhookAttempt {
  return {
    id: row.id,
    number: row.number,
    trigger: row.trigger as WebhookAttempt['trigger'],
    at: row.at.toISOString(),
    duration_ms: row.durationMs,
    request_headers: row.requestHeaders as WebhookAttempt['request_headers'],
    response_status: row.responseStatus,
    response_headers: mayRead ? (row.responseHeaders as WebhookAttempt['response_headers']) : null,
    response_body: mayRead ? row.responseBody : null,
    error: row.error as WebhookAttempt['error'],
    error_message: row.errorMessage,
  };
}
