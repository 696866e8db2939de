import { Prisma } from '../../prisma/generated/client/client.ts';
import { z } from 'zod';
import { pathId } from '../../schema/common.ts';
import type { ContactActivity } from '../../schema/contacts.ts';
import { notFound } from '../platform/errors.ts';
import { query } from '../platform/operation.ts';
import { readRows } from '../platform/rows.ts';
import { contactTargets, findContact } from './service.ts';

/** The shape has no paging, so the list is capped. */
const maximum = 200;

export interface ActivityRow {
  at: Date;
  actor: string | null;
  action: ContactActivity['action'];
  fields: string[];
  tag: string | null;
}

/** What people and keys did to a contact, newest first, down to how it came here. */
export const listContactActivity = query(
  {
    access: 'contacts.view',
    dashboardOnly: true,
    input: z.object({ contact: pathId }),
    targets: contactTargets,
  },
  async (ctx, { contact }): Promise<ActivityRow[]> => {
    const found = await findContact(ctx, contact);
    if (!found) throw notFound();
    const rows = await readRows<ActivityRow>(
      ctx,
      Prisma.sql`
      (SELECT at, actor_name AS actor, CASE action WHEN 'contacts.create' THEN 'created' ELSE 'updated' END AS action,
          changed AS fields, NULL AS tag FROM audit_logs
        WHERE company_id = ${ctx.companyId} AND target_type = 'contacts' AND target_id = ${contact}
          AND action IN ('contacts.create', 'contacts.update', 'contacts.edit')
        ORDER BY at DESC LIMIT ${maximum})
      UNION ALL
      (SELECT at, actor->>'name', CASE action WHEN 'add' THEN 'tagged' ELSE 'untagged' END, '{}'::text[], tag_name
        FROM contact_tag_changes WHERE company_id = ${ctx.companyId} AND contact_id = ${contact}
        ORDER BY at DESC LIMIT ${maximum})
      ORDER BY at DESC LIMIT ${maximum}`,
    );
    // Whoever wrote to the company, or came with a file, was made by nobody that the audit log knows.
    if (rows.length >= maximum || rows.some(({ action }) => action === 'created')) return rows;
    return [...rows, { at: found.createdAt, actor: null, action: 'created', fields: [], tag: null }];
  },
);
