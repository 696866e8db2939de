import { limits, text } from '../../schema/common.ts';
import { ContactCreate, ContactUpdate } from '../../schema/contacts.ts';
import type { Context } from '../platform/context.ts';
import type { Column } from '../platform/csv-columns.ts';
import type { CsvSource } from '../platform/csv-file.ts';
import { importCsv } from '../platform/csv-import.ts';
import { checked, type ImportOptions, type ImportPlan, type ImportResult } from '../platform/csv-plan.ts';
import { invalid } from '../platform/errors.ts';
import { type ContactInput, writeContacts } from './import-batch.ts';
import { readPhone } from './service.ts';

/** Columns of a file of contacts; `id`, `created_at` and `updated_at` come from an export. */
export const contactColumns: readonly Column[] = [
  { name: 'id', kind: 'word' },
  {
    name: 'name',
    kind: 'text',
    aliases: ['full name', 'contact name', 'customer name', 'display name', 'customer'],
  },
  { name: 'first_name', kind: 'text', aliases: ['given name', 'forename'] },
  { name: 'last_name', kind: 'text', aliases: ['family name', 'surname'] },
  {
    name: 'phone',
    kind: 'word',
    aliases: [
      'phone number',
      'mobile',
      'mobile phone',
      'mobile number',
      'telephone',
      'tel',
      'cell phone',
      'whatsapp',
    ],
  },
  { name: 'email', kind: 'word', aliases: ['email address', 'mail', 'mail address'] },
  { name: 'country', kind: 'word', aliases: ['country code'] },
  {
    name: 'subscribed',
    kind: 'flag',
    aliases: ['accepts marketing', 'email subscribed', 'opted in', 'opt in'],
  },
  { name: 'blocked', kind: 'flag' },
  { name: 'source', kind: 'text' },
];

const ContactRow = ContactUpdate.extend({
  id: text(limits.id).optional(),
  source: ContactCreate.shape.source,
});

export interface ContactImportOptions extends ImportOptions {
  /** Country, two letters, of numbers without a country code in rows without a country. */
  country?: string;
}

/**
 * Imports contacts. A row is of the contact with its `id`, else its phone, else its e-mail, and updates it, empty cells
 * saying nothing; without one, it makes a contact. A row needs one of the three.
 * @throws CsvFileError
 */
export function importContacts(
  ctx: Context,
  source: CsvSource,
  { country, ...options }: ContactImportOptions = {},
): Promise<ImportResult> {
  return importCsv(ctx, { ...plan, read: ([row]) => readContact(row.values, country) }, source, options);
}

const plan: Omit<ImportPlan<ContactInput>, 'read'> = {
  access: 'contacts.manage',
  columns: contactColumns,
  needed: [['phone', 'email', 'id']],
  // At most three events each; a transaction has room for 4,096.
  batch: 1000,
  write: writeContacts,
};

function readContact(values: Record<string, unknown>, country: string | undefined): ContactInput {
  const { first_name: first, last_name: last, ...given } = values;
  const parts = [first, last].filter((part) => typeof part === 'string');
  if (given['name'] === undefined && parts.length > 0) given['name'] = parts.join(' ');
  const { id, source, ...fields } = checked(ContactRow, given);
  const phone =
    fields.phone === undefined
      ? undefined
      : (readPhone(fields.phone, fields.country ?? country) ?? undefined);
  const { email } = fields;
  if (!phone && !email && id === undefined)
    throw invalid({
      param: null,
      code: 'required',
      message: 'Needs a phone number or an e-mail address, by which it is known.',
    });
  return { id, source: source ?? 'import', fields, phone, email: email ?? undefined };
}
