import type { Services } from '../../server/platform/services.ts';
import { newId } from '../../server/platform/ids.ts';

interface ContactRow {
  name: string | null;
  created_at: Date;
  phone?: string;
  email?: string;
  country?: string;
}

/** Many contacts in one statement, past the API, for tests that need bulk. */
export async function insertContacts(
  app: Services,
  companyId: string,
  count: number,
  row: (n: number) => ContactRow,
): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({ id: newId(), ...row(n) }));
  await app.pool.query(
    `INSERT INTO contacts (company_id, id, name, phone, phone_key, email, country, source, created_at, updated_at)
     SELECT $1, id, name, phone, phone, email, country, 'api', created_at, created_at
     FROM json_to_recordset($2) AS given
       (id text, name text, phone text, email text, country text, created_at timestamptz)`,
    [companyId, JSON.stringify(rows)],
  );
}
