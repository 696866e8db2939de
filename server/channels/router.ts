import { ChannelBody, ChannelList, ChannelTemplateList } from '../../schema/channels.ts';
import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import type { Context } from '../platform/context.ts';
import { procedure, router } from '../platform/trpc.ts';
import { presentChannel } from './present.ts';
import { listTemplates, syncTemplates } from './templates.ts';
import { checkChannel, createChannel, listChannels, updateChannel } from './service.ts';

const present = (row: ChannelRow, { app }: Context) => ({ data: presentChannel(row, app) });

/** Dashboard only: the API document names no endpoint of channels. */
export const channelsRouter = router({
  list: procedure(listChannels, {
    output: ChannelList,
    present: (rows, { app }: Context) => ({ data: rows.map((row) => presentChannel(row, app)) }),
  }),
  create: procedure(createChannel, {
    output: ChannelBody,
    present,
  }),
  update: procedure(updateChannel, {
    output: ChannelBody,
    present,
  }),
  templates: procedure(listTemplates, { output: ChannelTemplateList, present: (data) => ({ data }) }),
  syncTemplates: procedure(syncTemplates, {
    output: ChannelTemplateList,
    present: (data) => ({ data }),
  }),
  check: procedure(checkChannel, { output: ChannelBody, present }),
});
