import { z } from 'zod';
import { type Contact as ContactRow, type Tag as TagRow } from '../../prisma/generated/client/client.ts';
import { pathId } from '../../schema/common.ts';
import { ContactRecordListQuery } from '../../schema/contacts.ts';
import type { Context } from '../platform/context.ts';
import { query } from '../platform/operation.ts';
import { tagsOfContacts } from '../tags/attached.ts';
import { contactPage } from './list.ts';
import { contactTargets, showContact } from './service.ts';

export type ContactRecordRow = ContactRow & { tags: readonly TagRow[] };

/** The list that agents work with: that of the API, with tags, and by tag. */
export const listContactRecords = query(
  { access: 'contacts.view', dashboardOnly: true, input: ContactRecordListQuery },
  async (ctx, { tag, ...input }) => {
    const page = await contactPage(ctx, input, tag);
    return { ...page, rows: await withTags(ctx, page.rows) };
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
    const [record] = await withTags(ctx, [await showContact.run(ctx, input)]);
    if (!record) throw new Error('One row has one record.');
    return record;
  },
);

async function withTags(ctx: Context, rows: readonly ContactRow[]): Promise<ContactRecordRow[]> {
  const tags = ctx.principal.grants.has('inbox.access')
    ? await tagsOfContacts(
        ctx,
        rows.map(({ id }) => id),
      )
    : undefined;
  return rows.map((row) => ({ ...row, tags: tags?.get(row.id) ?? [] }));
}
