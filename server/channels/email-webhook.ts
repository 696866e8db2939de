import { createHmac } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { EmailCredentials } from '../../schema/email.ts';
import { sameSecret } from '../platform/compare.ts';
import { AppError } from '../platform/errors.ts';
import type { Services } from '../platform/services.ts';
import type { ChannelRef, WebhookCall, WebhookTold } from './adapter.ts';
import { credentialsOf } from './credentials.ts';
import { storeLetter } from './email-store.ts';

/** Seconds by which the time of a signature may differ from ours. */
const tolerance = 300;

/**
 * Takes a mail as it came (RFC 5322), posted by whatever receives it. It is signed as our own webhooks are:
 * `X-Service-Signature: t=<Unix seconds>,v1=<hex HMAC-SHA256 of "<t>." and the body>`, by `webhook_secret`.
 */
export async function takeLetter(
  app: Services,
  channel: ChannelRef,
  call: WebhookCall,
): Promise<WebhookTold> {
  const { webhook_secret: secret } = credentialsOf(app, channel, EmailCredentials);
  const signed = readSignature(call.header('x-service-signature'), app.clock.now());
  if (secret === undefined || call.method !== 'POST' || !signed) throw new AppError('forbidden');
  const upload = await call.file();
  try {
    const mac = createHmac('sha256', secret).update(`${signed.time}.`);
    for await (const chunk of createReadStream(upload.path)) mac.update(chunk as Buffer);
    const expected = mac.digest('hex');
    if (!signed.signatures.some((given) => sameSecret(given, expected))) throw new AppError('forbidden');
    if (upload.size === 0) throw new AppError('bad_request', 'Is no e-mail.');
    return { letter: await storeLetter(app, upload) };
  } finally {
    await upload.discard();
  }
}

/** Time and signatures in a header of that form, not more than 300 seconds from now; null for anything else. */
export function readSignature(
  header: string | undefined,
  now: Date,
): { time: string; signatures: string[] } | null {
  const parts = (header ?? '').split(',', 10).map((part) => part.trim().split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = parts.filter(([name]) => name === 'v1').map(([, value = '']) => value);
  const age = Math.abs(now.getTime() / 1_000 - Number(time));
  return /^\d{1,12}$/.test(time) && age <= tolerance && signatures.length > 0 ? { time, signatures } : null;
}
