/** How far a timestamp may be from now, in seconds. */
const tolerance = 300;

/**
 * Whether Parlour signed this body with this secret, not more than 300 seconds ago.
 * @param rawBody the body as it came, before anything parsed it
 * @param header the value of `X-Service-Signature`
 * @param secret the whole secret of the endpoint, `whsec_` included
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  header: string | null | undefined,
  secret: string,
): Promise<boolean> {
  const parts = (header ?? '').split(',').map((part) => part.split('='));
  const t = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d+$/.test(t) || Math.abs(Date.now() / 1000 - Number(t)) > tolerance) return false;
  const encoder = new TextEncoder();
  const body = typeof rawBody === 'string' ? encoder.encode(rawBody) : rawBody;
  const prefix = encoder.encode(`${t}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify']);
  for (const [name, value = ''] of parts) {
    if (name !== 'v1' || !/^[0-9a-f]{64}$/.test(value)) continue;
    const mac = Uint8Array.from(value.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
    // Compares in constant time.
    if (await crypto.subtle.verify('HMAC', key, mac, signed)) return true;
  }
  return false;
}
