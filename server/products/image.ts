import { invalidField } from '../platform/errors.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';

/**
 * Refuses an image URL that no upload of this company has: nothing foreign is shown or fetched.
 * A used upload no longer expires. The one place that knows how a media URL names its file: by a path segment.
 * @throws AppError `validation_failed`, code `not_allowed`
 */
export async function claimImage(ctx: WorkContext, url: string | null | undefined): Promise<void> {
  if (url === null || url === undefined) return;
  const segments = URL.canParse(url)
    ? new URL(url).pathname.split('/').filter((part) => part.length >= 22)
    : [];
  const used =
    segments.length > 0 &&
    (await ctx.db.$executeRaw`
      UPDATE media SET expires_at = NULL
      WHERE company_id = ${ctx.companyId} AND url_token = ANY(${segments}::text[])
        AND kind = 'image' AND erased_at IS NULL`) > 0;
  if (!used) throw invalidField('image_url', 'not_allowed', 'Must be the URL of an uploaded image.');
}
