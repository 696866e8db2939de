import { Readable } from 'node:stream';
import type { Storage } from '../platform/storage.ts';

/**
 * Who was erased is kept in the store beside the database, as empty files named by ids: a backup from before brings the
 * person back, and then the list tells that they have to go again.
 */
const folder = 'erased/';

export async function rememberErasure(
  storage: Storage,
  { companyId, contactId }: { companyId: string; contactId: string },
): Promise<void> {
  await storage.write(`${folder}${companyId}/${contactId}`, Readable.from([Buffer.alloc(0)]));
}

/** Everybody who was. A list, since erasing again removes files, which must not happen while they are listed. */
export async function listErasures(storage: Storage): Promise<{ companyId: string; contactId: string }[]> {
  const people: { companyId: string; contactId: string }[] = [];
  for await (const { key } of storage.list()) {
    const [companyId, contactId] = key.startsWith(folder) ? key.slice(folder.length).split('/') : [];
    if (companyId !== undefined && contactId !== undefined) people.push({ companyId, contactId });
  }
  return people;
}
