import { AppError } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import type { Services } from '../platform/services.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import type { WebhookCall } from './adapter.ts';
import { usableAdapter } from './registry.ts';

/**
 * Takes a provider's call: what it says is kept before it is answered, and worked on afterwards.
 * @returns the text to answer with; empty unless the provider wants to see its own
 * @throws AppError `not_found` for a channel that is unknown, switched off, without credentials or without webhook;
 * `forbidden` for anybody but the provider; `bad_request` for what is no message of theirs
 */
export async function receiveWebhook(app: Services, id: string, call: WebhookCall): Promise<string> {
  const channel = isId(id)
    ? await acrossTenants(() =>
        app.prisma.channel.findFirst({
          where: { id, company: { sandboxOf: null, closedAt: null } },
        }),
      )
    : null;
  const adapter = channel && usableAdapter(channel);
  if (!channel || !adapter?.webhook) throw new AppError('not_found');
  const told = await adapter.webhook(app, channel, call);
  if ('challenge' in told) return told.challenge;
  const place = { companyId: channel.companyId, channelId: channel.id };
  if ('letter' in told) await app.jobs.enqueue('email.received', { ...place, letter: told.letter });
  else await app.jobs.enqueue('channels.received', { ...place, payload: told.payload });
  return '';
}
