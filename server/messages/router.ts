import { MessageBody, MessagePage } from '../../schema/messages.ts';
import type { Context } from '../platform/context.ts';
import { presentPage } from '../platform/present.ts';
import { procedure, router } from '../platform/trpc.ts';
import { cancelMessage } from './cancel.ts';
import { listMessages, showMessage } from './list.ts';
import { presentMessage } from './present.ts';
import type { MessageRecord } from './record.ts';
import { sendMessage } from './send.ts';

const tag = 'Messages';
const one = (row: MessageRecord, { app }: Context) => ({ data: presentMessage(row, app) });
const many = presentPage((row: MessageRecord, { app }: Context) => presentMessage(row, app));

export const messagesRouter = router({
  list: procedure(listMessages, {
    output: MessagePage,
    present: many,
    rest: { method: 'GET', path: '/messages', tag, summary: 'List messages', description: 'Newest first.' },
  }),
  show: procedure(showMessage, {
    output: MessageBody,
    present: one,
    rest: {
      method: 'GET',
      path: '/messages/{message}',
      tag,
      summary: 'Show a message',
      description: 'With the state of its delivery.',
    },
  }),
  send: procedure(sendMessage, {
    output: MessageBody,
    present: one,
    rest: {
      method: 'POST',
      path: '/messages',
      tag,
      summary: 'Send a message',
      description:
        'Into a conversation, or to a contact. Messages of one conversation are sent one after the other, in the ' +
        'order they were created. What speaks against it is said at once, as 422: `window_closed`, ' +
        '`contact_blocked`, `contact_unsubscribed`, `channel_unavailable`.',
      status: 201,
    },
  }),
  cancel: procedure(cancelMessage, {
    output: MessageBody,
    present: one,
    rest: {
      method: 'DELETE',
      path: '/messages/{message}',
      tag,
      summary: 'Cancel a held message',
      description: 'Only while its status is `held`; answers with the message, now `cancelled`.',
    },
  }),
});
