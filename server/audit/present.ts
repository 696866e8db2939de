import type { AuditEntry } from '../../schema/audit.ts';
import type { AuditRecord } from './service.ts';

export function presentAudit(row: AuditRecord): AuditEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: {
      type: row.actorType === 'api_key' ? 'api_key' : 'agent',
      name: row.actorName,
      email: row.email,
      key: row.apiKeyId,
    },
    action: row.action,
    resource: row.targetType,
    target: row.targetId,
    fields: row.changed,
    request_id: row.requestId,
    ip: row.ip,
  };
}
