import { ChannelPath, type ChannelTemplate } from '../../schema/channels.ts';
import { conflict, invalidField, notFound } from '../platform/errors.ts';
import { query } from '../platform/operation.ts';
import { channelTargets, findChannel } from './service.ts';
import { readTemplates, whatsappOf } from './whatsapp-api.ts';

const patience = 20_000;

/**
 * A channel's templates as its provider has them now. Marketing ones go to subscribed contacts only; so does one that
 * the channel's `config.templates` does not name. @throws AppError `conflict` for a channel that has none
 */
export const listTemplates = query(
  { access: 'admin', input: ChannelPath, targets: channelTargets },
  async (ctx, input): Promise<ChannelTemplate[]> => {
    const channel = await findChannel(ctx, input.channel);
    if (!channel) throw notFound();
    if (channel.kind !== 'whatsapp' || !channel.credentials) throw conflict('The channel has no templates.');
    const { api, config } = whatsappOf(ctx.app, channel);
    if (config.business_account_id === undefined)
      throw invalidField('config.business_account_id', 'required', 'Templates belong to a business account.');
    const templates = await readTemplates(
      api,
      config.business_account_id,
      AbortSignal.timeout(patience),
    ).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'templates not read');
      throw invalidField('channel', 'channel_unavailable', 'The provider does not give its templates.');
    });
    return templates.map(({ category, ...template }) => ({
      ...template,
      category,
      marketing: category === 'MARKETING',
    }));
  },
);
