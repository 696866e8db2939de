import type { Contact, Prisma } from '../../prisma/generated/client/client.ts';
import { columns } from '../platform/pagination.ts';

/** What of a contact is read: its public fields, and those that lists and edits go by. */
const read = [
  'id',
  'name',
  'phone',
  'phoneKey',
  'email',
  'country',
  'subscribed',
  'blocked',
  'source',
  'nameSort',
  'version',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof typeof Prisma.ContactScalarFieldEnum)[];

/** A contact as it is read. The rest of its row costs as much again, and nobody asks for it. */
export type ContactRow = Pick<Contact, (typeof read)[number]>;

export const contactColumns = columns(Object.fromEntries(read.map((name) => [name, name])));
