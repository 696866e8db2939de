import { randomBytes } from 'node:crypto';

/** Where a file's bytes go: a day's folder and a random name, nothing of it from a client. */
export function keyFor(now: Date): string {
  return `${now.toISOString().slice(0, 10)}/${randomBytes(16).toString('hex')}`;
}

export function extensionOf(mimeType: string): string {
  const special: Record<string, string> = { 'image/jpeg': 'jpg', 'text/plain': 'txt', 'audio/mpeg': 'mp3' };
  return (
    special[mimeType] ??
    /^(?:image|video|audio|text)\/(\w+)$|^application\/(pdf)$/.exec(mimeType)?.[1] ??
    'bin'
  );
}
