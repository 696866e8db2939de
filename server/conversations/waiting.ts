import { Prisma } from '../../prisma/generated/client/client.ts';

/**
 * The messages that may be held or queued, as their index names them: by what never changes once they are sent, so that
 * later statuses touch no index. Goes with a condition on the status itself.
 */
export const waiting = Prisma.sql`messages.direction = 'outbound' AND messages.sent_at IS NULL
  AND messages.failed_at IS NULL AND messages.cancel_reason IS NULL`;
