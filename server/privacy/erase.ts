import type { ClientBase, Pool } from 'pg';
import type { Storage } from '../platform/storage.ts';
import { erasedText, findLetters, findMedia, statements } from './erase-statements.ts';
import { rememberErasure } from './erased-list.ts';

/** Shorter addresses would be found in the jobs of others. */
const telling = 5;

export interface Erasure {
  companyId: string;
  contactId: string;
  now: Date;
  /** A message on its way is waited for so long, in milliseconds; then it counts as failed. Two minutes unless given. */
  patience?: number;
}

/**
 * Removes a person from everything that is kept: what contact, messages, notes, orders, bookings and drafts say, files,
 * what AI made of them, events with their deliveries, stored answers and jobs. Ids, times, amounts and the audit log,
 * which holds no values, stay, so that reports and ledgers go on adding up. In one transaction, then the files; run
 * again, it finds nothing more to do.
 * @returns false when there is no such contact
 * @throws Error while a message to them is on its way
 */
export async function eraseContact(
  { pool, storage }: { pool: Pool; storage: Storage },
  erasure: Erasure,
): Promise<boolean> {
  const client = await pool.connect();
  let files: string[] | null = null;
  try {
    await client.query('BEGIN');
    files = await eraseRows(client, erasure);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
  if (!files) return false;
  for (const key of files) await storage.remove(key);
  await rememberErasure(storage, erasure);
  return true;
}

/** The rows, in the open transaction. @returns keys of the files to remove; null when there is no such contact */
export async function eraseRows(
  client: ClientBase,
  { companyId, contactId, now, patience = 120_000 }: Erasure,
): Promise<string[] | null> {
  const own = [companyId, contactId];
  const { rows: found } = await client.query<{ addresses: (string | null)[] }>(
    `SELECT ARRAY(SELECT address FROM contact_identities i WHERE i.company_id = c.company_id AND i.contact_id = c.id
        UNION SELECT ltrim(c.phone, '+') UNION SELECT lower(c.email)) AS addresses
     FROM contacts c WHERE company_id = $1 AND id = $2`,
    own,
  );
  const [contact] = found;
  if (!contact) return null;
  await client.query(
    'SELECT FROM conversations WHERE company_id = $1 AND contact_id = $2 ORDER BY id FOR UPDATE',
    own,
  );
  const { rows: queued } = await client.query(
    `SELECT FROM messages WHERE company_id = $1 AND contact_id = $2 AND status = 'queued' AND updated_at > $3 LIMIT 1`,
    [...own, new Date(now.getTime() - patience)],
  );
  if (queued.length > 0) throw new Error('A message to the contact is on its way.');
  const { rows: letters } = await client.query<{ key: string }>(findLetters, own);
  const { rows: media } = await client.query<{ id: string; key: string }>(findMedia, own);
  const values = {
    now,
    text: erasedText,
    media: media.map(({ id }) => id),
    addresses: contact.addresses.filter((address) => address !== null && address.length >= telling),
  };
  for (const { sql, uses = [] } of statements)
    await client.query(sql, [...own, ...uses.map((name) => values[name])]);
  return [...letters, ...media].map(({ key }) => key);
}
