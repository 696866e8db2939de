import { Prisma } from '../../prisma/generated/client/client.ts';
import { ContactListQuery } from '../../schema/contacts.ts';
import type { Context } from '../platform/context.ts';
import { query } from '../platform/operation.ts';
import { containsText, newestFirst, type Page, readPage, type Sort } from '../platform/pagination.ts';
import { contactColumns, type ContactRow } from './columns.ts';
import { parsePhone } from './phone.ts';

type Row = ContactRow;

const sorts: Record<'created_at' | 'name', Sort<Row>> = {
  created_at: newestFirst,
  name: { name: 'name', column: 'name_sort', type: 'text', direction: 'asc', valueOf: (row) => row.nameSort },
};

const select = Prisma.sql`SELECT ${contactColumns} FROM contacts`;

/** Newest first, or by name with nameless contacts last. Every filter is served by an index that starts with the company. */
export const listContacts = query({ access: 'contacts.view', input: ContactListQuery }, (ctx, input) =>
  contactPage(ctx, input),
);

/** A page of the list; with `tag`, of the contacts that have it. */
export function contactPage(ctx: Context, input: ContactListQuery, tag?: string): Promise<Page<Row>> {
  const where = [Prisma.sql`deleted_at IS NULL`, ...contactFilters(input)];
  if (tag !== undefined)
    where.push(Prisma.sql`id IN (SELECT contact_id FROM contact_tags
      WHERE company_id = ${ctx.companyId} AND tag_id = ${tag})`);
  return readPage<Row>(ctx, {
    list: 'contacts',
    select,
    where,
    filters: { ...input, tag },
    sort: sorts[input.sort ?? 'created_at'],
    limit: input.limit,
    cursor: input.cursor,
  });
}

/** The conditions of the list's filters. */
export function contactFilters({ q, phone, country, blocked, subscribed }: ContactListQuery): Prisma.Sql[] {
  const filters: Prisma.Sql[] = [];
  if (q !== undefined && q !== '') filters.push(searching(withPlus(q)));
  if (phone !== undefined)
    filters.push(Prisma.sql`phone_key = ${parsePhone(withPlus(phone), country)?.key ?? ''}`);
  if (country !== undefined) filters.push(Prisma.sql`country = ${country.toUpperCase()}`);
  if (blocked !== undefined) filters.push(Prisma.sql`blocked = ${blocked}`);
  if (subscribed !== undefined) filters.push(Prisma.sql`subscribed = ${subscribed}`);
  return filters;
}

/** A number typed with blanks or dashes is looked for as it is kept, too. */
function searching(q: string): Prisma.Sql {
  const digits = q.replaceAll(/[\s().-]/g, '');
  const asTyped = containsText('search', q);
  if (digits === q || !/^\+?\d{3,}$/.test(digits)) return asTyped;
  return Prisma.sql`(${asTyped} OR ${containsText('search', digits)})`;
}

/** A `+` that nobody escaped in the URL arrives as a blank: ` 351912345678` is an international number. */
function withPlus(text: string): string {
  return text.replace(/^ (?=\d)/, '+');
}
