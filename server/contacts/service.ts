import { z } from 'zod';
import { type Contact, Prisma } from '../../prisma/generated/client/client.ts';
import { pathId } from '../../schema/common.ts';
import { ContactCreate, ContactEdit, ContactUpdate } from '../../schema/contacts.ts';
import type { EventType } from '../../schema/events.ts';
import type { Context } from '../platform/context.ts';
import { conflict, type Detail, invalid, invalidField, notFound } from '../platform/errors.ts';
import { changedFields } from '../platform/events.ts';
import { isId, newId } from '../platform/ids.ts';
import { mutation, query } from '../platform/operation.ts';
import { readRows } from '../platform/rows.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { contactColumns, type ContactRow } from './columns.ts';
import { parsePhone, type Phone } from './phone.ts';
import { presentContact } from './present.ts';

const contactPath = { contact: pathId };

/** The live contact with this id, or null: unknown, foreign and deleted look the same. */
export async function findContact(ctx: Context, id: string): Promise<ContactRow | null> {
  if (!isId(id)) return null;
  const [row] = await readRows<ContactRow>(
    ctx,
    Prisma.sql`SELECT ${contactColumns} FROM contacts
      WHERE company_id = ${ctx.companyId} AND id = ${id} AND deleted_at IS NULL`,
  );
  return row ?? null;
}

/** The live contact with this e-mail address, whatever its case, or null. */
export async function findByEmail(ctx: Context, email: string): Promise<ContactRow | null> {
  const rows = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT id FROM contacts_by_email(${ctx.companyId}, ARRAY[${email}]) LIMIT 1`;
  return rows[0] ? findContact(ctx, rows[0].id) : null;
}

async function requireContact(ctx: Context, id: string): Promise<ContactRow> {
  const row = await findContact(ctx, id);
  if (!row) throw notFound();
  return row;
}

export const contactTargets = {
  contact: async (ctx: Context, id: string) => (await findContact(ctx, id)) !== null,
};

export const showContact = query(
  { access: 'contacts.view', input: z.object(contactPath), targets: contactTargets },
  (ctx, { contact }) => requireContact(ctx, contact),
);

export const createContact = mutation(
  { access: 'contacts.manage', input: ContactCreate },
  async (ctx, input) => {
    const phone = readPhone(input.phone, input.country);
    const contact = {
      name: input.name,
      phone,
      email: input.email,
      country: input.country?.toUpperCase(),
      subscribed: input.subscribed,
      source: input.source ?? 'api',
    };
    const row = await insert(ctx, contact, Prisma.sql`ON CONFLICT DO NOTHING`);
    if (row) return row;
    await refuseDuplicates(ctx, { phone, email: input.email });
    // Whoever was in the way is gone since.
    return insertContact(ctx, contact);
  },
);

interface NewContact extends Partial<Identity> {
  name?: string | null | undefined;
  country?: string | null | undefined;
  subscribed?: boolean | undefined;
  source: string;
}

/** Makes a contact that nothing speaks against any more, and tells of it. */
export async function insertContact(ctx: WorkContext, contact: NewContact): Promise<ContactRow> {
  const row = await insert(ctx, contact);
  if (!row) throw new Error('No contact was made.');
  return row;
}

/** @param otherwise what becomes of a contact whose phone or e-mail another one has: an error, unless it says so */
async function insert(
  ctx: WorkContext,
  { name = null, phone = null, email = null, country = null, subscribed = true, source }: NewContact,
  otherwise = Prisma.empty,
): Promise<ContactRow | undefined> {
  const now = ctx.now();
  const [row] = await readRows<ContactRow>(
    ctx,
    Prisma.sql`
      INSERT INTO contacts
        (company_id, id, name, phone, phone_key, email, country, subscribed, source, created_at, updated_at)
      VALUES (${ctx.companyId}, ${newId()}, ${name}, ${phone?.number ?? null}, ${phone?.key ?? null}, ${email},
        ${country}, ${subscribed}, ${source}, ${now}, ${now})
      ${otherwise} RETURNING ${contactColumns}`,
  );
  if (row) ctx.emit({ type: 'contact.created', object: presentContact(row), contactId: row.id });
  return row;
}

export const updateContact = mutation(
  { access: 'contacts.manage', input: ContactUpdate.extend(contactPath), targets: contactTargets },
  (ctx, { contact, ...input }) => change(ctx, contact, input),
);

/** The same for somebody who looked at a version: what a colleague changed meanwhile is not written over. */
export const editContact = mutation(
  {
    access: 'contacts.manage',
    dashboardOnly: true,
    input: ContactEdit.extend(contactPath),
    targets: contactTargets,
  },
  (ctx, { contact, version, ...input }) => change(ctx, contact, input, version),
);

async function change(
  ctx: WorkContext,
  id: string,
  input: ContactUpdate,
  version?: number,
): Promise<ContactRow> {
  const before = await lockContact(ctx, id);
  if (version !== undefined && version !== before.version)
    throw conflict('Somebody else changed the contact.');
  const phone =
    input.phone === undefined ? undefined : readPhone(input.phone, input.country ?? before.country);
  await refuseDuplicates(ctx, { phone, email: input.email }, before.id);
  const data = changesOf(input, phone, before);
  if (Object.keys(data).length === 0) return before;
  const now = ctx.now();
  const row = await ctx.db.contact.update({
    where: { companyId_id: { companyId: ctx.companyId, id: before.id } },
    data: { ...data, ...stamps(data, now), version: { increment: 1 }, updatedAt: now },
  });
  emitChanges(ctx, before, row);
  if (row.blocked && !before.blocked)
    await ctx.enqueue('messages.cancel', { companyId: ctx.companyId, contactId: row.id });
  return row;
}

export const deleteContact = mutation(
  { access: 'contacts.manage', input: z.object(contactPath), targets: contactTargets },
  async (ctx, { contact }) => {
    const { id } = await lockContact(ctx, contact);
    const now = ctx.now();
    await ctx.db.contact.update({
      where: { companyId_id: { companyId: ctx.companyId, id } },
      data: { deletedAt: now, updatedAt: now, version: { increment: 1 } },
    });
    ctx.emit({ type: 'contact.deleted', object: { id, deleted: true }, contactId: id });
    return { id };
  },
);

/** Reads the contact and holds its row, so that what is compared is what is changed. */
async function lockContact(ctx: WorkContext, id: string): Promise<ContactRow> {
  if (isId(id)) {
    await ctx.db
      .$queryRaw`SELECT 1 FROM contacts WHERE company_id = ${ctx.companyId} AND id = ${id} FOR UPDATE`;
  }
  return requireContact(ctx, id);
}

/** @throws AppError `validation_failed`, when it is no phone number */
export function readPhone(text: string | null | undefined, country: string | null | undefined): Phone | null {
  if (text === null || text === undefined) return null;
  const phone = parsePhone(text, country);
  if (!phone)
    throw invalidField('phone', 'format', 'Must be a phone number, with a country code or a country.');
  return phone;
}

interface Identity {
  phone: Phone | null | undefined;
  email: string | null | undefined;
}

/** 422 with the id of the contact that already has the phone or e-mail. */
async function refuseDuplicates(ctx: WorkContext, { phone, email }: Identity, self?: string): Promise<void> {
  if (!phone && !email) return;
  const rows = await ctx.db.$queryRaw<{ id: string; field: 'phone' | 'email' }[]>`
    SELECT id, 'phone' AS field FROM contacts
    WHERE company_id = ${ctx.companyId} AND phone_key = ${phone?.key ?? null} AND deleted_at IS NULL
    UNION ALL
    SELECT id, 'email' FROM contacts_by_email(${ctx.companyId}, ARRAY[${email ?? null}])`;
  const [first, ...rest] = rows
    .filter((row) => row.id !== self)
    .map((row): Detail => ({
      param: row.field,
      code: 'duplicate',
      message: `Another contact has this ${row.field === 'phone' ? 'phone number' : 'e-mail address'}.`,
      existing: row.id,
    }));
  if (first) throw invalid(first, ...rest);
}

export type ContactChanges = Partial<
  Pick<
    Contact,
    | 'name'
    | 'phone'
    | 'phoneKey'
    | 'email'
    | 'country'
    | 'subscribed'
    | 'blocked'
    | 'unsubscribedAt'
    | 'blockedAt'
  >
>;

/** What an update would change: fields that are given and differ. */
export function changesOf(
  input: ContactUpdate,
  phone: Phone | null | undefined,
  before: ContactRow,
): ContactChanges {
  const wanted = {
    name: input.name,
    phone: phone === null ? null : phone?.number,
    phoneKey: phone === null ? null : phone?.key,
    email: input.email,
    country: input.country === null ? null : input.country?.toUpperCase(),
    subscribed: input.subscribed,
    blocked: input.blocked,
  };
  const changes = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && value !== before[name as keyof typeof wanted],
  );
  return Object.fromEntries(changes);
}

/** The times of unsubscribing and blocking that go with a change. */
export function stamps(data: ContactChanges, now: Date): ContactChanges {
  return {
    ...(data.subscribed === undefined ? {} : { unsubscribedAt: data.subscribed ? null : now }),
    ...(data.blocked === undefined ? {} : { blockedAt: data.blocked ? now : null }),
  };
}

export function emitChanges(ctx: WorkContext, before: ContactRow, after: ContactRow): void {
  const object = presentContact(after);
  const previous = changedFields(presentContact(before), object);
  const types: EventType[] = [];
  if ('subscribed' in previous) types.push(after.subscribed ? 'contact.subscribed' : 'contact.unsubscribed');
  if ('blocked' in previous) types.push(after.blocked ? 'contact.blocked' : 'contact.unblocked');
  for (const type of ['contact.updated', ...types] as const) {
    ctx.emit({ type, object, previous, contactId: after.id } as Parameters<WorkContext['emit']>[0]);
  }
}
