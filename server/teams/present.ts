import type { Team } from '../../schema/teams.ts';
import type { TeamRecord } from './service.ts';

export function presentTeam({ id, name, slug, members, createdAt, updatedAt }: TeamRecord): Team {
  return {
    id,
    name,
    slug,
    members: members.map(({ user }) => ({ name: user.displayName, email: user.email })),
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
