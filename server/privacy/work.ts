import type { Services } from '../platform/services.ts';
import { eraseContact } from './erase.ts';
import { applyRetention } from './retain.ts';
import { eraseClosed } from './erase-company.ts';

/** Days between deletion and erasure (decisions §14). */
const graceDays = 30;
const batch = 100;

/**
 * Erases people: at once where somebody asked for it, and those whose contact was deleted 30 days ago; and companies that
 * were closed as long ago. At night, what companies keep no longer.
 */
export async function workOnPrivacy(app: Services): Promise<void> {
  await app.jobs.work('contacts.erase', async ({ companyId, contactId }) => {
    await eraseContact(app, { companyId, contactId, now: app.clock.now() });
  });
  await app.jobs.work('contacts.anonymise', async () => {
    await eraseDeleted(app);
  });
  await app.jobs.schedule('contacts.anonymise', '*/5 * * * *');
  await app.jobs.work('privacy.retain', async () => {
    await applyRetention(app);
  });
  await app.jobs.schedule('privacy.retain', '17 3 * * *');
  await app.jobs.work('companies.erase', async () => void (await eraseClosed(app)));
  await app.jobs.schedule('companies.erase', '11 * * * *');
}

/** @returns how many */
export async function eraseDeleted(app: Services): Promise<number> {
  const now = app.clock.now();
  const before = new Date(now.getTime() - graceDays * 24 * 60 * 60 * 1000);
  let erased = 0;
  const failed: string[] = [];
  for (;;) {
    const { rows } = await app.pool.query<{ companyId: string; contactId: string }>(
      `SELECT company_id AS "companyId", id AS "contactId" FROM contacts
       WHERE deleted_at <= $1 AND anonymised_at IS NULL AND NOT id = ANY($2) ORDER BY deleted_at LIMIT $3`,
      [before, failed, batch],
    );
    if (rows.length === 0) return erased;
    for (const row of rows) {
      try {
        if (await eraseContact(app, { ...row, now })) erased++;
      } catch (error) {
        // The next run tries again; the others are not held up.
        failed.push(row.contactId);
        app.log.warn({ err: error, contact: row.contactId }, 'contact not erased');
      }
    }
  }
}
