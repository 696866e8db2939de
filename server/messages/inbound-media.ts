import { adapterFor } from '../channels/registry.ts';
import type { ChannelRef, InboundMedia, InboundMessage } from '../channels/adapter.ts';
import { announceMessages } from '../conversations/announcements.ts';
import { keepReceivedFile, type ReceivedFile, recordReceivedFile } from '../media/receive.ts';
import type { JobData } from '../platform/jobs.ts';
import type { Services } from '../platform/services.ts';
import { asSystem } from '../platform/system-context.ts';
import { inUnitOfWork } from '../platform/unit-of-work.ts';

/** A file that takes longer is left to a later try, in milliseconds. */
const patience = 30_000;

/** `later`: it may be had still. `never`: the provider has it no more, or it is of no kind that is kept. */
export type Fetched = { file: ReceivedFile } | 'later' | 'never';

/** Brings the file of a message that came in, before the message is stored, so that whoever is told of it sees it. */
export async function fetchFile(
  app: Services,
  channel: ChannelRef,
  { media }: Pick<InboundMessage, 'media'>,
): Promise<Fetched | null> {
  if (!media) return null;
  try {
    const adapter = adapterFor(channel.kind);
    const bytes = await adapter?.fetchMedia?.(app, channel, media, AbortSignal.timeout(patience));
    if (!bytes) return 'never';
    const { mimeType, filename, sticker = false } = media;
    const file = await keepReceivedFile(app, { bytes, mimeType, filename, sticker });
    return file ? { file } : 'never';
  } catch (error) {
    app.log.warn({ err: error, channel: channel.kind }, 'file of a message not fetched');
    return 'later';
  }
}

/** What stands in for a file that is not there. */
export function textWithout(caption: string, { filename, mimeType }: InboundMedia): string {
  const named = `[File not available: ${filename ?? mimeType}]`;
  return caption === '' ? named : `${caption}\n${named}`;
}

/** Tries again to bring the file of a message that is stored already. The queue repeats what fails. */
export async function fetchLater(
  app: Services,
  { companyId, channelId, messageId, media, caption }: JobData['channels.media'],
): Promise<void> {
  await asSystem(app, companyId, async (ctx) => {
    const channel = await ctx.db.channel.findUnique({
      where: { companyId_id: { companyId, id: channelId } },
    });
    if (!channel) return;
    const fetched = await fetchFile(app, channel, { media });
    if (fetched === 'later') throw new Error('The file of a message is not to be had yet.');
    if (fetched === null || fetched === 'never') return;
    await inUnitOfWork(ctx, async (work) => {
      const mediaId = await recordReceivedFile(work, fetched.file);
      const message = await work.db.message.update({
        where: { companyId_id: { companyId, id: messageId } },
        data: {
          type: 'media',
          mediaId,
          text: caption === '' ? null : caption,
          version: { increment: 1 },
          updatedAt: work.now(),
        },
      });
      const { conversationId, status, at } = message;
      announceMessages(work, 'message.updated', [{ conversationId, id: messageId, status, at }]);
    });
  });
}
