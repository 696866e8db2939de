import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Services } from '../platform/services.ts';
import { generationsPerMinute } from './limits.ts';

const windowMs = 60_000;

/**
 * Counts a generation of suggestions, over all processes and outside of any transaction: a fixed window of a minute
 * for each conversation.
 * @throws AppError `rate_limited` with the seconds until the window ends
 */
export async function countGeneration(ctx: Context, conversationId: string): Promise<void> {
  const now = ctx.now().getTime();
  const [window] = await ctx.app.prisma.$queryRaw<{ points: number; expire: bigint }[]>`
    INSERT INTO rate_limits AS counted (key, points, expire)
    VALUES (${`ai-suggestions:${conversationId}`}, 1, ${now + windowMs})
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN counted.expire > ${now} THEN counted.points + 1 ELSE 1 END,
      expire = CASE WHEN counted.expire > ${now} THEN counted.expire ELSE excluded.expire END
    RETURNING points, expire`;
  if (!window || window.points <= generationsPerMinute) return;
  const retryAfter = Math.max(1, Math.ceil((Number(window.expire) - now) / 1_000));
  throw new AppError('rate_limited', 'Too many suggestions were asked for in this conversation.', {
    retryAfter,
  });
}

/** Windows that ended, of conversations that nobody asks about any more. */
export async function forgetGenerations(app: Services): Promise<void> {
  await app.prisma.$executeRaw`
    DELETE FROM rate_limits WHERE key LIKE 'ai-suggestions:%' AND expire <= ${app.clock.now().getTime()}`;
}
