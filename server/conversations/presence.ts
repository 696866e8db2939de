import { z } from 'zod';
import { Prisma } from '../../prisma/generated/client/client.ts';
import { PresenceUpdate } from '../../schema/conversations.ts';
import { announceChannel, announcementOf } from '../platform/announce.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import { mutation, query } from '../platform/operation.ts';
import { among } from '../platform/pagination.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { actingUser, conversationPath } from './action.ts';
import { type ConversationRecord, conversationTargets } from './record.ts';

/** How long a claim and a typing flag hold without a heartbeat, in milliseconds. */
const lockMs = 30_000;
const typingMs = 6_000;

/** Who edits a conversation now; nobody once the claim has run out. */
export interface PresenceState {
  conversationId: string;
  holderId: string | null;
  holderName: string | null;
  typing: boolean;
}

/** Reading never extends a lock. */
export const showPresence = query(
  { access: 'inbox.access', input: z.object(conversationPath), targets: conversationTargets },
  (ctx, { conversation }) => requirePresence(ctx, conversation),
);

export const updatePresence = mutation(
  {
    access: 'inbox.access',
    input: PresenceUpdate.extend(conversationPath),
    targets: conversationTargets,
    unaudited: true,
  },
  async (ctx, { conversation, action, typing = false, force = false }) => {
    const { id: userId, name } = actingUser(ctx);
    if (action === 'release') {
      const before = await requirePresence(ctx, conversation);
      if (before.holderId !== userId) return before;
      releasePresence(ctx, [before.conversationId], userId);
      return { ...before, holderId: null, holderName: null, typing: false };
    }
    const taken = await claim(ctx, { conversation, userId, typing, force });
    if (!taken) return requirePresence(ctx, conversation);
    return { conversationId: conversation, holderId: userId, holderName: name, typing };
  },
);

interface Claim {
  conversation: string;
  userId: string;
  typing: boolean;
  force: boolean;
}

/** One compare-and-swap: of any number of agents who claim at once, one gets it. @returns whether it was given */
async function claim(ctx: WorkContext, { conversation, userId, typing, force }: Claim): Promise<boolean> {
  if (!isId(conversation)) return false;
  const now = ctx.now();
  const expiresAt = new Date(now.getTime() + lockMs);
  const typingUntil = typing ? new Date(now.getTime() + typingMs) : null;
  // Losing a lock in a crash costs nothing, so nobody waits for the disk.
  const taken = await ctx.db.$queryRaw<unknown[]>`
    WITH taken AS (
      INSERT INTO conversation_presence AS held
        (company_id, conversation_id, holder_id, expires_at, typing_until, updated_at)
      SELECT company_id, id, ${userId}, ${expiresAt}::timestamptz, ${typingUntil}::timestamptz, ${now}::timestamptz
      FROM conversations WHERE company_id = ${ctx.companyId} AND id = ${conversation}
      ON CONFLICT (company_id, conversation_id) DO UPDATE SET holder_id = excluded.holder_id,
        expires_at = excluded.expires_at, typing_until = excluded.typing_until, updated_at = excluded.updated_at
      WHERE held.holder_id IS NULL OR held.holder_id = excluded.holder_id OR held.expires_at <= ${now} OR ${force}
      RETURNING conversation_id
    )
    SELECT ${announcement(ctx)}, set_config('synchronous_commit', 'off', true) FROM taken`;
  return taken.length > 0;
}

/** Frees the locks of conversations, those of one agent only when given, and announces it: with the events of the work. */
export function releasePresence(
  ctx: WorkContext,
  conversations: readonly (string | ConversationRecord)[],
  holderId: string | null = null,
): void {
  const ids = conversations.map((one) => (typeof one === 'string' ? one : one.id));
  ctx.attach(Prisma.sql`
    UPDATE conversation_presence
    SET holder_id = NULL, expires_at = NULL, typing_until = NULL, updated_at = ${ctx.now()}
    WHERE company_id = ${ctx.companyId} AND conversation_id ${among(ids)} AND holder_id IS NOT NULL
      AND (${holderId}::text IS NULL OR holder_id = ${holderId})
    RETURNING ${announcement(ctx)}`);
}

/** Told to open connections at commit; not part of the event log. */
function announcement(ctx: Context): Prisma.Sql {
  const told = announcementOf(ctx.companyId, ctx.now(), { type: 'presence.updated', object: {} });
  return Prisma.sql`pg_notify(${announceChannel},
    jsonb_set(${JSON.stringify(told)}::jsonb, '{conversation}', to_jsonb(conversation_id))::text)::text`;
}

/** The state of several conversations in one statement, those that exist. */
export async function presenceOf(ctx: Context, ids: readonly string[]): Promise<Map<string, PresenceState>> {
  const now = ctx.now();
  const rows = await ctx.db.$queryRaw<PresenceState[]>`
    SELECT conversations.id AS "conversationId", users.id AS "holderId", users.display_name AS "holderName",
      coalesce(held.typing_until > ${now}, false) AS typing
    FROM conversations
    LEFT JOIN conversation_presence held ON held.company_id = conversations.company_id
      AND held.conversation_id = conversations.id AND held.expires_at > ${now}
    LEFT JOIN users ON users.company_id = held.company_id AND users.id = held.holder_id
    WHERE conversations.company_id = ${ctx.companyId} AND conversations.id = ANY(${[...ids]})`;
  return new Map(rows.map((row) => [row.conversationId, row]));
}

/** At most so many locks are listed. */
const editingMaximum = 200;

/** Which conversations are being edited now, and by whom; those claimed last first, at most 200. */
export const listEditing = query(
  { access: 'inbox.access', dashboardOnly: true, input: z.object({}) },
  (ctx) => ctx.db.$queryRaw<PresenceState[]>`
    SELECT held.conversation_id AS "conversationId", users.id AS "holderId", users.display_name AS "holderName",
      coalesce(held.typing_until > ${ctx.now()}, false) AS typing
    FROM conversation_presence held
    JOIN users ON users.company_id = held.company_id AND users.id = held.holder_id
    WHERE held.company_id = ${ctx.companyId} AND held.expires_at > ${ctx.now()}
    ORDER BY held.updated_at DESC, held.conversation_id LIMIT ${editingMaximum}`,
);

async function requirePresence(ctx: Context, id: string): Promise<PresenceState> {
  const state = isId(id) ? (await presenceOf(ctx, [id])).get(id) : undefined;
  if (!state) throw notFound();
  return state;
}
