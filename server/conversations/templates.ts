import { z } from 'zod';
import { approvedTemplates } from '../channels/templates.ts';
import { query } from '../platform/operation.ts';
import { conversationPath } from './action.ts';
import { conversationTargets, requireConversation } from './record.ts';

/**
 * Templates that may be sent in a conversation now, as its channel's provider has approved them; none where the
 * channel has none. @throws AppError `validation_failed` while the provider does not give them
 */
export const conversationTemplates = query(
  {
    access: 'inbox.access',
    dashboardOnly: true,
    input: z.object(conversationPath),
    targets: conversationTargets,
  },
  async (ctx, { conversation }) => {
    const { channelId } = await requireConversation(ctx, conversation);
    return approvedTemplates(ctx, channelId);
  },
);
