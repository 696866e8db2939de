import type { RequestEntry } from '../../schema/requests.ts';
import type { RequestRecord } from './service.ts';

export function presentRequest(row: RequestRecord): RequestEntry {
  const byKey = row.apiKeyId !== null;
  return {
    id: row.id,
    at: row.createdAt.toISOString(),
    caller: {
      type: byKey ? 'api_key' : 'agent',
      id: byKey ? row.apiKeyId : row.userId,
      name: byKey ? row.keyName : row.userName,
    },
    surface: row.surface as RequestEntry['surface'],
    method: row.method,
    path: row.path,
    operation: row.operation,
    status: row.status,
    code: row.code as RequestEntry['code'],
    param: row.param,
    duration_ms: row.durationMs,
    livemode: row.livemode,
    replayed: row.replayed,
    idempotency_key: row.idempotencyKey,
    ip: row.ip,
    user_agent: row.userAgent,
  };
}
