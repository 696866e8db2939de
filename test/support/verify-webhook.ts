import { createHmac, timingSafeEqual } from 'node:crypto';

/** The README's verifier: whether `rawBody` was sent by who knows `secret`, within the last 300 seconds. */
export function verifyWebhook(rawBody: Buffer, header: string, secret: string, now = Date.now()): boolean {
  const parts = header.split(',').map((part) => part.split('=') as [string, string]);
  const t = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (Math.abs(now / 1000 - Number(t)) > 300) return false;
  const expected = createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest();
  return parts.some(([name, value]) => {
    const given = Buffer.from(name === 'v1' ? value : '', 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
