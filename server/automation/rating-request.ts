import { companyOf } from '../account/company.ts';
import { findChannel } from '../channels/service.ts';
import { lockConversations } from '../conversations/thread.ts';
import type { JobData } from '../platform/jobs.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { speak } from './speak.ts';

const ownWords = 'How did we do? Please answer with a number from 1 (poor) to 5 (great).';

/** Asks the customer of a closed conversation for a rating, once for each time that it is closed. */
export async function askForRating(
  ctx: WorkContext,
  { conversationId, closedAt }: JobData['automation.rating'],
): Promise<void> {
  const [record] = await lockConversations(ctx, [conversationId]);
  // Opened again meanwhile, or asked already by a run of this job that was cut off after its commit.
  if (record?.closedAt?.toISOString() !== closedAt) return;
  if (record.ratingRequestedAt && record.ratingRequestedAt >= record.closedAt) return;
  const { ratingRequest, ratingMessage } = await companyOf(ctx);
  const channel = await findChannel(ctx, record.channelId);
  if (!ratingRequest || channel?.ratingRequest !== true) return;
  await speak(ctx, record, ratingMessage ?? ownWords, (at) => ({ ratingRequestedAt: at }));
}
