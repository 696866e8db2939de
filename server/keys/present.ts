import type { ApiKey as ApiKeyRow, User } from '../../prisma/generated/client/client.ts';
import type { ApiKey } from '../../schema/keys.ts';

export type ApiKeyWithUser = ApiKeyRow & { user: User; createdBy: User | null };

export function presentApiKey(row: ApiKeyWithUser): ApiKey {
  return {
    id: row.id,
    name: row.name,
    mode: row.mode as ApiKey['mode'],
    scopes: row.scopes as ApiKey['scopes'],
    hint: `svc_${row.mode}_${row.id.slice(0, 4)}…|••••${row.last4}`,
    user: { name: row.user.displayName, email: row.user.email },
    expires_at: row.expiresAt?.toISOString() ?? null,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    last_used_ip: row.lastUsedIp,
    last_used_agent: row.lastUsedAgent,
    created_at: row.createdAt.toISOString(),
    created_by: row.createdBy?.displayName ?? null,
  };
}
