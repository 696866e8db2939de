import type { Media as MediaRow } from '../../prisma/generated/client/client.ts';
import type { MessageMedia } from '../../schema/entries.ts';
import type { Media, MediaKind } from '../../schema/media.ts';
import type { Services } from '../platform/services.ts';
import type { MediaFields } from './columns.ts';

/** What links are made with. */
export type Links = Pick<Services, 'publicUrl'>;

/** The public address of a file: unguessable, absolute, without a key. */
export function mediaUrl(
  app: Links,
  { urlToken, filename }: Pick<MediaRow, 'urlToken' | 'filename'>,
): string {
  return `${app.publicUrl()}/media/${urlToken}/${encodeURIComponent(filename)}`;
}

export function presentMedia(row: MediaRow, app: Links): Media {
  return {
    ...presentMediaRef(row, app),
    width: row.width,
    height: row.height,
    duration_ms: row.durationMs,
    sha256: Buffer.from(row.sha256).toString('hex'),
    expires_at: row.expiresAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}

/** Media as messages and quick replies carry it. */
export function presentMediaRef(row: MediaFields, app: Links): MessageMedia {
  return {
    id: row.id,
    url: mediaUrl(app, row),
    // The database allows only these words.
    kind: row.kind as MediaKind,
    mime_type: row.mimeType,
    size: row.size,
    filename: row.filename,
  };
}
