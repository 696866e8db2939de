import { Prisma } from '../../prisma/generated/client/client.ts';
import { z } from 'zod';
import type { Tag as TagRow } from '../../prisma/generated/client/client.ts';
import { pathId } from '../../schema/common.ts';
import { ContactRecordListQuery } from '../../schema/contacts.ts';
import type { Context } from '../platform/context.ts';
import { query } from '../platform/operation.ts';
import { readRows } from '../platform/rows.ts';
import { tagsOfContacts } from '../tags/attached.ts';
import type { ContactRow } from './columns.ts';
import { contactPage } from './list.ts';
import { contactTargets, showContact } from './service.ts';

export type ContactRecordRow = ContactRow & {
  tags: readonly TagRow[];
  lastConversation: { id: string; at: Date } | null;
};

/** The list that agents work with: that of the API, with tags, and by tag. */
export const listContactRecords = query(
  { access: 'contacts.view', dashboardOnly: true, input: ContactRecordListQuery },
  async (ctx, { tag, ...input }) => {
    const page = await contactPage(ctx, input, tag);
    return { ...page, rows: await withMore(ctx, page.rows) };
  },
);

export const showContactRecord = query(
  {
    access: 'contacts.view',
    dashboardOnly: true,
    input: z.object({ contact: pathId }),
    targets: contactTargets,
  },
  async (ctx, input) => {
    const [record] = await withMore(ctx, [await showContact.run(ctx, input)]);
    if (!record) throw new Error('One row has one record.');
    return record;
  },
);

async function withMore(ctx: Context, rows: readonly ContactRow[]): Promise<ContactRecordRow[]> {
  if (!ctx.principal.grants.has('inbox.access'))
    return rows.map((row) => ({ ...row, tags: [], lastConversation: null }));
  const ids = rows.map(({ id }) => id);
  const tags = await tagsOfContacts(ctx, ids);
  const conversations = await lastConversations(ctx, ids);
  return rows.map((row) => ({
    ...row,
    tags: tags.get(row.id) ?? [],
    lastConversation: conversations.get(row.id) ?? null,
  }));
}

/** The conversation of each of the contacts that moved last, in one statement. */
async function lastConversations(
  ctx: Context,
  contacts: string[],
): Promise<Map<string, { id: string; at: Date }>> {
  const rows = await readRows<{ contact: string; id: string; at: Date }>(
    ctx,
    Prisma.sql`
    SELECT wanted.id AS contact, last.* FROM unnest(${contacts}::text[]) AS wanted (id)
    CROSS JOIN LATERAL (
      SELECT id, last_message_at AS at FROM conversations
      WHERE company_id = ${ctx.companyId} AND contact_id = wanted.id
      ORDER BY last_message_at DESC, id DESC LIMIT 1
    ) AS last`,
  );
  return new Map(rows.map(({ contact, id, at }) => [contact, { id, at }]));
}
