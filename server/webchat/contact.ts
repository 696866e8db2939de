import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import type { ContactRow } from '../contacts/columns.ts';
import { visitorAddress } from '../channels/webchat.ts';
import { rememberAddress } from '../contacts/identities.ts';
import { emitChanges, insertContact } from '../contacts/service.ts';
import type { Context } from '../platform/context.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { visitorOf } from './channel.ts';

/** The contact that the visitor is, or null before their first message. */
export async function contactOfVisitor(ctx: Context): Promise<ContactRow | null> {
  const { id, channelId } = visitorOf(ctx);
  const identity = await ctx.db.contactIdentity.findUnique({
    where: {
      companyId_channelId_address: { companyId: ctx.companyId, channelId, address: visitorAddress(id) },
    },
    include: { contact: true },
  });
  return identity && !identity.contact.deletedAt ? identity.contact : null;
}

/**
 * Makes the visitor's contact before their first message, with what they or the page's server said of them, and
 * fills in a name that was not known. Only an e-mail that the page's server vouches for leads to a contact that is
 * there already, and only to one that no visitor writes as: else anybody could read on under another's address.
 */
export async function ensureContact(ctx: WorkContext, channel: ChannelRow): Promise<void> {
  const visitor = visitorOf(ctx);
  const known = await contactOfVisitor(ctx);
  if (known) {
    if (known.name === null && visitor.name !== null) await rename(ctx, known, visitor.name);
    return;
  }
  const holder = visitor.email === null ? null : await holderOf(ctx, visitor.email);
  const own = visitor.verified && holder !== null && !holder.visited;
  const contactId = own ? holder.id : await create(ctx, holder === null ? visitor.email : null);
  const address = visitorAddress(visitor.id);
  await rememberAddress(ctx, { contactId, channelId: channel.id, address });
}

/** Who has an e-mail address, and whether some visitor writes as them. Held, so that two can't take it at once. */
async function holderOf(ctx: WorkContext, email: string): Promise<{ id: string; visited: boolean } | null> {
  const key = `visitor e-mail:${ctx.companyId}:${email.toLowerCase()}`;
  await ctx.db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
  const rows = await ctx.db.$queryRaw<{ id: string; visited: boolean }[]>`
    SELECT id, EXISTS (
        SELECT FROM contact_identities
        WHERE contact_identities.company_id = contacts.company_id
          AND contact_identities.contact_id = contacts.id AND address LIKE 'visitor:%') AS visited
    FROM contacts
    WHERE company_id = ${ctx.companyId}
      AND id = ANY(ARRAY(SELECT id FROM contacts_by_email(${ctx.companyId}, ARRAY[${email}]))) LIMIT 1`;
  return rows[0] ?? null;
}

async function create(ctx: WorkContext, email: string | null): Promise<string> {
  return (await insertContact(ctx, { name: visitorOf(ctx).name, email, source: 'webchat' })).id;
}

async function rename(ctx: WorkContext, before: ContactRow, name: string): Promise<void> {
  const contact = await ctx.db.contact.update({
    where: { companyId_id: { companyId: ctx.companyId, id: before.id } },
    data: { name, updatedAt: ctx.now(), version: { increment: 1 } },
  });
  emitChanges(ctx, before, contact);
}
