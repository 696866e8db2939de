import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Services } from '../platform/services.ts';
import { unusedMediaHours } from '../../schema/media.ts';

const batch = 500;

/**
 * Removes uploads that nothing used within 24 hours, and temporary files that a crash left. A row is marked, then its
 * file removed, then the row: a crash in between leaves only work for the next run. @returns how many
 */
export async function removeUnusedMedia(
  app: Pick<Services, 'prisma' | 'storage' | 'clock'>,
): Promise<number> {
  const now = app.clock.now();
  for (let removed = 0; ;) {
    const rows = await app.prisma.$queryRaw<{ id: string; storageKey: string }[]>`
      UPDATE media SET erased_at = ${now} WHERE (company_id, id) IN (
        SELECT company_id, id FROM media WHERE expires_at <= ${now}
        ORDER BY expires_at LIMIT ${batch} FOR UPDATE SKIP LOCKED)
      RETURNING id, storage_key AS "storageKey"`;
    for (const { storageKey } of rows) await app.storage.remove(storageKey);
    await app.prisma.$executeRaw`
      DELETE FROM media WHERE id = ANY(${rows.map(({ id }) => id)}) AND expires_at <= ${now} AND erased_at IS NOT NULL`;
    removed += rows.length;
    if (rows.length < batch) return removed;
  }
}

/** Temporary files of requests that ended with their process. */
export async function removeStaleUploads(folder: string): Promise<void> {
  const before = Date.now() - unusedMediaHours * 3_600_000;
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found && found.mtimeMs < before) await rm(file, { force: true });
  }
}
