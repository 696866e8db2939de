import { Prisma } from '../../prisma/generated/client/client.ts';
import type { Context } from '../platform/context.ts';
import { foldedPattern, literally } from '../platform/pagination.ts';
import { readRows } from '../platform/rows.ts';

/** With more matches than this a word counts as common. */
const probeLimit = 500;

interface Sought {
  q?: string | undefined;
  tag?: string | undefined;
}

interface Found {
  tagged: string[] | null;
  contacts: string[] | null;
  threads: string[] | null;
}

/**
 * Conditions for `q` and `tag`, each index-served at any size. A bounded probe (one statement for both) finds all
 * matches of what is rare; for what is common it gives up, and walking the newest conversations meets them soon.
 */
export async function soughtConditions(ctx: Context, { q, tag }: Sought): Promise<Prisma.Sql[]> {
  const needle = needleOf(q);
  if (needle === null && tag === undefined) return [];
  const probes: Prisma.Sql[] = [];
  if (tag !== undefined) {
    probes.push(
      idsFrom(
        Prisma.sql`SELECT conversation_id AS id FROM conversation_tags
          WHERE company_id = ${ctx.companyId} AND tag_id = ${tag} LIMIT ${probeLimit + 1}`,
        'tagged',
      ),
    );
  }
  if (needle !== null) {
    probes.push(idsFrom(contactProbe(ctx, needle), 'contacts'));
    if (!needle.short) probes.push(idsFrom(messageProbe(ctx, needle), 'threads'));
  }
  const [found] = await readRows<Found>(ctx, Prisma.sql`SELECT ${Prisma.join(probes, ', ')}`);
  if (!found) return [];
  return [
    ...(tag === undefined ? [] : [taggedCondition(tag, found.tagged ?? [])]),
    ...(needle === null ? [] : [needleCondition(ctx, needle, found)]),
  ];
}

interface Needle {
  text: string;
  /** The digits of a phone number typed with blanks and signs. */
  phone: string | null;
  /** No three letters or digits in a row: trigrams can't find it. Only the beginnings of names and phones are looked at. */
  short: boolean;
}

function needleOf(q: string | undefined): Needle | null {
  const text = q?.trim() ?? '';
  if (text === '') return null;
  const digits = /^\+?[\d\s()./-]+$/.test(text) ? text.replaceAll(/[^\d+]/g, '') : null;
  const phone = digits !== null && digits.length >= 3 && digits !== text ? digits : null;
  return { text, phone, short: !/[\p{L}\p{N}]{3}/u.test(phone ?? text) };
}

function idsFrom(rows: Prisma.Sql, name: keyof Found): Prisma.Sql {
  return Prisma.sql`ARRAY(SELECT DISTINCT id FROM (${rows}) AS probed) AS ${Prisma.raw(name)}`;
}

function contactProbe({ companyId }: Context, needle: Needle): Prisma.Sql {
  const cap = probeLimit + 1;
  if (needle.short) {
    return Prisma.sql`
      SELECT id FROM contacts_with_prefix(${companyId}, fold_text(${needle.text}), ${phoneStart(needle)}, ${cap}) AS id`;
  }
  const patterns = [needle.text, ...(needle.phone === null ? [] : [needle.phone])];
  return Prisma.join(
    patterns.map(
      (text) =>
        Prisma.sql`SELECT id FROM contacts_with_text(${companyId}, ${foldedPattern(text)}, ${cap}) AS id`,
    ),
    ' UNION ALL ',
  );
}

function messageProbe({ companyId }: Context, { text }: Needle): Prisma.Sql {
  return Prisma.sql`SELECT id FROM conversations_with_text(${companyId}, ${like(text)}, ${probeLimit + 1}) AS id`;
}

function taggedCondition(tag: string, tagged: readonly string[]): Prisma.Sql {
  return tagged.length > probeLimit ? Prisma.sql`tag_ids @> ARRAY[${tag}]` : among('id', tagged);
}

/** OFFSET 0 keeps the planner from turning the walk's look-ups into one pass over all messages or contacts. */
function needleCondition({ companyId }: Context, needle: Needle, { contacts, threads }: Found): Prisma.Sql {
  const either: Prisma.Sql[] = [];
  if (contacts && contacts.length <= probeLimit) either.push(among('contact_id', contacts));
  else {
    const matches = needle.short ? prefixCondition(needle) : containedCondition(needle);
    either.push(Prisma.sql`EXISTS (SELECT FROM contacts WHERE contacts.company_id = ${companyId}
      AND contacts.id = conversations.contact_id AND contacts.deleted_at IS NULL AND ${matches} OFFSET 0)`);
  }
  if (threads && threads.length <= probeLimit) either.push(among('id', threads));
  else if (!needle.short) {
    either.push(Prisma.sql`EXISTS (SELECT FROM messages WHERE messages.company_id = ${companyId}
      AND messages.conversation_id = conversations.id AND messages.text ILIKE ${like(needle.text)} OFFSET 0)`);
  }
  return Prisma.sql`(${Prisma.join(either, ' OR ')})`;
}

function containedCondition({ text, phone }: Needle): Prisma.Sql {
  const patterns = [text, ...(phone === null ? [] : [phone])].map(foldedPattern);
  return Prisma.sql`(${Prisma.join(
    patterns.map(
      (pattern) => Prisma.sql`contacts.name_sort LIKE ${pattern} OR contacts.phone LIKE ${pattern}`,
    ),
    ' OR ',
  )})`;
}

/** The same beginnings as contacts_with_prefix, of one contact at a time. */
function prefixCondition(needle: Needle): Prisma.Sql {
  return Prisma.sql`(starts_with(contacts.name_sort, fold_text(${needle.text}))
    OR starts_with(contacts.phone_key, ${phoneStart(needle)}))`;
}

function phoneStart({ text, phone }: Needle): string {
  return `+${(phone ?? text).replace(/^\+/, '')}`;
}

function among(column: 'id' | 'contact_id', ids: readonly string[]): Prisma.Sql {
  return Prisma.sql`${Prisma.raw(column)} = ANY(${[...ids]})`;
}

/** A pattern of any text that has this one in it. */
export function like(text: string): string {
  return `%${literally(text)}%`;
}
