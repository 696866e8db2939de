import { authorTypes } from '../../schema/entries.ts';
import { AuthorType, ReplyTo } from '../conversations/graphql-timeline.ts';
import { Media } from '../media/graphql.ts';
import { presentMediaRef } from '../media/present.ts';
import { mutationField, pageField, queryField } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import { cancelMessage } from './cancel.ts';
import { listMessages, showMessage } from './list.ts';
import { quote, subjectOf, wordOf } from './present.ts';
import type { MessageRecord } from './record.ts';
import { sendMessage } from './send.ts';

const MessageFailure = builder.objectRef<MessageRecord>('MessageFailure').implement({
  description: 'Why a message was not delivered.',
  fields: (t) => ({
    code: t.string({ resolve: ({ failureCode }) => failureCode ?? 'provider_error' }),
    message: t.string({ resolve: ({ failureMessage, failureCode }) => failureMessage ?? failureCode ?? '' }),
    providerCode: t.exposeString('providerCode', { nullable: true }),
  }),
});

export const Message = builder.objectRef<MessageRecord>('Message').implement({
  description: 'One message of a conversation.',
  fields: (t) => ({
    id: t.exposeID('id'),
    conversation: t.exposeID('conversationId', { description: 'Id of its conversation.' }),
    contact: t.exposeID('contactId', { description: 'Id of its contact.' }),
    channel: t.exposeString('channelKind', { description: 'Kind of channel.' }),
    direction: t.exposeString('direction', { description: 'inbound or outbound.' }),
    type: t.exposeString('type', { description: 'text, media, template, product or order.' }),
    subject: t.string({
      nullable: true,
      description: 'Of an e-mail that came in; else null.',
      resolve: subjectOf,
    }),
    text: t.exposeString('text', { nullable: true, description: 'Body, or caption of a file.' }),
    media: t.field({
      type: Media,
      nullable: true,
      resolve: ({ media }, _args, { app }) => media && presentMediaRef(media, app),
    }),
    template: t.field({ type: 'JSON', nullable: true, resolve: ({ template }) => template }),
    product: t.exposeID('productId', { nullable: true }),
    order: t.exposeID('orderId', { nullable: true }),
    replyTo: t.field({ type: ReplyTo, nullable: true, resolve: ({ replyTo }) => replyTo && quote(replyTo) }),
    author: t.field({
      type: AuthorType,
      resolve: ({ authorType, authorName: name, authorEmail: email }) => ({
        type: wordOf(authorTypes, authorType),
        name,
        email,
      }),
    }),
    status: t.exposeString('status', { description: 'As last known; events tell of changes.' }),
    failure: t.field({
      type: MessageFailure,
      nullable: true,
      resolve: (message) => (message.status === 'failed' ? message : null),
    }),
    heldUntil: t.expose('heldUntil', { type: 'DateTime', nullable: true }),
    aiGenerated: t.exposeBoolean('aiGenerated'),
    feedbackId: t.exposeID('feedbackId', { nullable: true }),
    campaign: t.exposeID('campaignId', { nullable: true }),
    clientRef: t.exposeString('clientRef', { nullable: true }),
    sentAt: t.expose('sentAt', { type: 'DateTime', nullable: true }),
    deliveredAt: t.expose('deliveredAt', { type: 'DateTime', nullable: true }),
    readAt: t.expose('readAt', { type: 'DateTime', nullable: true }),
    version: t.exposeInt('version', { description: 'Grows with every change.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

queryField('message', showMessage, { type: Message, description: 'One message.' });
pageField('messages', listMessages, { type: Message, description: 'Messages, newest first.' });
mutationField('sendMessage', sendMessage, {
  type: Message,
  input: 'MessageSendInput',
  description: 'Sends a message into a conversation, or to a contact.',
});
mutationField('cancelMessage', cancelMessage, {
  type: Message,
  description: 'Cancels a held message: it is never sent.',
});
