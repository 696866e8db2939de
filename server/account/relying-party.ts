import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { Db } from '../platform/database.ts';
import type { Services } from '../platform/services.ts';

/** For how long what the browser was given to sign is good, in milliseconds. */
const goodFor = 5 * 60_000;
const [saltLength, timeLength, sealLength] = [16, 6, 16];

interface RelyingParty {
  /** The host that passkeys are bound to. */
  id: string;
  origin: string;
}

/**
 * Whom passkeys are made for: the host of PUBLIC_URL, or `localhost` on one's own machine. Null where browsers make none:
 * at an address without a name, or without https.
 */
export function relyingParty(app: Pick<Services, 'config' | 'publicUrl'>): RelyingParty | null {
  const url = new URL(app.publicUrl());
  if (app.config.publicUrl === undefined && url.hostname === '127.0.0.1') url.hostname = 'localhost';
  const local = url.hostname === 'localhost' || url.hostname.endsWith('.localhost');
  const secure = url.protocol === 'https:' || local;
  if (!secure || isIP(url.hostname.replaceAll(/[[\]]/g, '')) !== 0) return null;
  return { id: url.hostname, origin: url.origin };
}

/** Something to sign, for one purpose and a few minutes. It carries its own proof, so nothing is stored for it. */
export function makeChallenge(app: Pick<Services, 'config' | 'clock'>, purpose: string): Buffer {
  const time = Buffer.alloc(timeLength);
  time.writeUIntBE(app.clock.now().getTime(), 0, timeLength);
  const body = Buffer.concat([randomBytes(saltLength), time]);
  return Buffer.concat([body, seal(app, purpose, body)]);
}

/**
 * Whether a challenge is one of ours for the purpose, not too old, and not used before; it is used from then on.
 * @param challenge base64url
 */
export async function spendChallenge(
  app: Pick<Services, 'config' | 'clock'>,
  db: Pick<Db, '$executeRaw'>,
  purpose: string,
  challenge: string,
): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== saltLength + timeLength + sealLength) return false;
  const body = bytes.subarray(0, saltLength + timeLength);
  if (!timingSafeEqual(bytes.subarray(body.length), seal(app, purpose, body))) return false;
  const now = app.clock.now();
  const ends = new Date(body.readUIntBE(saltLength, timeLength) + goodFor);
  if (ends <= now) return false;
  // Kept for as long as it could be shown again.
  const id = `passkey-${createHash('sha256').update(bytes).digest('hex')}`;
  const written = await db.$executeRaw`
    INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at)
    VALUES (${id}, ${id}, 'used', ${ends}, ${now}, ${now}) ON CONFLICT DO NOTHING`;
  return written === 1;
}

function seal({ config }: Pick<Services, 'config'>, purpose: string, body: Buffer): Buffer {
  const key = config.secrets.derive('passkeys');
  return createHmac('sha256', key).update(`${purpose}\n`).update(body).digest().subarray(0, sealLength);
}
