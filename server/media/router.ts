import { AvatarBody, MediaBody } from '../../schema/media.ts';
import { procedure, router } from '../platform/trpc.ts';
import { setAvatar } from './avatar.ts';
import { presentMedia } from './present.ts';
import { uploadMedia } from './service.ts';

export const mediaRouter = router({
  setAvatar: procedure(setAvatar, {
    output: AvatarBody,
    present: ({ avatarUrl }) => ({ data: { avatar_url: avatarUrl } }),
  }),
  upload: procedure(uploadMedia, {
    output: MediaBody,
    present: (row, { app }) => ({ data: presentMedia(row, app) }),
    rest: {
      method: 'POST',
      path: '/media',
      tag: 'Media',
      summary: 'Upload a file to attach to messages',
      description:
        'The type is decided by content. Location and other metadata are removed from images. ' +
        'The URL can be used in any number of messages; an upload never used is removed after 24 hours.',
      status: 201,
      body: 'multipart',
    },
  }),
});
