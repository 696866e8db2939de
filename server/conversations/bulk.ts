import { ConversationBulk, type ConversationBulkResult } from '../../schema/conversations.ts';
import { isId } from '../platform/ids.ts';
import { mutation } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import type { Act } from './action.ts';
import { requireAssignee } from './agents.ts';
import { assignTo, unassign } from './assignment.ts';
import { markRead, markUnread, muteEnd, muteUntil, unmute } from './flags.ts';
import { close, reopen } from './lifecycle.ts';
import { attach, detach, holdTag } from './tags.ts';
import { lockConversations } from './thread.ts';

/**
 * One action on up to 200 conversations, in one transaction and a fixed number of statements, with one event for
 * each conversation that changed. Foreign and unknown ids never match and never fail the batch.
 */
export const bulkConversations = mutation(
  { access: 'inbox.access', input: ConversationBulk },
  async (ctx, input): Promise<ConversationBulkResult> => {
    const wanted = [...new Set(input.conversation_ids)];
    const records = await lockConversations(ctx, wanted.filter(isId));
    const act = await actOf(ctx, input);
    const changed = await act(ctx, records);
    const known = new Set(records.map((record) => record.id));
    return {
      action: input.action,
      requested: input.conversation_ids.length,
      affected: changed.length,
      unknown: wanted.filter((id) => !known.has(id)),
    };
  },
);

const nothing: Act = () => Promise.resolve([]);

async function actOf(ctx: WorkContext, { action, assignee, tag, until }: ConversationBulk): Promise<Act> {
  switch (action) {
    case 'read':
      return markRead;
    case 'unread':
      return markUnread;
    case 'close':
      return close;
    case 'open':
      return reopen;
    case 'assign':
      return assignTo(await requireAssignee(ctx, assignee ?? ''));
    case 'unassign':
      return unassign;
    case 'mute':
      return muteUntil(muteEnd(ctx, until));
    case 'unmute':
      return unmute;
    case 'tag':
    case 'untag': {
      const found = await holdTag(ctx, tag ?? '');
      if (!found) return nothing;
      return action === 'tag' ? attach(found) : detach(found);
    }
  }
}
