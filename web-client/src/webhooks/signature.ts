/**
 * Whether a signature fits body and secret. It is recomputed here, in the browser: the secret goes nowhere.
 * @param header `t=…,v1=…`, with a `v1` for each secret that signs
 */
export async function signatureFits(header: string, body: string, secret: string): Promise<boolean> {
  const parts = header.split(',').map((part) => part.split('=', 2));
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  const bytes = new TextEncoder();
  const key = await crypto.subtle.importKey(
    'raw',
    bytes.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const mac = await crypto.subtle.sign('HMAC', key, bytes.encode(`${timestamp}.${body}`));
  const expected = [...new Uint8Array(mac)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return parts.some(([name, value]) => name === 'v1' && value === expected);
}
