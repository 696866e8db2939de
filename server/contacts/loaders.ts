import type { Contact as ContactRow } from '../../prisma/generated/client/client.ts';
import type { Context } from '../platform/context.ts';

/** Contacts by id, without deleted ones, in one statement. */
export async function contactsById(ctx: Context, ids: string[]): Promise<Map<string, ContactRow>> {
  const rows = await ctx.db.contact.findMany({
    where: { companyId: ctx.companyId, id: { in: ids }, deletedAt: null },
  });
  return new Map(rows.map((row) => [row.id, row]));
}
