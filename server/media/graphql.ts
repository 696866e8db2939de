import { builder } from '../platform/graphql.ts';
import type { MediaFields } from './columns.ts';
import { mediaUrl } from './present.ts';

export const Media = builder.objectRef<MediaFields>('Media').implement({
  description: 'A file in a message or quick reply. Files are uploaded over REST: `POST /api/v1/media`.',
  fields: (t) => ({
    id: t.exposeID('id'),
    url: t.string({
      description: 'Absolute and unguessable; works without a key.',
      resolve: (media, _args, { app }) => mediaUrl(app, media),
    }),
    kind: t.exposeString('kind'),
    mimeType: t.exposeString('mimeType'),
    size: t.exposeInt('size', { description: 'Bytes.' }),
    filename: t.exposeString('filename'),
  }),
});
