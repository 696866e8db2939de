import { AvatarUpdate } from '../../schema/media.ts';
import { forbidden, invalidField } from '../platform/errors.ts';
import { mutation } from '../platform/operation.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { useMedia } from './service.ts';

/**
 * The caller's own picture, which was uploaded before; null takes it away. Kept from the root of this server, so that it
 * is there under any address of it.
 * @throws AppError `validation_failed` for what is no picture of this company
 */
export const setAvatar = mutation(
  { access: 'any', dashboardOnly: true, liveOnly: true, input: AvatarUpdate },
  async (ctx, { media_url: url }) => {
    const id = ctx.principal.user?.id;
    if (ctx.principal.kind !== 'user' || id === undefined)
      throw forbidden('Only agents who sign in have a profile.');
    const media = url === null ? null : await useMedia(ctx, url);
    if (media && media.kind !== 'image') throw invalidField('media_url', 'not_allowed', 'Must be a picture.');
    const avatarUrl = media && `/media/${media.urlToken}/${encodeURIComponent(media.filename)}`;
    const { companyId } = ctx;
    const before = await ctx.db.user.findUnique({ where: { companyId_id: { companyId, id } } });
    if (before?.avatarUrl && before.avatarUrl !== avatarUrl) await letGo(ctx, before.avatarUrl);
    const data = { avatarUrl, updatedAt: ctx.now() };
    await ctx.db.user.update({ where: { companyId_id: { companyId, id } }, data });
    await acrossTenants(() => ctx.db.user.updateMany({ where: { mirrorOf: id }, data: { avatarUrl } }));
    return { avatarUrl };
  },
);

/** A picture that was replaced goes with the next clean-up, unless something else shows it. */
async function letGo(ctx: WorkContext, avatarUrl: string): Promise<void> {
  const token = avatarUrl.split('/')[2] ?? '';
  const { companyId } = ctx;
  await ctx.db.$executeRaw`
    UPDATE media SET expires_at = ${ctx.now()} WHERE company_id = ${companyId} AND url_token = ${token}
      AND NOT EXISTS (SELECT FROM messages m WHERE m.company_id = ${companyId} AND m.media_id = media.id)
      AND NOT EXISTS (SELECT FROM quick_replies q WHERE q.company_id = ${companyId} AND q.media_id = media.id)
      AND NOT EXISTS (SELECT FROM campaigns c WHERE c.company_id = ${companyId} AND c.media_id = media.id)
      AND NOT EXISTS (SELECT FROM products p
        WHERE p.company_id = ${companyId} AND strpos(p.image_url, ${`/media/${token}/`}) > 0)
      AND NOT EXISTS (SELECT FROM drafts d
        WHERE d.company_id = ${companyId} AND jsonb_exists(d.data->'mediaIds', media.id))`;
}
