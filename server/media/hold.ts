import { unusedMediaHours } from '../../schema/media.ts';
import { invalidField } from '../platform/errors.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { findMediaByUrl } from './service.ts';

/**
 * The uploads that URLs name, kept unused for so many days from now; what is used already is kept anyway.
 * @returns their ids, in the same order
 * @throws AppError `validation_failed` with `<param>.N` for what is no upload of this company
 */
export async function holdMedia(
  ctx: WorkContext,
  urls: readonly string[],
  { days, param }: { days: number; param: string },
): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, url] of urls.entries()) {
    const row = await findMediaByUrl(ctx, url);
    if (!row)
      throw invalidField(`${param}.${index}`, 'unknown_id', 'Must be a URL of a file of this company.');
    ids.push(row.id);
  }
  await expireUnused(ctx, ids, days * 24);
  return ids;
}

/** Gives uploads that nothing has used the time back that a new one has. */
export function releaseMedia(ctx: WorkContext, ids: readonly string[]): Promise<void> {
  return expireUnused(ctx, ids, unusedMediaHours);
}

async function expireUnused(ctx: WorkContext, ids: readonly string[], hours: number): Promise<void> {
  if (ids.length === 0) return;
  await ctx.db.media.updateMany({
    where: { companyId: ctx.companyId, id: { in: [...ids] }, erasedAt: null, expiresAt: { not: null } },
    data: { expiresAt: new Date(ctx.now().getTime() + hours * 3_600_000) },
  });
}
