import { type Conversation as ConversationRow, Prisma } from '../../prisma/generated/client/client.ts';
import type { LastMessage } from '../../schema/conversations.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import { among, columns } from '../platform/pagination.ts';
import { readRows } from '../platform/rows.ts';
import type { StoredAuthor } from './authors.ts';

export interface TagRef {
  id: string;
  name: string;
  color: string;
}

/** A conversation with all that its public record shows; `pinned` and `followed` are the acting user's. */
export interface ConversationRecord extends Omit<ConversationRow, 'lastMessage' | 'closedBy'> {
  lastMessage: LastMessage | null;
  closedBy: StoredAuthor | null;
  contactName: string | null;
  contactPhone: string | null;
  contactEmail: string | null;
  assigneeName: string | null;
  assigneeEmail: string | null;
  teamName: string | null;
  /** In the order of `tagIds`. */
  tags: TagRef[];
  pinned: boolean;
  followed: boolean;
}

/** The rows themselves, named as Prisma names its fields: what `withRelated` goes around. */
export const selectConversations = Prisma.sql`
  SELECT ${columns(Prisma.ConversationScalarFieldEnum)} FROM conversations`;

/**
 * Goes around a query of conversation rows and adds contact, assignee, team, tags and the acting user's flags,
 * in the same statement whatever the number of rows.
 */
export function withRelated(ctx: Context, rows: Prisma.Sql): Prisma.Sql {
  const user = ctx.principal.user?.id ?? '';
  return Prisma.sql`
    SELECT page.*,
      CASE WHEN contacts.deleted_at IS NULL THEN contacts.name ELSE 'Deleted contact' END AS "contactName",
      CASE WHEN contacts.deleted_at IS NULL THEN contacts.phone END AS "contactPhone",
      CASE WHEN contacts.deleted_at IS NULL THEN contacts.email END AS "contactEmail",
      users.display_name AS "assigneeName", users.email AS "assigneeEmail", teams.name AS "teamName",
      CASE WHEN page."tagIds" = '{}' THEN '[]'::json ELSE (
        SELECT coalesce(json_agg(json_build_object('id', tags.id, 'name', tags.name, 'color', tags.color)
          ORDER BY place), '[]')
        FROM unnest(page."tagIds") WITH ORDINALITY AS used (id, place)
        JOIN tags ON tags.company_id = ${ctx.companyId} AND tags.id = used.id) END AS tags,
      EXISTS (SELECT FROM conversation_pins pin WHERE pin.company_id = ${ctx.companyId}
        AND pin.user_id = ${user} AND pin.conversation_id = page.id) AS pinned,
      EXISTS (SELECT FROM conversation_followers follower WHERE follower.company_id = ${ctx.companyId}
        AND follower.conversation_id = page.id AND follower.user_id = ${user}) AS followed
    FROM (${rows}) AS page
    LEFT JOIN contacts ON contacts.company_id = ${ctx.companyId} AND contacts.id = page."contactId"
    LEFT JOIN users ON users.company_id = ${ctx.companyId} AND users.id = page."assigneeId"
    LEFT JOIN teams ON teams.company_id = ${ctx.companyId} AND teams.id = page."teamId"`;
}

/** Conversations by id, those that exist, in no particular order. One statement. */
export function loadConversations(ctx: Context, ids: readonly string[]): Promise<ConversationRecord[]> {
  return readRows<ConversationRecord>(
    ctx,
    withRelated(
      ctx,
      Prisma.sql`${selectConversations} WHERE company_id = ${ctx.companyId} AND id ${among(ids)}`,
    ),
  );
}

/** One conversation, and how many agents follow it. */
export interface ShownConversation extends ConversationRecord {
  followersCount: number;
}

/** @throws AppError `not_found` when it is unknown to this company */
export async function requireConversation(ctx: Context, id: string): Promise<ShownConversation> {
  const rows = Prisma.sql`
    SELECT ${columns(Prisma.ConversationScalarFieldEnum)},
      (SELECT count(*)::int FROM conversation_followers follower WHERE follower.company_id = ${ctx.companyId}
        AND follower.conversation_id = conversations.id) AS "followersCount"
    FROM conversations WHERE company_id = ${ctx.companyId} AND id = ${id}`;
  const [record] = isId(id) ? await readRows<ShownConversation>(ctx, withRelated(ctx, rows)) : [];
  if (!record) throw notFound();
  return record;
}

/** Whether the company has a conversation with this id. */
export async function conversationExists(ctx: Context, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const rows = await readRows<unknown>(
    ctx,
    Prisma.sql`
    SELECT 1 FROM conversations WHERE company_id = ${ctx.companyId} AND id = ${id}`,
  );
  return rows.length > 0;
}

/** How many agents follow each of these, in one statement; those without followers are missing. */
export async function followersOf(ctx: Context, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await readRows<{ id: string; count: number }>(
    ctx,
    Prisma.sql`
    SELECT conversation_id AS id, count(*)::int AS count FROM conversation_followers
    WHERE company_id = ${ctx.companyId} AND conversation_id = ANY(${[...ids]}) GROUP BY conversation_id`,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

export const conversationTargets = { conversation: conversationExists };
