import type { MessageMedia } from '../../schema/entries.ts';
import { builder } from '../platform/graphql.ts';

export const Media = builder.objectRef<MessageMedia>('Media').implement({
  description: 'A file in a message or quick reply. Files are uploaded over REST: `POST /api/v1/media`.',
  fields: (t) => ({
    id: t.exposeID('id'),
    url: t.exposeString('url', { description: 'Absolute and unguessable; works without a key.' }),
    kind: t.exposeString('kind'),
    mimeType: t.exposeString('mime_type'),
    size: t.exposeInt('size', { description: 'Bytes.' }),
    filename: t.exposeString('filename'),
  }),
});
