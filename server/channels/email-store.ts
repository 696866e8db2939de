import { newId } from '../platform/ids.ts';
import type { Services } from '../platform/services.ts';
import type { Upload } from '../platform/upload.ts';
import type { StoredLetter } from './adapter.ts';

/** Puts a mail into the store as it came: from now on it is not lost. */
export async function storeLetter(
  app: Pick<Services, 'storage'>,
  { path, size, sha256 }: Pick<Upload, 'path' | 'size' | 'sha256'>,
): Promise<StoredLetter> {
  const key = `letters/${newId()}`;
  await app.storage.keep(path, key, { type: 'message/rfc822', size });
  return { key, size, sha256: sha256.toString('hex') };
}
