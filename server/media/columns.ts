import { Prisma } from '../../prisma/generated/client/client.ts';
import type { Media as MediaRow } from '../../prisma/generated/client/client.ts';

/** What other records show of a file. */
export type MediaFields = Pick<MediaRow, 'id' | 'urlToken' | 'kind' | 'mimeType' | 'size' | 'filename'>;

const fields = `json_build_object('id', media.id, 'urlToken', media.url_token, 'kind', media.kind,
  'mimeType', media.mime_type, 'size', media.size, 'filename', media.filename)`;

/** A file as a JSON column of another record's query, null where there is none. */
export function mediaOf(table: string): Prisma.Sql {
  return Prisma.raw(`(
    SELECT ${fields} FROM media
    WHERE media.company_id = ${table}.company_id AND media.id = ${table}.media_id)`);
}

/** The files whose ids a `jsonb` array names, in its order, as one JSON array; those that are gone are left out. */
export function mediaListOf(table: string, ids: string): Prisma.Sql {
  return Prisma.raw(`(
    SELECT coalesce(json_agg(${fields} ORDER BY place), '[]')
    FROM jsonb_array_elements_text(${ids}) WITH ORDINALITY AS named (id, place)
    JOIN media ON media.company_id = ${table}.company_id AND media.id = named.id AND media.erased_at IS NULL)`);
}
