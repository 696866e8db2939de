import { z } from 'zod';
import { idOut } from './common.ts';

export const authorTypes = ['contact', 'agent', 'ai', 'api', 'campaign', 'automation', 'system'] as const;
export type AuthorType = (typeof authorTypes)[number];

export const messageTypes = ['text', 'media', 'template', 'product', 'order'] as const;
export type MessageType = (typeof messageTypes)[number];

/** Outbound held → queued → sent → delivered → read, failed or cancelled; inbound is received. */
export const messageStatuses = [
  'received',
  'held',
  'queued',
  'sent',
  'delivered',
  'read',
  'failed',
  'cancelled',
] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** Who wrote or did it, as timelines show it. */
export const Author = z
  .strictObject({
    type: z.enum(authorTypes),
    name: z
      .string()
      .nullable()
      .meta({ examples: ['Ana (API: Zapier)'] }),
    email: z.string().nullable(),
  })
  .meta({ id: 'Author' });
export type Author = z.infer<typeof Author>;

/** A file in a message. */
export const MessageMedia = z
  .strictObject({
    id: idOut,
    url: z.string(),
    kind: z.enum(['image', 'video', 'audio', 'document', 'sticker']),
    mime_type: z.string(),
    size: z.int().min(0).meta({ description: 'Bytes.' }),
    filename: z.string(),
  })
  .meta({ id: 'MessageMedia' });
export type MessageMedia = z.infer<typeof MessageMedia>;

/** The message that another one answers. */
export const ReplySnippet = z
  .strictObject({
    id: idOut,
    snippet: z.string().meta({ maxLength: 140 }),
    author: Author,
  })
  .meta({ id: 'ReplySnippet' });
export type ReplySnippet = z.infer<typeof ReplySnippet>;

/** Ways messages travel; a company has any number of channels of each kind. */
export const channelKinds = [
  'simulator',
  'webchat',
  'whatsapp',
  'messenger',
  'instagram',
  'tiktok',
  'sms',
  'email',
  'api',
] as const;
