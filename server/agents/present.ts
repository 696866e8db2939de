import type { Role, User } from '../../prisma/generated/client/client.ts';
import type { Agent } from '../../schema/agents.ts';

type Row = User & { role: Role; login: { twoFactorEnabled: boolean } | null; isMe: boolean };

export function presentAgent(row: Row): Agent {
  return {
    id: row.id,
    name: row.displayName,
    email: row.email,
    role: { id: row.role.id, key: row.role.key, name: row.role.name },
    availability: row.availability as Agent['availability'],
    signs_in: row.loginId !== null,
    two_factor: row.login?.twoFactorEnabled ?? false,
    avatar_url: row.avatarUrl,
    is_me: row.isMe,
    deactivated_at: row.deactivatedAt?.toISOString() ?? null,
    last_seen_at: row.lastSeenAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}
