import { Prisma } from '../../prisma/generated/client/client.ts';

/** How many conversations of a company are unread: the sum of a few rows, however many there are. An int. */
export function unreadTotal(companyId: string): Prisma.Sql {
  return Prisma.sql`SELECT coalesce(sum(delta), 0)::int AS total FROM unread_changes WHERE company_id = ${companyId}`;
}
