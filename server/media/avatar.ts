import { AvatarUpdate } from '../../schema/media.ts';
import { forbidden, invalidField } from '../platform/errors.ts';
import { mutation } from '../platform/operation.ts';
import { acrossTenants } from '../platform/tenancy.ts';
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
    const data = { avatarUrl, updatedAt: ctx.now() };
    await ctx.db.user.update({ where: { companyId_id: { companyId, id } }, data });
    await acrossTenants(() => ctx.db.user.updateMany({ where: { mirrorOf: id }, data: { avatarUrl } }));
    return { avatarUrl };
  },
);
