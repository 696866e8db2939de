import { listField, mutationField } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import { maskCredentials } from './credentials.ts';
import { webhookUrl } from './present.ts';
import { checkChannel, createChannel, listChannels, updateChannel } from './service.ts';

const Channel = builder.prismaObject('Channel', {
  description: 'A way messages travel: one number, one mailbox, one web widget.',
  findUnique: null,
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.exposeString('kind'),
    name: t.exposeString('name'),
    status: t.exposeString('status', { description: '`active`, `disabled` or `failing`.' }),
    isDefault: t.exposeBoolean('isDefault', { description: 'Used for a contact without a conversation.' }),
    config: t.expose('config', { type: 'JSON', description: 'Public settings of the kind.' }),
    credentials: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Masked: the last four characters of each.',
      resolve: (row, _args, { app }) => maskCredentials(app, row),
    }),
    webhookUrl: t.string({
      nullable: true,
      description: 'Where the provider is to call; null for a kind without.',
      resolve: (row, _args, { app }) => webhookUrl(row, app),
    }),
    reopenHours: t.exposeInt('reopenHours', {
      nullable: true,
      description: 'So long a message reopens a closed conversation; 0 never, null always.',
    }),
    aiAutoReply: t.exposeBoolean('aiAutoReply'),
    campaignRate: t.exposeInt('campaignRate', { description: 'Messages a second that campaigns may send.' }),
    ratingRequest: t.exposeBoolean('ratingRequest'),
    failureReason: t.exposeString('failureReason', { nullable: true }),
    lastInboundAt: t.expose('lastInboundAt', { type: 'DateTime', nullable: true }),
    version: t.exposeInt('version', { description: 'Grows with every change.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

listField('channels', listChannels, {
  type: Channel,
  description: "The company's channels, in the dashboard only.",
});
mutationField('createChannel', createChannel, {
  type: Channel,
  input: 'ChannelCreateInput',
  description: 'Adds a channel. The first one is the default.',
});
mutationField('updateChannel', updateChannel, {
  type: Channel,
  input: 'ChannelUpdateInput',
  description: 'Changes a channel. A field that is absent stays as it is.',
});
mutationField('checkChannel', checkChannel, {
  type: Channel,
  description: 'Asks the provider whether it still lets us in.',
});
