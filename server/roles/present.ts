import type { Role as RoleRow } from '../../prisma/generated/client/client.ts';
import type { Role } from '../../schema/agents.ts';

export function presentRole(row: RoleRow & { _count: { users: number } }): Role {
  return {
    id: row.id,
    key: row.key as Role['key'],
    name: row.name,
    permissions: row.permissions as Role['permissions'],
    agents_count: row._count.users,
  };
}
