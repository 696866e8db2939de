import { mutationField, pageField } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import { presentNotification } from './present.ts';
import type { NotificationRecord } from './record.ts';
import { listNotifications, readNotification, readNotifications } from './service.ts';

const Notification = builder.objectRef<NotificationRecord>('Notification').implement({
  description: 'Something an agent is told.',
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.exposeString('kind', { description: 'mention, assigned, transferred, reply or system.' }),
    conversation: t.exposeID('conversationId', { nullable: true }),
    contactName: t.exposeString('contactName', { nullable: true }),
    byName: t.string({ nullable: true, resolve: (record) => presentNotification(record).by?.name ?? null }),
    snippet: t.string({ nullable: true, resolve: (record) => presentNotification(record).snippet }),
    details: t.field({
      type: 'JSON',
      nullable: true,
      resolve: (record) => presentNotification(record).details,
    }),
    readAt: t.expose('readAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

const Unread = builder.objectRef<{ unread: number }>('UnreadNotifications').implement({
  fields: (t) => ({ unread: t.exposeInt('unread', { description: '1000 means so many or more.' }) }),
});

pageField('notifications', listNotifications, {
  type: Notification,
  description: 'What the signed-in agent was told, newest first, in the dashboard only.',
});
mutationField('markNotificationRead', readNotification, {
  type: Notification,
  description: 'Marks a notification as read.',
});
mutationField('markNotificationsRead', readNotifications, {
  type: Unread,
  input: 'NotificationsReadInput',
  description: 'Marks all own notifications as read, or those about one conversation.',
});
