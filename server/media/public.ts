import type { Readable } from 'node:stream';
import type { ByteRange } from '../platform/storage.ts';
import type { Services } from '../platform/services.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import { isServed } from './service.ts';

/** A file as it is served to whoever has its URL. */
export interface PublicMedia {
  mimeType: string;
  size: number;
  filename: string;
  sha256: string;
  /** Shown by the browser itself; anything else is offered for saving. */
  inline: boolean;
  /** May be asked for in parts. */
  ranges: boolean;
  open(range?: ByteRange): Promise<Readable>;
}

/** What the token of a media URL stands for; null for a guess, an expired or an erased file. */
export async function findPublicMedia(app: Services, token: string): Promise<PublicMedia | null> {
  if (!/^[\w-]{22}$/.test(token)) return null;
  // The URL names no tenant: its 128 random bits do.
  const row = await acrossTenants(() => app.prisma.media.findUnique({ where: { urlToken: token } }));
  if (!row || !isServed(row, app.clock.now())) return null;
  return {
    mimeType: row.mimeType.startsWith('text/') ? `${row.mimeType}; charset=utf-8` : row.mimeType,
    size: row.size,
    filename: row.filename,
    sha256: Buffer.from(row.sha256).toString('hex'),
    inline: row.kind !== 'document',
    ranges: row.kind === 'audio' || row.kind === 'video',
    open: (range) => app.storage.open(row.storageKey, range),
  };
}
