import { randomBytes } from 'node:crypto';
import type { Media as MediaRow } from '../../prisma/generated/client/client.ts';
import { newId } from '../platform/ids.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import type { Inspected } from './inspect.ts';

/** A file whose bytes are stored, as it is to be recorded. */
interface Stored extends Inspected {
  storageKey: string;
  filename: string;
  uploadedById: string | null;
  /** Hours in which something must use it; null for what is used already. */
  lifetimeHours: number | null;
}

/** Makes the row of a stored file, with an address that nobody guesses. */
export function recordMedia(ctx: WorkContext, { sha256, lifetimeHours, ...file }: Stored): Promise<MediaRow> {
  const now = ctx.now();
  return ctx.db.media.create({
    data: {
      ...file,
      companyId: ctx.companyId,
      id: newId(),
      sha256: new Uint8Array(sha256),
      urlToken: randomBytes(16).toString('base64url'),
      createdAt: now,
      expiresAt: lifetimeHours === null ? null : new Date(now.getTime() + lifetimeHours * 3_600_000),
    },
  });
}
