import type { Db } from '../platform/database.ts';

/** Days between deletion and erasure (decisions §14). */
const graceDays = 30;

/** Erases what identifies people whose contact was deleted 30 days ago. @returns how many */
export async function anonymiseContacts(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - graceDays * 24 * 60 * 60 * 1000);
  return db.$executeRaw`
    UPDATE contacts SET
      name = NULL, phone = NULL, phone_key = NULL, email = NULL, country = NULL, source = NULL, timezone = NULL,
      locale = NULL, attributes = '{}', anonymised_at = ${now}, updated_at = ${now}, version = version + 1
    WHERE deleted_at <= ${before} AND anonymised_at IS NULL`;
}
