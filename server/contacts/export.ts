import { Prisma } from '../../prisma/generated/client/client.ts';
import { ContactListQuery } from '../../schema/contacts.ts';
import type { Context } from '../platform/context.ts';
import { type ExportOptions, exportCsv, exportPage } from '../platform/csv-export.ts';
import { execute, query } from '../platform/operation.ts';
import { countRows, type Page } from '../platform/pagination.ts';
import type { ContactRow } from './columns.ts';
import { contactFilters, listContacts } from './list.ts';
import { listContactRecords } from './records.ts';
import { presentContact } from './present.ts';

const names = [
  'id',
  'name',
  'phone',
  'email',
  'country',
  'subscribed',
  'blocked',
  'source',
  'created_at',
  'updated_at',
] as const;

/** The contacts that the list would show, as CSV, in its order. @throws AppError `validation_failed`, `forbidden` */
export function exportContacts(
  ctx: Context,
  filters: object,
  options?: ExportOptions,
): AsyncGenerator<string> {
  // Only the dashboard's list knows tags.
  const page = (input: object): Promise<Page<ContactRow>> =>
    'tag' in filters ? execute(listContactRecords, ctx, input) : execute(listContacts, ctx, input);
  return exportCsv(
    names,
    (cursor) => page({ ...filters, limit: exportPage, cursor }),
    (rows) => rows.map(presentContact).map((contact) => names.map((name) => contact[name])),
    options,
  );
}

/** How many `exportContacts` gives. @throws AppError `validation_failed`, `forbidden` */
export const countContacts = query(
  { access: 'contacts.view', input: ContactListQuery.omit({ limit: true, cursor: true }) },
  (ctx, input) => countRows(ctx, 'contacts', [Prisma.sql`deleted_at IS NULL`, ...contactFilters(input)]),
);
