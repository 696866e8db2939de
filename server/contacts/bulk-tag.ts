import type { Prisma } from '../../prisma/generated/client/client.ts';
import { ContactBulkTag } from '../../schema/contacts.ts';
import { actorOf } from '../platform/context.ts';
import { newId } from '../platform/ids.ts';
import { mutation } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { presentContact } from './present.ts';

/**
 * Attaches or detaches a tag on up to 500 contacts in a fixed number of statements.
 * Ids are resolved inside the company, so foreign and unknown ones match nothing; already done is not done again.
 */
export const bulkTagContacts = mutation(
  { access: 'contacts.manage', input: ContactBulkTag },
  async (ctx, input) => {
    const tag = await ctx.db.tag.findUnique({
      where: { companyId_id: { companyId: ctx.companyId, id: input.tag } },
    });
    const ids = tag ? await change(ctx, tag.id, input) : [];
    if (tag && ids.length > 0) await record(ctx, tag, input.action, ids);
    return {
      action: input.action,
      tag: input.tag,
      requested: input.contact_ids.length,
      affected: ids.length,
    };
  },
);

async function change(
  ctx: WorkContext,
  tagId: string,
  { action, contact_ids }: ContactBulkTag,
): Promise<string[]> {
  const wanted = [...new Set(contact_ids)];
  const rows =
    action === 'add'
      ? await ctx.db.$queryRaw<{ id: string }[]>`
          INSERT INTO contact_tags (company_id, contact_id, tag_id, attached_at, attached_by)
          SELECT company_id, id, ${tagId}, ${ctx.now()}, ${JSON.stringify(actorOf(ctx))}::jsonb FROM contacts
          WHERE company_id = ${ctx.companyId} AND id = ANY(${wanted}) AND deleted_at IS NULL ORDER BY id
          ON CONFLICT DO NOTHING RETURNING contact_id AS id`
      : await ctx.db.$queryRaw<{ id: string }[]>`
          DELETE FROM contact_tags USING contacts
          WHERE contact_tags.company_id = ${ctx.companyId} AND contact_tags.tag_id = ${tagId}
            AND contact_tags.contact_id = ANY(${wanted})
            AND contacts.company_id = contact_tags.company_id AND contacts.id = contact_tags.contact_id
            AND contacts.deleted_at IS NULL
          RETURNING contact_tags.contact_id AS id`;
  return rows.map((row) => row.id);
}

type Named = { id: string; name: string; color: string };

async function record(ctx: WorkContext, tag: Named, action: 'add' | 'remove', ids: string[]): Promise<void> {
  const at = ctx.now();
  const contacts = await ctx.db.contact.findMany({ where: { companyId: ctx.companyId, id: { in: ids } } });
  await ctx.db.contactTagChange.createMany({
    data: ids.map((contactId) => ({
      companyId: ctx.companyId,
      id: newId(),
      contactId,
      tagId: tag.id,
      tagName: tag.name,
      action,
      actor: { ...actorOf(ctx) } satisfies Prisma.InputJsonObject,
      at,
    })),
  });
  for (const contact of contacts) {
    ctx.emit({
      type: action === 'add' ? 'contact.tagged' : 'contact.untagged',
      object: presentContact(contact),
      details: { tag: { id: tag.id, name: tag.name, color: tag.color } },
      contactId: contact.id,
    });
  }
}
