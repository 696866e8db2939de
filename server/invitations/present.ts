import type { Invitation as InvitationRow, Role, User } from '../../prisma/generated/client/client.ts';
import type { Invitation } from '../../schema/agents.ts';

export function presentInvitation(row: InvitationRow & { role: Role; invitedBy: User | null }): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: { id: row.role.id, name: row.role.name },
    invited_by: row.invitedBy?.displayName ?? null,
    expires_at: row.expiresAt.toISOString(),
    created_at: row.createdAt.toISOString(),
  };
}
