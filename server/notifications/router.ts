import { NotificationBody, NotificationPage, UnreadNotificationsBody } from '../../schema/notifications.ts';
import { presentPage } from '../platform/present.ts';
import { procedure, router } from '../platform/trpc.ts';
import { presentNotification } from './present.ts';
import { listNotifications, readNotification, readNotifications, unreadNotifications } from './service.ts';

/** What whoever is signed in was told. */
export const notificationsRouter = router({
  list: procedure(listNotifications, {
    output: NotificationPage,
    present: ({ unread, ...page }, ctx) => {
      const { data, meta } = presentPage(presentNotification)(page, ctx);
      return { data, meta: { ...meta, unread } };
    },
  }),
  unreadCount: procedure(unreadNotifications, {
    output: UnreadNotificationsBody,
    present: (count) => ({ data: count }),
  }),
  markRead: procedure(readNotification, {
    output: NotificationBody,
    present: (record) => ({ data: presentNotification(record) }),
  }),
  markAllRead: procedure(readNotifications, {
    output: UnreadNotificationsBody,
    present: (count) => ({ data: count }),
  }),
});
