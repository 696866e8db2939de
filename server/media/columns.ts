import { Prisma } from '../../prisma/generated/client/client.ts';
import type { Media as MediaRow } from '../../prisma/generated/client/client.ts';

/** What other records show of a file. */
export type MediaFields = Pick<MediaRow, 'id' | 'urlToken' | 'kind' | 'mimeType' | 'size' | 'filename'>;

/** A file as a JSON column of another record's query, null where there is none. */
export function mediaOf(table: string): Prisma.Sql {
  return Prisma.raw(`(
    SELECT json_build_object('id', media.id, 'urlToken', media.url_token, 'kind', media.kind,
      'mimeType', media.mime_type, 'size', media.size, 'filename', media.filename)
    FROM media WHERE media.company_id = ${table}.company_id AND media.id = ${table}.media_id)`);
}
