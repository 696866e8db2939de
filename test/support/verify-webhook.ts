import { createHmac, timingSafeEqual } from 'node:crypto';

/** The verifier of the README, with a clock that tests can move. */
export function verifyWebhook(rawBody: Buffer, header: string, secret: string, now = Date.now()): boolean {
  const parts = header.split(',').map((part) => part.split('='));
  const t = parts.find(([name]) => name === 't')?.[1];
  if (!(Math.abs(now / 1000 - Number(t)) <= 300)) return false;
  const expected = createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest();
  return parts.some(([name, value]) => {
    const given = Buffer.from(name === 'v1' ? (value ?? '') : '', 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
