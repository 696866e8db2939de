import { ChannelBody, ChannelList } from '../../schema/channels.ts';
import { procedure, router } from '../platform/trpc.ts';
import { presentChannel } from './present.ts';
import { createChannel, listChannels, updateChannel } from './service.ts';

/** Dashboard only: the API document names no endpoint of channels. */
export const channelsRouter = router({
  list: procedure(listChannels, {
    output: ChannelList,
    present: (rows) => ({ data: rows.map(presentChannel) }),
  }),
  create: procedure(createChannel, {
    output: ChannelBody,
    present: (row) => ({ data: presentChannel(row) }),
  }),
  update: procedure(updateChannel, {
    output: ChannelBody,
    present: (row) => ({ data: presentChannel(row) }),
  }),
});
