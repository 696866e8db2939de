import { parsePhone } from '../../../server/contacts/phone.ts';
import { newId } from '../../../server/platform/ids.ts';
import { page, rowsOf, Where } from './database.ts';

interface Contact {
  id: string;
  created_at: Date;
}

/* The columns are the public fields. */
const columns = 'id, name, phone, email, country, subscribed, blocked, source, created_at, updated_at';

export async function showContact(company: string, id: string) {
  const [contact] = await rowsOf<Contact>(
    `SELECT ${columns} FROM contacts WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [company, id],
  );
  return contact && { data: contact };
}

export async function listContacts(company: string, query: URLSearchParams) {
  const limit = Number(query.get('limit') ?? 25);
  const where = new Where(company, 'company_id = $1 AND deleted_at IS NULL');
  const q = query.get('q');
  if (q !== null) where.add(`search LIKE '%' || fold_text(?) || '%'`, q);
  for (const field of ['country', 'subscribed', 'blocked']) {
    const value = query.get(field);
    if (value !== null) where.add(`${field} = ?`, value);
  }
  where.after('created_at, id', query.get('cursor'));
  const rows = await rowsOf<Contact>(
    `SELECT ${columns} FROM contacts WHERE ${where.text} ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`,
    where.values,
  );
  return page(
    rows,
    limit,
    (contact) => contact,
    ({ created_at: at, id }) => [at, id],
  );
}

/** One statement: who is there already is told by the unique indexes. */
export async function createContact(
  company: string,
  { name, phone, email, country, source }: Record<string, string | undefined>,
) {
  const parsed = phone === undefined ? null : parsePhone(phone, country);
  const now = new Date();
  const [contact] = await rowsOf<Contact>(
    `INSERT INTO contacts (company_id, id, name, phone, phone_key, email, country, source, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) RETURNING ${columns}`,
    [
      company,
      newId(),
      name ?? null,
      parsed?.number ?? null,
      parsed?.key ?? null,
      email ?? null,
      country?.toUpperCase() ?? null,
      source ?? 'api',
      now,
    ],
  );
  return { data: contact };
}
