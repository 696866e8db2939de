import { PersonPath } from '../../schema/privacy.ts';
import { notFound } from '../platform/errors.ts';
import { mutation } from '../platform/operation.ts';
import { access, findPerson, personTargets } from './person.ts';

/**
 * Deletes a contact, if that is not done yet, and has a job erase everything about them at once, without the 30 days.
 * It can't be undone.
 */
export const erasePerson = mutation(
  { ...access, input: PersonPath, targets: personTargets },
  async (ctx, { contact }) => {
    const { companyId } = ctx;
    const found = await findPerson(ctx, contact);
    if (!found) throw notFound();
    const { id, deletedAt } = found;
    if (deletedAt === null) {
      const now = ctx.now();
      await ctx.db.contact.update({
        where: { companyId_id: { companyId, id } },
        data: { deletedAt: now, updatedAt: now, version: { increment: 1 } },
      });
      ctx.emit({ type: 'contact.deleted', object: { id, deleted: true }, contactId: id });
    }
    await ctx.enqueue('contacts.erase', { companyId, contactId: id });
    return { id };
  },
);
