import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { sameSecret } from '../platform/compare.ts';
import type { Config } from '../platform/config.ts';

/** How long a session lasts after the visitor was last here, in days. */
export const sessionDays = 30;

/**
 * What a visitor's token says. It is signed and not stored: it names a channel and an address of its own on it, and
 * opens nothing else. Letters are short because the token goes with every request.
 */
const Claims = z.object({
  /** Company, channel and visitor. */
  c: z.string(),
  h: z.string(),
  v: z.string(),
  /** Name and e-mail as given. */
  n: z.string().optional(),
  e: z.string().optional(),
  /** Whether the page's own server has vouched for them. */
  k: z.boolean().optional(),
  /** Seconds since 1970 at which it ends. */
  x: z.int(),
});
export type Claims = z.infer<typeof Claims>;

const prefix = 'wcv1_';
const format = /^wcv1_([\w-]{1,3500})\.([\w-]{43})$/;

type Secrets = Config['secrets'];

/** A token: prefix, claims and their HMAC-SHA256. */
export function signClaims(secrets: Secrets, claims: Claims): string {
  const body = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${prefix}${body}.${macOf(secrets, body).toString('base64url')}`;
}

/** What a token says; null for one that is not ours, was changed or has run out. */
export function readClaims(secrets: Secrets, token: string, now: Date): Claims | null {
  const [, body, mac] = format.exec(token) ?? [];
  if (body === undefined || mac === undefined) return null;
  if (!sameSecret(Buffer.from(mac, 'base64url'), macOf(secrets, body))) return null;
  const claims = Claims.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString()));
  return claims.success && claims.data.x * 1_000 > now.getTime() ? claims.data : null;
}

function macOf(secrets: Secrets, body: string): Buffer {
  return createHmac('sha256', secrets.derive('webchat visitor')).update(body).digest();
}

/** The secret with which a page's own server signs who its users are; `version` makes a new one. */
export function identitySecret(secrets: Secrets, channelId: string, version: number): string {
  const key = secrets.derive('webchat identity');
  return `wci_${createHmac('sha256', key).update(`${channelId}:${version}`).digest('base64url')}`;
}

/** Hex HMAC over id, newline and e-mail. */
export function identityHash(secret: string, user: { id: string; email?: string | undefined }): string {
  return createHmac('sha256', secret)
    .update(`${user.id}\n${user.email ?? ''}`)
    .digest('hex');
}

/** The same page's user is the same visitor on all their devices; nobody reads the page's id from it. */
export function visitorIdOf(secrets: Secrets, channelId: string, userId: string): string {
  const mac = createHmac('sha256', secrets.derive('webchat user')).update(`${channelId}:${userId}`);
  return `u-${mac.digest('hex').slice(0, 40)}`;
}
