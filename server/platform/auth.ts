import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { conferredAbilities, type Grant, grantNames } from '../../schema/scopes.ts';
import type { Clock } from './clock.ts';
import type { CompanyRef, Principal } from './context.ts';
import type { Prisma } from './database.ts';
import { newId } from './ids.ts';
import type { Notifications } from './notifications.ts';
import { acrossTenants } from './tenancy.ts';

export const accessChannel = 'parlour_access';

const header = /^bearer +(\S+)$/i;
const format = /^svc_(live|test)_([0-9A-Za-z]{1,26})\|([0-9A-Za-z]{40,64})$/;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 43;
/** No key has it. */
const nobodysId = '0'.repeat(26);

interface Entry {
  hash: Uint8Array;
  mode: string;
  expiresAt: Date | null;
  principal: Principal;
}

/** A new key: the text that is shown once, and what is stored of it. */
export function newKey(mode: 'live' | 'test') {
  const id = newId();
  const secret = randomSecret();
  return { id, key: `svc_${mode}_${id}|${secret}`, secretHash: hashOf(secret), last4: secret.slice(-4) };
}

/**
 * Verifies bearer keys. Secrets are 256 random bits, so SHA-256 is the right hash: a slow one would let anyone
 * wear us out. Verified keys are kept in memory and dropped by NOTIFY, so a revocation is effective at once on
 * all processes; while that channel is down nothing is kept.
 */
export class Keyring {
  readonly #prisma: Prisma;
  readonly #clock: Clock;
  readonly #notifications: Notifications;
  readonly #entries = new Map<string, Entry>();
  readonly #used = new Map<string, { at: Date; ip: string | undefined; agent: string | undefined }>();

  constructor(prisma: Prisma, clock: Clock, notifications: Notifications) {
    this.#prisma = prisma;
    this.#clock = clock;
    this.#notifications = notifications;
    notifications.on(accessChannel, (companyId) => this.#forget(companyId));
    notifications.onReset(() => this.#entries.clear());
  }

  /**
   * Who the Authorization header stands for, or null. The scheme is case-insensitive; exactly one header.
   * An unknown id costs the same as a wrong secret.
   */
  async authenticate(
    headers: readonly string[] | undefined,
    ip?: string,
    agent?: string,
  ): Promise<Principal | null> {
    const bearer = headers?.length === 1 ? header.exec(headers[0] as string)?.[1] : undefined;
    const [, mode, id, secret] = (bearer === undefined ? null : format.exec(bearer)) ?? [];
    if (mode === undefined || id === undefined || secret === undefined) return null;
    const known = this.#entries.get(id);
    const entry = known ?? (await this.#load(id));
    const right = timingSafeEqual(entry?.hash ?? nobody, hashOf(secret));
    // An unknown id is looked up every time: a wrong secret must not be told from it by being faster.
    if (known && !right) await this.#load(nobodysId);
    if (!entry || !right || entry.mode !== mode) return null;
    const now = this.#clock.now();
    if (entry.expiresAt && entry.expiresAt <= now) return null;
    this.#used.set(id, { at: now, ip, agent: agent?.slice(0, 300) });
    return entry.principal;
  }

  /** Whom a key stands for that was verified before; null once it is revoked or has expired. */
  async principalOf(id: string): Promise<Principal | null> {
    const entry = this.#entries.get(id) ?? (await this.#load(id));
    const expired = entry?.expiresAt && entry.expiresAt <= this.#clock.now();
    return entry && !expired ? entry.principal : null;
  }

  /** Writes when, from where and by what keys were used last; called every few seconds and on shutdown. */
  async flushUsage(): Promise<void> {
    const used = [...this.#used];
    this.#used.clear();
    if (used.length === 0) return;
    await this.#prisma.$executeRaw`
      UPDATE api_keys SET last_used_at = used.at, last_used_ip = used.ip,
        last_used_agent = nullif(used.agent, '')
      FROM unnest(
        ${used.map(([id]) => id)}::text[],
        ${used.map(([, use]) => use.at)}::timestamptz[],
        ${used.map(([, use]) => use.ip ?? '')}::text[],
        ${used.map(([, use]) => use.agent ?? '')}::text[]
      ) AS used (id, at, ip, agent)
      WHERE api_keys.id = used.id`;
  }

  async #load(id: string): Promise<Entry | undefined> {
    const generation = this.#notifications.generation;
    const entry = await acrossTenants(() => loadKey(this.#prisma, id));
    // A revocation may have come in between; what was read before it must not be kept after it.
    if (entry && this.#notifications.live && generation === this.#notifications.generation)
      this.#entries.set(id, entry);
    return entry;
  }

  #forget(companyId: string): void {
    for (const [id, { principal }] of this.#entries) {
      if (principal.account.id === companyId) this.#entries.delete(id);
    }
  }
}

async function loadKey(prisma: Prisma, id: string): Promise<Entry | undefined> {
  const key = await prisma.apiKey.findUnique({
    where: { id },
    include: { company: { include: { sandbox: true } }, user: { include: { role: true } } },
  });
  if (!key || key.revokedAt || key.user.deactivatedAt || key.company.closedAt) return undefined;
  const livemode = key.mode === 'live';
  const company = livemode ? key.company : key.company.sandbox;
  if (!company) return undefined;
  const user = livemode
    ? key.user
    : await prisma.user.findUnique({
        where: { companyId_mirrorOf: { companyId: company.id, mirrorOf: key.user.id } },
      });
  return {
    hash: key.secretHash,
    mode: key.mode,
    expiresAt: key.expiresAt,
    principal: {
      kind: 'api_key',
      id: key.id,
      name: key.name,
      user: user && { id: user.id, email: user.email, name: user.displayName },
      account: refOf(key.company),
      company: refOf(company),
      livemode,
      role: key.user.role.key,
      grants: effectiveGrants(key.scopes, key.user.role.permissions),
    },
  };
}

function refOf({ id, name, timezone, currency }: CompanyRef): CompanyRef {
  return { id, name, timezone, currency };
}

/** What a key holds now: the scopes ticked, less what its user no longer has; abilities follow their scope. */
export function effectiveGrants(
  ticked: readonly string[],
  permissions: readonly string[],
): ReadonlySet<Grant> {
  const held = withAbilities(permissions);
  return withAbilities(ticked.filter((grant) => held.has(grant as Grant)));
}

/** Scopes plus the legacy abilities they confer. */
export function withAbilities(granted: readonly string[]): ReadonlySet<Grant> {
  const grants = new Set<Grant>();
  for (const name of grantNames) {
    if (!granted.includes(name)) continue;
    grants.add(name);
    for (const ability of conferredAbilities[name as keyof typeof conferredAbilities] ?? [])
      grants.add(ability);
  }
  return grants;
}

const nobody = Buffer.alloc(32);

function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** 43 characters of base 62: 256 bits. Bytes that would favour some characters are thrown away. */
function randomSecret(): string {
  let secret = '';
  while (secret.length < secretLength) {
    for (const byte of randomBytes(64)) {
      if (byte < 248 && secret.length < secretLength) secret += alphabet[byte % 62];
    }
  }
  return secret;
}
