import type { Person } from '../../schema/privacy.ts';
import { Prisma } from '../../prisma/generated/client/client.ts';
import { PersonPath } from '../../schema/privacy.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { query } from '../platform/operation.ts';
import { access, findPerson, personTargets } from './person.ts';

const threads =
  'conversation_id IN (SELECT id FROM conversations WHERE company_id = t.company_id AND contact_id = $)';
const orders = 'order_id IN (SELECT id FROM orders WHERE company_id = t.company_id AND contact_id = $)';

/** What is told of a person, in this order; `$` is the contact's id. */
const kinds: Record<string, { table: string; where: string; order: string }> = {
  contact: { table: 'contacts', where: 'id = $', order: 'id' },
  identities: { table: 'contact_identities', where: 'contact_id = $', order: 'id' },
  tags: { table: 'contact_tags', where: 'contact_id = $', order: 'attached_at' },
  tag_changes: { table: 'contact_tag_changes', where: 'contact_id = $', order: 'at' },
  conversations: { table: 'conversations', where: 'contact_id = $', order: 'id' },
  messages: { table: 'messages', where: 'contact_id = $', order: 'at' },
  files: {
    table: 'media',
    where: 'id IN (SELECT media_id FROM messages WHERE company_id = t.company_id AND contact_id = $)',
    order: 'id',
  },
  notes: { table: 'notes', where: 'contact_id = $', order: 'at' },
  timeline: { table: 'timeline_events', where: threads, order: 'at' },
  drafts: { table: 'drafts', where: threads, order: 'updated_at' },
  ai_insights: { table: 'ai_insights', where: threads, order: 'conversation_id' },
  ai_suggestions: { table: 'ai_suggestions', where: threads, order: 'created_at' },
  orders: { table: 'orders', where: 'contact_id = $', order: 'number' },
  order_items: { table: 'order_items', where: orders, order: 'id' },
  order_history: { table: 'order_status_changes', where: orders, order: 'at' },
  bookings: {
    table: 'bookings',
    where: `(contact_id = $ OR contact_id IS NULL AND ${threads})`,
    order: 'starts_at',
  },
  campaigns: { table: 'campaign_recipients', where: 'contact_id = $', order: 'campaign_id' },
  events: { table: 'events', where: `(contact_id = $ OR ${threads})`, order: 'sequence' },
  changes: { table: 'audit_logs', where: `target_id = $`, order: 'sequence' },
};

/** What is ours, or only there to be searched: not told. */
const left = `ARRAY['company_id', 'search', 'name_sort', 'storage_key', 'url_token', 'prev_hash', 'hash', 'before_hash', 'after_hash']`;

/** Everything that is kept about a contact, for whoever asks what it is. */
export const exportPerson = query(
  { ...access, input: PersonPath, targets: personTargets },
  async (ctx, { contact }): Promise<Person> => {
    if (!(await findPerson(ctx, contact))) throw notFound();
    const person: Person = {};
    for (const name of Object.keys(kinds)) person[name] = await rowsOf(ctx, name, contact);
    return person;
  },
);

async function rowsOf(ctx: Context, name: string, contact: string): Promise<Person[string]> {
  const kind = kinds[name];
  if (!kind) return [];
  const [first = '', ...rest] = kind.where.split('$');
  const where = Prisma.sql([first, ...rest], ...rest.map(() => contact));
  const rows = await ctx.db.$queryRaw<{ row: Person[string][number] }[]>`
    SELECT to_jsonb(t) - ${Prisma.raw(left)} AS row FROM ${Prisma.raw(kind.table)} t
    WHERE t.company_id = ${ctx.companyId} AND ${where} ORDER BY ${Prisma.raw(kind.order)}`;
  return rows.map(({ row }) => row);
}
