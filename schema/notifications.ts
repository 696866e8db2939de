import { z } from 'zod';
import { flag, idOut, page, pageQuery, pathId, publicId, single, timestamp } from './common.ts';

export const notificationKinds = ['mention', 'assigned', 'transferred', 'reply', 'system'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** Counting stops here: this number means so many or more. */
export const unreadMaximum = 1_000;

/**
 * Something an agent is told: a mention in a note, a conversation assigned or handed over by somebody else, a customer's
 * answer in a conversation they follow, or news of the system. Dashboard only.
 */
export const Notification = z
  .strictObject({
    id: idOut,
    kind: z.enum(notificationKinds),
    conversation: z
      .strictObject({ id: idOut, contact: z.string().nullable(), channel: z.string() })
      .nullable()
      .meta({ description: 'With the name of its contact, else their phone or e-mail.' }),
    by: z.strictObject({ name: z.string(), email: z.string() }).nullable().meta({
      description: 'The colleague who caused it.',
    }),
    snippet: z.string().nullable().meta({ maxLength: 160, description: 'Beginning of the note or message.' }),
    details: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'What the system tells: `topic`, and more by topic.',
    }),
    read: z.boolean(),
    read_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'Notification' });
export type Notification = z.infer<typeof Notification>;

/** Newest first. */
export const NotificationListQuery = z.object({ unread: flag.optional(), ...pageQuery });
export const NotificationPath = z.object({ notification: pathId });
export const NotificationsRead = z.object({
  conversation: publicId.optional().meta({ description: 'Only those about it.' }),
});

export const UnreadNotifications = z
  .strictObject({ unread: z.int().min(0).max(unreadMaximum) })
  .meta({ id: 'UnreadNotifications' });

const { data, meta } = page(Notification).shape;
export const NotificationPage = z.strictObject({ data, meta: meta.extend(UnreadNotifications.shape) });
export const NotificationBody = single(Notification);
export const UnreadNotificationsBody = single(UnreadNotifications);
