import { ConversationAssign } from '../../schema/conversations.ts';
import { mutation } from '../platform/operation.ts';
import { type Act, actOnOne, conversationPath, plainAction } from './action.ts';
import { type Agent, requireAssignee } from './agents.ts';
import type { StoredAuthor } from './authors.ts';
import { notifyAgents } from './notifications.ts';
import { isMuted } from './present.ts';
import { type ConversationRecord, conversationTargets } from './record.ts';
import { type Changes, changeConversations } from './thread.ts';

/**
 * Ownership only: no note, nothing unread. The new owner is told, unless the thread is muted.
 * @param author who assigns, in the timeline; who acts unless given
 */
export function assignTo(agent: Agent, author?: StoredAuthor): Act {
  return async (ctx, records) => {
    const others = records.filter((record) => record.assigneeId !== agent.id);
    const now = ctx.now();
    await notifyAgents(
      ctx,
      others
        .filter((record) => !isMuted(record, now))
        .map((record) => ({ userId: agent.id, kind: 'assigned', conversationId: record.id })),
    );
    return changeConversations(
      ctx,
      others.map((record) => ({
        record,
        changes: assignedTo(agent),
        entries: [
          {
            type: 'conversation.assigned',
            data: { from: assigneeOf(record), to: agent },
            ...(author ? { author } : {}),
          },
        ],
      })),
    );
  };
}

export const unassign: Act = (ctx, records) =>
  changeConversations(
    ctx,
    records
      .filter((record) => record.assigneeId !== null)
      .map((record) => ({
        record,
        changes: assignedTo(null),
        entries: [{ type: 'conversation.unassigned', data: { from: assigneeOf(record), to: null } }],
      })),
  );

export function assignedTo(agent: Agent | null): Changes {
  return {
    assigneeId: agent?.id ?? null,
    assigneeName: agent?.name ?? null,
    assigneeEmail: agent?.email ?? null,
  };
}

/** Who owns the thread, as entries and events tell it. */
export function assigneeOf({ assigneeId, assigneeName, assigneeEmail }: ConversationRecord): Agent | null {
  if (assigneeId === null) return null;
  return { id: assigneeId, name: assigneeName ?? '', email: assigneeEmail ?? '' };
}

export const unassignConversation = plainAction(unassign);

export const assignConversation = mutation(
  {
    access: 'inbox.access',
    input: ConversationAssign.extend(conversationPath),
    targets: conversationTargets,
  },
  (ctx, { conversation, assignee }) =>
    actOnOne(ctx, conversation, async (inner, records) =>
      assignTo(await requireAssignee(inner, assignee))(inner, records),
    ),
);
