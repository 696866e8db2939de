import type { Passkey as PasskeyRow, Role, Session, User } from '../../prisma/generated/client/client.ts';
import type { Profile } from '../../schema/agents.ts';
import type { Passkey } from '../../schema/passkeys.ts';
import type { Principal } from '../platform/context.ts';

interface Own {
  user: User & { role: Role; login: { twoFactorEnabled: boolean } | null };
  principal: Principal;
  session: { idleSeconds: number; endsIn: number } | null;
}

export function presentProfile({ user, principal, session }: Own): Profile {
  const { id, name, timezone, currency } = principal.account;
  return {
    id: user.id,
    name: user.displayName,
    email: user.email,
    role: { key: user.role.key, name: user.role.name },
    scopes: [...principal.grants].sort(),
    company: { id, name, timezone, currency },
    avatar_url: user.avatarUrl,
    locale: user.locale,
    timezone: user.timezone,
    availability: user.availability as Profile['availability'],
    preferences: user.preferences as Profile['preferences'],
    two_factor: user.login?.twoFactorEnabled ?? false,
    session: session && { idle_seconds: session.idleSeconds, ends_in: session.endsIn },
    livemode: principal.livemode,
  };
}

export function presentSession(row: Session & { current: boolean }) {
  return {
    id: row.id,
    current: row.current,
    ip: row.ipAddress || null,
    user_agent: row.userAgent || null,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.updatedAt.toISOString(),
  };
}

export function presentPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  };
}
