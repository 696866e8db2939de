import { Prisma } from '../../prisma/generated/client/client.ts';
import { limits, momentOf } from '../../schema/common.ts';
import { TimelineQuery } from '../../schema/timeline.ts';
import type { MediaFields } from '../media/columns.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import { query } from '../platform/operation.ts';
import { oneMoreThan } from '../platform/pagination.ts';
import { readRows } from '../platform/rows.ts';
import { conversationPath } from './action.ts';
import { conversationExists, conversationTargets } from './record.ts';

/** One entry of the merged stream; what belongs to another kind is null. */
export interface EntryRow {
  conversationId: string;
  id: string;
  kind: 'message' | 'note' | 'event';
  at: Date;
  authorType: string;
  authorName: string | null;
  authorEmail: string | null;
  /** Type of the message, or name of the event. */
  type: string | null;
  /** Of a mail that came in. */
  subject: string | null;
  text: string | null;
  direction: string | null;
  status: string | null;
  failureCode: string | null;
  failureMessage: string | null;
  aiGenerated: boolean | null;
  heldUntil: Date | null;
  data: Record<string, unknown> | null;
  media: MediaFields | null;
  replyTo: ReplyFields | null;
  mentions: { name: string; email: string }[] | null;
}

interface ReplyFields {
  id: string;
  text: string | null;
  authorType: string;
  authorName: string | null;
  authorEmail: string | null;
}

/** Entries newest first, and whether older ones exist. */
export interface Timeline {
  rows: EntryRow[];
  hasMore: boolean;
}

/** What a page of the timeline is asked by. */
export interface TimelineSlice {
  limit?: number | undefined;
  before?: string | undefined;
}

/** Messages, private notes and lifecycle events of one conversation. */
export const showTimeline = query(
  {
    access: 'inbox.access',
    input: TimelineQuery.extend(conversationPath),
    targets: conversationTargets,
  },
  async (ctx, { conversation, ...slice }) => {
    if (!isId(conversation)) throw notFound();
    const timeline = (await timelinesOf(ctx, [conversation], slice)).get(conversation);
    if (timeline) return timeline;
    if (!(await conversationExists(ctx, conversation))) throw notFound();
    return { rows: [], hasMore: false };
  },
);

/**
 * The newest entries before a moment, of any number of conversations in one statement: three index reads bounded
 * by the limit, merged. Since `at` never repeats in a conversation, `at < before` skips and repeats nothing.
 */
export async function timelinesOf(
  ctx: Context,
  ids: readonly string[],
  { limit = limits.page.default, before }: TimelineSlice,
): Promise<Map<string, Timeline>> {
  const end = before === undefined ? null : new Date(momentOf(before));
  const { companyId } = ctx;
  const oneMore = oneMoreThan(limit);
  // For the reason of `among`.
  const wanted =
    ids.length === 1 ? Prisma.sql`(VALUES (${ids[0]}::text))` : Prisma.sql`unnest(${[...ids]}::text[])`;
  const entries = Prisma.sql`
    SELECT wanted.id AS "conversationId", entry.id, entry.kind, entry.at, entry.author_type AS "authorType",
      entry.author_name AS "authorName", entry.author_email AS "authorEmail", entry.type, entry.subject,
      entry.text, entry.direction, entry.status, entry.failure_code AS "failureCode",
      entry.failure_message AS "failureMessage", entry.ai_generated AS "aiGenerated",
      entry.held_until AS "heldUntil", entry.data,
      CASE WHEN media.id IS NOT NULL THEN json_build_object('id', media.id, 'urlToken', media.url_token,
        'kind', media.kind, 'mimeType', media.mime_type, 'size', media.size, 'filename', media.filename) END AS media,
      CASE WHEN replied.id IS NOT NULL THEN json_build_object('id', replied.id, 'text', left(replied.text, 1000),
        'authorType', replied.author_type, 'authorName', replied.author_name,
        'authorEmail', replied.author_email) END AS "replyTo",
      CASE WHEN entry.kind = 'note' THEN (
        SELECT coalesce(json_agg(json_build_object('name', users.display_name, 'email', users.email)
          ORDER BY mention.position), '[]')
        FROM note_mentions mention
        JOIN users ON users.company_id = mention.company_id AND users.id = mention.user_id
        WHERE mention.company_id = ${companyId} AND mention.note_id = entry.id) END AS mentions
    FROM ${wanted} AS wanted (id)
    CROSS JOIN LATERAL (
      (SELECT id, 'message' AS kind, at, author_type, author_name, author_email, type, extra->>'subject' AS subject, text, direction, status,
         failure_code, failure_message, ai_generated, held_until, NULL::jsonb AS data, media_id, reply_to_id
       FROM messages WHERE company_id = ${companyId} AND conversation_id = wanted.id
         AND at < coalesce(${end}::timestamptz, 'infinity') ORDER BY at DESC LIMIT ${oneMore})
      UNION ALL
      (SELECT id, 'note', at, author_type, author_name, author_email, NULL, NULL, text, NULL, NULL,
         NULL, NULL, NULL, NULL, NULL, NULL, NULL
       FROM notes WHERE company_id = ${companyId} AND conversation_id = wanted.id
         AND at < coalesce(${end}::timestamptz, 'infinity') ORDER BY at DESC LIMIT ${oneMore})
      UNION ALL
      (SELECT id, 'event', at, author_type, author_name, author_email, type, NULL, NULL, NULL, NULL,
         NULL, NULL, NULL, NULL, data, NULL, NULL
       FROM timeline_events WHERE company_id = ${companyId} AND conversation_id = wanted.id
         AND at < coalesce(${end}::timestamptz, 'infinity') ORDER BY at DESC LIMIT ${oneMore})
      ORDER BY at DESC LIMIT ${oneMore}
    ) AS entry
    LEFT JOIN media ON media.company_id = ${companyId} AND media.id = entry.media_id
    LEFT JOIN messages replied ON replied.company_id = ${companyId} AND replied.id = entry.reply_to_id
    ORDER BY wanted.id, entry.at DESC`;
  const rows = await readRows<EntryRow>(ctx, entries);
  const timelines = new Map<string, Timeline>();
  for (const [id, all] of Map.groupBy(rows, (row) => row.conversationId)) {
    timelines.set(id, { rows: all.slice(0, limit), hasMore: all.length > limit });
  }
  return timelines;
}
