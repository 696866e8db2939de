import { Prisma } from '../../prisma/generated/client/client.ts';
import type { Context } from '../platform/context.ts';
import { readRows } from '../platform/rows.ts';
import { contactColumns, type ContactRow } from './columns.ts';

/** Contacts by id, without deleted ones, in one statement. */
export async function contactsById(ctx: Context, ids: string[]): Promise<Map<string, ContactRow>> {
  const rows = await readRows<ContactRow>(
    ctx,
    Prisma.sql`SELECT ${contactColumns} FROM contacts
      WHERE company_id = ${ctx.companyId} AND id = ANY(${ids}) AND deleted_at IS NULL`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}
