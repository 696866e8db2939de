import { momentOf } from '../../schema/common.ts';
import { ConversationMute } from '../../schema/conversations.ts';
import { invalidField } from '../platform/errors.ts';
import { mutation } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { type Act, actOnOne, conversationPath, plainAction } from './action.ts';
import { isMuted } from './present.ts';
import { conversationTargets } from './record.ts';
import { changeConversations } from './thread.ts';

/** Reading is told to integrations and to the inbox of others, but it is nothing that happened in the thread. */
const aside = { inTimeline: false } as const;

export const markRead: Act = (ctx, records) =>
  changeConversations(
    ctx,
    records
      .filter((record) => record.unreadCount > 0)
      .map((record) => ({
        record,
        changes: { unreadCount: 0 },
        entries: [{ type: 'conversation.read', ...aside }],
      })),
  );

/** Flags the thread to be handled later; one that is unread keeps its count. */
export const markUnread: Act = (ctx, records) =>
  changeConversations(
    ctx,
    records
      .filter((record) => record.unreadCount === 0)
      .map((record) => ({
        record,
        changes: { unreadCount: 1 },
        entries: [{ type: 'conversation.unread', ...aside }],
      })),
  );

/** @param until null is without end */
export function muteUntil(until: Date | null): Act {
  return (ctx, records) =>
    changeConversations(
      ctx,
      records
        .filter((record) => !isMuted(record, ctx.now()) || record.mutedUntil?.getTime() !== until?.getTime())
        .map((record) => ({
          record,
          changes: { muted: true, mutedUntil: until },
          entries: [{ type: 'conversation.muted', data: { until: until?.toISOString() ?? null } }],
        })),
    );
}

export const unmute: Act = (ctx, records) =>
  changeConversations(
    ctx,
    records
      .filter((record) => isMuted(record, ctx.now()))
      .map((record) => ({
        record,
        changes: { muted: false, mutedUntil: null },
        entries: [{ type: 'conversation.unmuted' }],
      })),
  );

const setArchived =
  (archived: boolean): Act =>
  (ctx, records) =>
    changeConversations(
      ctx,
      records
        .filter((record) => record.archived !== archived)
        .map((record) => ({
          record,
          changes: { archived },
          entries: [{ type: archived ? 'conversation.archived' : 'conversation.unarchived' }],
        })),
    );

/** @throws AppError `validation_failed`, param `until`, when it is not in the future */
export function muteEnd(ctx: WorkContext, until: string | null | undefined): Date | null {
  if (until === null || until === undefined) return null;
  const end = new Date(momentOf(until));
  if (end <= ctx.now()) throw invalidField('until', 'min', 'Must be in the future.');
  return end;
}

export const readConversation = plainAction(markRead);
export const unreadConversation = plainAction(markUnread);
export const unmuteConversation = plainAction(unmute);
export const archiveConversation = plainAction(setArchived(true));
export const unarchiveConversation = plainAction(setArchived(false));

/** Nobody is notified while it lasts; messages arrive, unread counts and mentions still tell. */
export const muteConversation = mutation(
  {
    access: 'inbox.access',
    input: ConversationMute.extend(conversationPath),
    targets: conversationTargets,
  },
  (ctx, { conversation, until }) =>
    actOnOne(ctx, conversation, (inner, records) => muteUntil(muteEnd(ctx, until))(inner, records)),
);
