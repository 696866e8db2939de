import { ConversationTake } from '../../schema/conversations.ts';
import { conflict } from '../platform/errors.ts';
import { mutation } from '../platform/operation.ts';
import { actOnOne, conversationPath } from './action.ts';
import { requireAssignee } from './agents.ts';
import { assigneeOf, assignTo } from './assignment.ts';
import { conversationTargets } from './record.ts';

/**
 * Assigns to the acting agent, unless it has gone to somebody else than `from` meanwhile: of any number who take it at
 * once, the first has it. @throws AppError `conflict`, naming who has it, and nothing is changed
 */
export const takeConversation = mutation(
  {
    access: 'inbox.access',
    dashboardOnly: true,
    input: ConversationTake.extend(conversationPath),
    targets: conversationTargets,
  },
  (ctx, { conversation, from }) =>
    actOnOne(ctx, conversation, async (inner, records) => {
      const me = await requireAssignee(inner, 'me');
      for (const holder of records.map(assigneeOf)) {
        const expected = holder?.email.toLowerCase() === from?.toLowerCase();
        if (holder && holder.id !== me.id && !expected)
          throw conflict(`${holder.name} was faster and has it now.`);
      }
      return assignTo(me)(inner, records);
    }),
);
