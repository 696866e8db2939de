import { z } from 'zod';
import { mutation } from '../platform/operation.ts';
import { among } from '../platform/pagination.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { conversationPath } from './action.ts';
import { announceMessages } from './announcements.ts';
import { type ConversationRecord, conversationTargets } from './record.ts';
import { approveReplies } from './suggestions.ts';
import { type Changes, changeConversation, lockConversation } from './thread.ts';
import { waiting } from './waiting.ts';

/** Why a held message is held; null stands for every origin. */
export type HeldOrigin = 'undo' | 'ai' | 'request';

/** Why a held message is never sent. */
export type CancelReason =
  | 'superseded_by_agent'
  | 'superseded_by_inbound'
  | 'closed'
  | 'transferred'
  | 'blocked'
  | 'switched_off'
  | 'request';

/** Which held messages are meant: all of them unless narrowed. */
interface Which {
  origin?: HeldOrigin;
  /** All but those. */
  except?: HeldOrigin;
  /** Only those whose time has come by then. */
  dueBy?: Date;
  id?: string;
}

/** Sends the held batch now. Whoever comes second finds nothing, so a batch is never sent twice. */
export const flushHeld = mutation(
  { access: 'inbox.access', input: z.object(conversationPath), targets: conversationTargets },
  async (ctx, { conversation }) => {
    const record = await lockConversation(ctx, conversation);
    await approveReplies(ctx, record);
    const changes = (await releaseHeld(ctx, [record])).get(record.id);
    if (!changes) return { flushed: false };
    await changeConversation(ctx, record, changes);
    return { flushed: true };
  },
);

/**
 * Queues held messages of locked conversations and asks for their sending. One look under a lock, for the
 * button, the timer and `close` alike, so that no two of them send the same message.
 * @returns what changes in each conversation that had some, for the caller to write with its other changes
 */
export async function releaseHeld(
  ctx: WorkContext,
  records: readonly ConversationRecord[],
  which: Which = {},
): Promise<Map<string, Changes>> {
  const changes = await moveHeld(ctx, records, 'queued', null, which);
  await ctx.enqueueAll(
    'messages.send',
    [...changes.keys()].map((conversationId) => ({ companyId: ctx.companyId, conversationId })),
  );
  return changes;
}

/** Cancels held messages of locked conversations: they are never sent. @returns as `releaseHeld` */
export function cancelHeld(
  ctx: WorkContext,
  records: readonly ConversationRecord[],
  reason: CancelReason,
  which: Which = {},
): Promise<Map<string, Changes>> {
  return moveHeld(ctx, records, 'cancelled', reason, which);
}

interface Moved {
  conversationId: string;
  /** `at` as PostgreSQL writes it. */
  moved: { id: string; at: string }[] | null;
  heldCount: number;
  heldUntil: Date | null;
}

async function moveHeld(
  ctx: WorkContext,
  records: readonly ConversationRecord[],
  status: 'queued' | 'cancelled',
  reason: CancelReason | null,
  { origin, except, dueBy, id }: Which,
): Promise<Map<string, Changes>> {
  const holding = records.filter((record) => record.heldCount > 0);
  if (holding.length === 0) return new Map();
  // Locked where they are found, so `moved` needs not ask for their status again: where PostgreSQL takes few to be held,
  // it would look for each of them among all that the company holds.
  const rows = await ctx.db.$queryRaw<Moved[]>`
    WITH held AS (
      SELECT id, conversation_id, held_until,
        (${origin ?? null}::text IS NULL OR held_origin = ${origin ?? null})
          AND (${except ?? null}::text IS NULL OR held_origin IS DISTINCT FROM ${except ?? null})
          AND (${dueBy ?? null}::timestamptz IS NULL OR held_until <= ${dueBy ?? null})
          AND (${id ?? null}::text IS NULL OR id = ${id ?? null}) AS chosen
      FROM messages
      WHERE company_id = ${ctx.companyId} AND conversation_id ${among(holding.map((record) => record.id))}
        AND status = 'held' AND ${waiting}
      FOR NO KEY UPDATE
    ), moved AS (
      UPDATE messages SET status = ${status}, held_until = NULL, cancel_reason = ${reason},
        version = version + 1, updated_at = ${ctx.now()}
      FROM held
      WHERE messages.company_id = ${ctx.companyId} AND messages.id = held.id AND held.chosen
      RETURNING messages.id, messages.at
    )
    SELECT held.conversation_id AS "conversationId",
      json_agg(json_build_object('id', moved.id, 'at', moved.at)) FILTER (WHERE moved.id IS NOT NULL) AS moved,
      count(*) FILTER (WHERE moved.id IS NULL)::int AS "heldCount",
      min(held.held_until) FILTER (WHERE moved.id IS NULL) AS "heldUntil"
    FROM held LEFT JOIN moved ON moved.id = held.id
    GROUP BY held.conversation_id`;
  const news = rows.flatMap(({ conversationId, moved }) =>
    (moved ?? []).map(({ id: message, at }) => ({ conversationId, id: message, status, at: new Date(at) })),
  );
  announceMessages(ctx, 'message.updated', news);
  const byId = new Map(holding.map((record) => [record.id, record]));
  return new Map(
    rows.flatMap(({ conversationId, moved, heldCount, heldUntil }) => {
      const record = byId.get(conversationId);
      if (!moved || !record) return [];
      const ids = moved.map(({ id: message }) => message);
      return [[conversationId, { heldCount, heldUntil, ...lastMessage(record, ids, status) }] as const];
    }),
  );
}

/** The preview in the inbox tells the status too. */
function lastMessage(
  { lastMessage: last }: ConversationRecord,
  ids: readonly string[],
  status: 'queued' | 'cancelled',
): Changes {
  return last && ids.includes(last.id) ? { lastMessage: { ...last, status } } : {};
}
