import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

const prefix = 'whsec_';

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** What one attempt is about. */
interface Signed {
  eventId: string;
  eventType: string;
  deliveryId: string;
  attempt: number;
  body: Buffer;
}

/**
 * The headers of one attempt, signed for the moment it is made: receivers refuse a timestamp older than 300 seconds.
 * `X-Service-Signature` uses the whole secret as its key; the Standard Webhooks headers use the bytes it stands for.
 * @param secrets the current one first, then those whose overlap has not ended
 */
export function signedHeaders(
  { eventId, eventType, deliveryId, attempt, body }: Signed,
  secrets: readonly string[],
  now: Date,
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000);
  const ours = secrets.map((secret) => `v1=${mac(secret, `${timestamp}.`, body).toString('hex')}`);
  const standard = secrets.map((secret) => {
    return `v1,${mac(bytesOf(secret), `${eventId}.${timestamp}.`, body).toString('base64')}`;
  });
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    'User-Agent': 'Service-Webhooks/1',
    'X-Service-Signature': [`t=${timestamp}`, ...ours].join(','),
    'X-Service-Event': eventType,
    'X-Service-Event-Id': eventId,
    'X-Service-Delivery': deliveryId,
    'X-Service-Attempt': String(attempt),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  };
}

/** Whether `X-Service-Signature` was made of this body with this secret, whenever that was. */
export function signatureFits(header: string, body: string, secret: string): boolean {
  const parts = header.split(',').map((part) => part.split('='));
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  const expected = mac(secret, `${timestamp}.`, Buffer.from(body));
  return parts.some(([name, value = '']) => {
    const given = Buffer.from(value, 'hex');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const keptKeys = 1_000;
const keys = new Map<string, KeyObject>();

/** The bytes that a secret stands for, as a key that is made once: making it takes three times as long as signing. */
function bytesOf(secret: string): KeyObject {
  let key = keys.get(secret);
  if (key) return key;
  if (keys.size === keptKeys) keys.clear();
  key = createSecretKey(secret.slice(prefix.length), 'base64');
  keys.set(secret, key);
  return key;
}

function mac(key: string | KeyObject, before: string, body: Buffer): Buffer {
  return createHmac('sha256', key).update(before).update(body).digest();
}
