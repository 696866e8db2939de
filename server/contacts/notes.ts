import { z } from 'zod';
import { pathId } from '../../schema/common.ts';
import { notFound } from '../platform/errors.ts';
import { query } from '../platform/operation.ts';
import { contactTargets, findContact } from './service.ts';

/** The shape has no paging, so the list is capped. */
const maximumNotes = 200;

/** Internal notes of all the contact's conversations, newest first. */
export const listContactNotes = query(
  { access: 'contacts.view', input: z.object({ contact: pathId }), targets: contactTargets },
  async (ctx, { contact }) => {
    if (!(await findContact(ctx, contact))) throw notFound();
    return ctx.db.note.findMany({
      where: { companyId: ctx.companyId, contactId: contact },
      orderBy: [{ at: 'desc' }, { id: 'desc' }],
      take: maximumNotes,
    });
  },
);
