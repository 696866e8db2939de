import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { CompanyRef, Principal } from './context.ts';
import type { Prisma } from './database.ts';
import { withAbilities } from './auth.ts';

/** How long a session lasts, in milliseconds: without use, and in all. */
export const sessionLimits = { idle: 12 * 3_600_000, absolute: 30 * 24 * 3_600_000 } as const;

interface Row {
  id: string;
  used_at: Date;
  created_at: Date;
  expires_at: Date;
  user: { id: string; email: string; name: string };
  mirror: { id: string; email: string; name: string } | null;
  role: string | null;
  permissions: string[];
  account: CompanyRef;
  twin: CompanyRef;
}

type Mode = 'live' | 'test';

const graphqlKey = /^bearer +ses_(live|test)_([0-9A-Za-z]{1,64})\|([0-9a-f]{64})$/i;

/**
 * Whom the session cookie of the dashboard stands for. Rows are read at every call and nothing is kept, so what ends
 * a session (signing out, a new password, deactivation) ends it at once on all processes.
 */
export class Sessions {
  readonly #prisma: Prisma;
  readonly #clock: Clock;
  readonly #secret: string;
  readonly #secure: () => boolean;
  readonly #used = new Map<string, { at: Date; user: string }>();

  /**
   * @param secret signs the cookies: whoever has read the table alone can't make one
   * @param secure whether we are reached by https
   */
  constructor(prisma: Prisma, clock: Clock, secret: string, secure: () => boolean) {
    this.#prisma = prisma;
    this.#clock = clock;
    this.#secret = secret;
    this.#secure = secure;
  }

  /** The secret that cookies are signed with. */
  get secret(): string {
    return this.#secret;
  }

  /** What the names of our cookies begin with. Under https the browser lets nobody else set them. */
  get cookiePrefix(): string {
    return this.#secure() ? '__Host-parlour' : 'parlour';
  }

  get secure(): boolean {
    return this.#secure();
  }

  /** @param header the Cookie header; null without a session that is still good */
  async authenticate(header: string | undefined, mode: Mode): Promise<Principal | null> {
    const token = this.#tokenOf(header);
    if (token === null) return null;
    return this.#principal('s.token', token, mode);
  }

  /**
   * The key with which the GraphQL explorer asks for a session, in one mode. It opens GraphQL and nothing else, is kept
   * nowhere and ends with the session. Unlike the cookie it is sent by whoever was given it, never by the browser alone.
   */
  graphqlKey(id: string, mode: Mode): string {
    return `ses_${mode}_${id}|${this.#sealOf(id, mode).toString('hex')}`;
  }

  /** @param headers all Authorization headers; null unless there is one, with the GraphQL key of a good session */
  async byGraphqlKey(headers: readonly string[] | undefined): Promise<Principal | null> {
    const [, mode, id, seal] = (headers?.length === 1 && graphqlKey.exec(headers[0] ?? '')) || [];
    if ((mode !== 'live' && mode !== 'test') || id === undefined || seal === undefined) return null;
    if (!timingSafeEqual(Buffer.from(seal, 'hex'), this.#sealOf(id, mode))) return null;
    const principal = await this.principalOf(id, mode);
    return principal && { ...principal, anyDocument: true };
  }

  #sealOf(id: string, mode: Mode): Buffer {
    return createHmac('sha256', this.#secret).update(`graphql key, ${mode}, ${id}`).digest();
  }

  /** Whom a session stands for that was verified before; null once it has ended. */
  principalOf(id: string, mode: Mode): Promise<Principal | null> {
    return this.#principal('s.id', id, mode);
  }

  /** Writes when sessions were used last; called every few seconds and on shutdown. */
  async flushUsage(): Promise<void> {
    const used = [...this.#used];
    this.#used.clear();
    if (used.length === 0) return;
    const times = used.map(([, { at }]) => at);
    await this.#prisma.$executeRaw`
      UPDATE sessions SET updated_at = greatest(sessions.updated_at, used.at)
      FROM unnest(${used.map(([id]) => id)}::text[], ${times}::timestamptz[]) AS used (id, at)
      WHERE sessions.id = used.id`;
    await this.#prisma.$executeRaw`
      UPDATE users SET last_seen_at = used.at
      FROM unnest(${used.map(([, { user }]) => user)}::text[], ${times}::timestamptz[]) AS used (id, at)
      WHERE users.id = used.id AND (users.last_seen_at IS NULL OR users.last_seen_at < used.at)`;
  }

  async #principal(column: 's.token' | 's.id', value: string, mode: Mode): Promise<Principal | null> {
    const row = await this.#load(column, value);
    if (!row) return null;
    const now = this.#clock.now();
    const usedAt = Math.max(row.used_at.getTime(), this.#used.get(row.id)?.at.getTime() ?? 0);
    const idle = now.getTime() - usedAt >= sessionLimits.idle;
    const old = now.getTime() - row.created_at.getTime() >= sessionLimits.absolute;
    if (idle || old || row.expires_at <= now) return null;
    // A socket that is merely open is no use of the session.
    if (column === 's.token') this.#used.set(row.id, { at: now, user: row.user.id });
    const live = mode === 'live';
    return {
      kind: 'user',
      id: row.user.id,
      name: row.user.name,
      user: live ? row.user : row.mirror,
      account: row.account,
      company: live ? row.account : row.twin,
      livemode: live,
      role: row.role,
      grants: withAbilities(row.permissions),
      session: row.id,
    };
  }

  async #load(column: 's.token' | 's.id', value: string): Promise<Row | undefined> {
    const rows = await this.#prisma.$queryRawUnsafe<Row[]>(
      `SELECT s.id, s.updated_at AS used_at, s.created_at, s.expires_at,
         json_build_object('id', u.id, 'email', u.email, 'name', u.display_name) AS user,
         CASE WHEN m.id IS NOT NULL
           THEN json_build_object('id', m.id, 'email', m.email, 'name', m.display_name) END AS mirror,
         r.key AS role, r.permissions,
         json_build_object('id', c.id, 'name', c.name, 'timezone', c.timezone, 'currency', c.currency) AS account,
         json_build_object('id', t.id, 'name', t.name, 'timezone', t.timezone, 'currency', t.currency) AS twin
       FROM sessions s
         JOIN users u ON u.login_id = s.user_id AND u.deactivated_at IS NULL
         JOIN roles r ON r.company_id = u.company_id AND r.id = u.role_id
         JOIN companies c ON c.id = u.company_id AND c.closed_at IS NULL AND c.sandbox_of IS NULL
         JOIN companies t ON t.sandbox_of = c.id
         LEFT JOIN users m ON m.company_id = t.id AND m.mirror_of = u.id
       WHERE ${column} = $1`,
      value,
    );
    return rows[0];
  }

  /** The token of a cookie that we have signed. */
  #tokenOf(header: string | undefined): string | null {
    const cookie = cookieOf(header, `${this.cookiePrefix}.session_token`);
    const dot = cookie?.lastIndexOf('.') ?? -1;
    if (cookie === undefined || dot < 1) return null;
    const [token, signature] = [cookie.slice(0, dot), cookie.slice(dot + 1)];
    const expected = createHmac('sha256', this.#secret).update(token).digest();
    const given = Buffer.from(signature, 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected) ? token : null;
  }
}

/** Two cookies of one name are none: somebody else may have set the other. */
function cookieOf(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '').split(';').flatMap((part) => {
    const [key = '', ...value] = part.split('=');
    return key.trim() === name ? [value.join('=').trim()] : [];
  });
  const [value] = values;
  if (value === undefined || values.length > 1) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** Deletes what has run out; nothing of it is of use any more. */
export async function purgeSessions(prisma: Prisma, now: Date): Promise<void> {
  const idle = new Date(now.getTime() - sessionLimits.idle);
  await prisma.$executeRaw`DELETE FROM sessions WHERE updated_at <= ${idle} OR expires_at <= ${now}`;
  await prisma.$executeRaw`DELETE FROM verifications WHERE expires_at <= ${now}`;
}
