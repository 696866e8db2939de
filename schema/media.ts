import { z } from 'zod';
import { idOut, single, text, timestamp } from './common.ts';

const MiB = 1024 * 1024;

/** Largest size of each kind in bytes; the limits are the WhatsApp Cloud API's. Source: decisions §2. */
export const mediaLimits = {
  image: 5 * MiB,
  video: 16 * MiB,
  audio: 16 * MiB,
  document: 100 * MiB,
  sticker: 500 * 1024,
} as const;

export const mediaKinds = ['image', 'video', 'audio', 'document', 'sticker'] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** Every type that may be uploaded, and the kind it is sent as. */
export const mediaTypes: Readonly<Record<string, Exclude<MediaKind, 'sticker'>>> = {
  'image/jpeg': 'image',
  'image/png': 'image',
  'image/webp': 'image',
  'video/mp4': 'video',
  'video/3gpp': 'video',
  'audio/aac': 'audio',
  'audio/amr': 'audio',
  'audio/mpeg': 'audio',
  'audio/mp4': 'audio',
  'audio/ogg': 'audio',
  'application/pdf': 'document',
  'application/msword': 'document',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'document',
  'application/vnd.ms-excel': 'document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'document',
  'application/vnd.ms-powerpoint': 'document',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'document',
  'text/plain': 'document',
  'text/csv': 'document',
};

/** Hours until an upload that was never used is removed. */
export const unusedMediaHours = 24;

/** An uploaded file. Its URL works without a key and in any number of messages. Source: decisions §2. */
export const Media = z
  .strictObject({
    id: idOut,
    url: z.string().meta({ description: 'Absolute and unguessable.' }),
    kind: z.enum(mediaKinds),
    mime_type: z.string().meta({ description: 'Decided by content.' }),
    size: z.int().min(0).meta({ description: 'Bytes.' }),
    filename: z.string(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    duration_ms: z.int().nullable(),
    sha256: z.string().meta({ description: 'Of the file as it is served, in hexadecimal.' }),
    expires_at: timestamp
      .nullable()
      .meta({ description: 'When an upload that was never used is removed; null once it is used.' }),
    created_at: timestamp,
  })
  .meta({ id: 'Media' });
export type Media = z.infer<typeof Media>;

/** What goes beside the part `file`. */
export const MediaUploadFields = z.object({
  filename: text(191, 1)
    .optional()
    .meta({ minLength: 1, maxLength: 191, description: 'Name to show; that of the file unless given.' }),
  kind: z.enum(['sticker']).optional().meta({ description: '`sticker`: a WebP image to be sent as one.' }),
});

export const MediaBody = single(Media);

/** The picture of whoever is signed in: a URL that an upload returned. */
export const AvatarUpdate = z.object({ media_url: text(2_000, 1).nullable() });
export const AvatarBody = single(
  z.strictObject({ avatar_url: z.string().nullable() }).meta({ id: 'Avatar' }),
);
