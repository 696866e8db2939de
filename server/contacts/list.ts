import { Prisma } from '../../prisma/generated/client/client.ts';
import { ContactListQuery } from '../../schema/contacts.ts';
import type { Context } from '../platform/context.ts';
import { query } from '../platform/operation.ts';
import {
  containsText,
  foldedPattern,
  newestFirst,
  type Page,
  readPage,
  type Sort,
} from '../platform/pagination.ts';
import { contactColumns, type ContactRow } from './columns.ts';
import { parsePhone } from './phone.ts';

type Row = ContactRow;

const sorts: Record<'created_at' | 'name', Sort<Row>> = {
  created_at: newestFirst,
  name: { name: 'name', column: 'name_sort', type: 'text', direction: 'asc', valueOf: (row) => row.nameSort },
};

const selected = Prisma.sql`SELECT ${contactColumns}`;
const select = Prisma.sql`${selected} FROM contacts`;

/** Newest first, or by name with nameless contacts last. Every filter is served by an index that starts with the company. */
export const listContacts = query({ access: 'contacts.view', input: ContactListQuery }, (ctx, input) =>
  contactPage(ctx, input),
);

/** A page of the list; with `tag`, of the contacts that have it. */
export function contactPage(ctx: Context, input: ContactListQuery, tag?: string): Promise<Page<Row>> {
  const { q, ...filters } = input;
  const where = [Prisma.sql`deleted_at IS NULL`, ...contactFilters(filters)];
  if (tag !== undefined)
    where.push(Prisma.sql`id IN (SELECT contact_id FROM contact_tags
      WHERE company_id = ${ctx.companyId} AND tag_id = ${tag})`);
  return readPage<Row>(ctx, {
    list: 'contacts',
    select,
    where,
    sought: q === undefined || q === '' ? undefined : soughtBy(ctx, textsOf(q)),
    filters: { ...input, tag },
    sort: sorts[input.sort ?? 'created_at'],
    limit: input.limit,
    cursor: input.cursor,
  });
}

/** The conditions of the list's filters. */
export function contactFilters({ q, phone, country, blocked, subscribed }: ContactListQuery): Prisma.Sql[] {
  const filters: Prisma.Sql[] = [];
  if (q !== undefined && q !== '') filters.push(walkedFor(textsOf(q)));
  if (phone !== undefined)
    filters.push(Prisma.sql`phone_key = ${parsePhone(withPlus(phone), country)?.key ?? ''}`);
  if (country !== undefined) filters.push(Prisma.sql`country = ${country.toUpperCase()}`);
  if (blocked !== undefined) filters.push(Prisma.sql`blocked = ${blocked}`);
  if (subscribed !== undefined) filters.push(Prisma.sql`subscribed = ${subscribed}`);
  return filters;
}

/** What is looked for: a number typed with blanks or dashes as it is kept, too. */
function textsOf(typed: string): string[] {
  const q = withPlus(typed);
  const digits = q.replaceAll(/[\s().-]/g, '');
  return digits === q || !/^\+?\d{3,}$/.test(digits) ? [q] : [q, digits];
}

function walkedFor(texts: readonly string[]): Prisma.Sql {
  const conditions = texts.map((text) => containsText('search', text));
  return Prisma.sql`(${Prisma.join(conditions, ' OR ')})`;
}

function soughtBy({ companyId }: Context, texts: readonly string[]) {
  const found = texts.map(
    (text) => Prisma.sql`SELECT contacts_containing(${companyId}, ${foldedPattern(text)})`,
  );
  return {
    columns: selected,
    table: 'contacts',
    walked: walkedFor(texts),
    indexed: texts.every(hasTrigram)
      ? Prisma.sql`id = ANY(ARRAY(${Prisma.join(found, ' UNION ALL ')}))`
      : null,
  };
}

/** Without three letters or digits in a row trigrams can't find it. */
function hasTrigram(text: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(text);
}

/** A `+` that nobody escaped in the URL arrives as a blank: ` 351912345678` is an international number. */
function withPlus(text: string): string {
  return text.replace(/^ (?=\d)/, '+');
}
