import { Prisma, type Tag as TagRow } from '../../prisma/generated/client/client.ts';
import { limits } from '../../schema/common.ts';
import type { Context } from '../platform/context.ts';
import { columns } from '../platform/pagination.ts';
import { readRows } from '../platform/rows.ts';
import type { TagUse } from './present.ts';

/** Tags of many contacts in one statement, in name order, at most 100 of each contact. */
export async function tagsOfContacts(ctx: Context, contactIds: string[]): Promise<Map<string, TagRow[]>> {
  const rows = await readRows<TagRow & { contactId: string }>(
    ctx,
    Prisma.sql`
    SELECT wanted.id AS "contactId", attached.*
    FROM unnest(${contactIds}::text[]) AS wanted (id)
    CROSS JOIN LATERAL (
      SELECT ${columns(Prisma.TagScalarFieldEnum, 'tags')} FROM contact_tags used
      JOIN tags ON tags.company_id = used.company_id AND tags.id = used.tag_id
      WHERE used.company_id = ${ctx.companyId} AND used.contact_id = wanted.id
      ORDER BY tags.name_sort, tags.id LIMIT ${limits.page.max}
    ) AS attached`,
  );
  return Map.groupBy(rows, (row) => row.contactId);
}

/** How often each of these tags is used, in one statement. */
export async function usesOfTags(ctx: Context, tagIds: string[]): Promise<Map<string, TagUse>> {
  const rows = await readRows<TagUse & { id: string }>(
    ctx,
    Prisma.sql`
    SELECT id,
      (SELECT count(*)::int FROM conversation_tags used
        WHERE used.company_id = ${ctx.companyId} AND used.tag_id = tags.id) AS "conversationsCount",
      (SELECT count(*)::int FROM contact_tags used
        JOIN contacts ON contacts.company_id = used.company_id AND contacts.id = used.contact_id
        WHERE used.company_id = ${ctx.companyId} AND used.tag_id = tags.id
          AND contacts.deleted_at IS NULL) AS "contactsCount"
    FROM tags WHERE company_id = ${ctx.companyId} AND id = ANY(${tagIds})`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Tags by id, in one statement. */
export async function tagsById(ctx: Context, ids: string[]): Promise<Map<string, TagRow>> {
  const rows = await readRows<TagRow>(
    ctx,
    Prisma.sql`
    SELECT ${columns(Prisma.TagScalarFieldEnum)} FROM tags WHERE company_id = ${ctx.companyId} AND id = ANY(${ids})`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}
