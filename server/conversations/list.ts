import { Prisma } from '../../prisma/generated/client/client.ts';
import { ConversationListQuery } from '../../schema/conversations.ts';
import { channelKinds } from '../../schema/entries.ts';
import type { ConversationSort } from '../../schema/views.ts';
import type { Context } from '../platform/context.ts';
import { query } from '../platform/operation.ts';
import { columns, type Page, readPage, type Sort } from '../platform/pagination.ts';
import { readRows } from '../platform/rows.ts';
import { type ConversationRecord, selectConversations, withRelated } from './record.ts';
import { soughtConditions } from './search.ts';
import { unreadTotal } from './unread.ts';

/** A page of the inbox with the number on its badge. */
export interface Inbox extends Page<ConversationRecord> {
  /** Conversations of the company with unread messages, whatever the filters. */
  totalUnread: number;
}

/** Even an empty page has one row, for the number; its columns are null. */
type Listed = ConversationRecord & { id: string | null; totalUnread: number };

const byActivity: Sort<ConversationRecord> = {
  name: 'last_message_at',
  column: 'last_message_at',
  type: 'timestamptz',
  direction: 'desc',
  valueOf: (row) => row.lastMessageAt,
};

/** Where nobody waits comes last; an index has the same expression. */
const byWaiting: Sort<ConversationRecord> = {
  name: 'waiting_since',
  column: `coalesce(waiting_since, 'infinity'::timestamptz)`,
  type: 'timestamptz',
  direction: 'asc',
  valueOf: (row) => row.waitingSince ?? 'infinity',
};

const sorts: Readonly<Record<ConversationSort, Sort<ConversationRecord>>> = {
  activity: byActivity,
  waiting: byWaiting,
  oldest: { ...byActivity, name: 'oldest_message_at', direction: 'asc' },
};

/** The same order of rows that have been selected, whose columns are named as Prisma names its fields. */
const orders: Readonly<Record<ConversationSort, Prisma.Sql>> = {
  activity: Prisma.sql`listed."lastMessageAt" DESC, listed.id DESC`,
  waiting: Prisma.sql`listed."waitingSince" ASC NULLS LAST, listed.id ASC`,
  oldest: Prisma.sql`listed."lastMessageAt" ASC, listed.id ASC`,
};

/** Newest activity first. One statement; with `q` or `tag` a bounded probe before it. */
export const listConversations = query(
  { access: 'inbox.access', input: ConversationListQuery },
  (ctx, input) => readInbox(ctx, input),
);

interface Listing {
  /** Conditions beside the filters, which `input` has to name too. */
  more?: readonly Prisma.Sql[];
  /** Newest activity first unless given. */
  sort?: ConversationSort | undefined;
}

/** The list behind `listConversations`. */
export async function readInbox(
  ctx: Context,
  input: ConversationListQuery,
  { more = [], sort = 'activity' }: Listing = {},
): Promise<Inbox> {
  const { rows, ...page } = await readPage<Listed>(ctx, {
    list: 'conversations',
    select: selectConversations,
    where: [...more, ...filtersOf(ctx, input), ...(await soughtConditions(ctx, input))],
    filters: input,
    sort: sorts[sort],
    limit: input.limit,
    cursor: input.cursor,
    around: (listed) => withUnread(ctx, withRelated(ctx, listed), orders[sort]),
  });
  const totalUnread = rows[0]?.totalUnread ?? 0;
  return { ...page, rows: rows.filter(({ id }) => id !== null), totalUnread };
}

/** A conversation, and whether a list with certain filters has it. */
export interface Matched {
  record: ConversationRecord;
  matches: boolean;
}

/**
 * Some conversations by id, and which of them a list with these filters would show. One statement without `q`.
 * @param more conditions beside the filters
 */
export async function matchingConversations(
  ctx: Context,
  filters: Omit<ConversationListQuery, 'limit' | 'cursor'>,
  ids: readonly string[],
  more: readonly Prisma.Sql[] = [],
): Promise<Matched[]> {
  const conditions = [...more, ...filtersOf(ctx, filters), ...(await soughtConditions(ctx, filters))];
  const matches = conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, ' AND ');
  const rows = await readRows<ConversationRecord & { matches: boolean }>(
    ctx,
    withRelated(
      ctx,
      Prisma.sql`SELECT ${columns(Prisma.ConversationScalarFieldEnum)}, coalesce(${matches}, false) AS matches
        FROM conversations WHERE company_id = ${ctx.companyId} AND id = ANY(${[...ids]})`,
    ),
  );
  return rows.map(({ matches: found, ...record }) => ({ record, matches: found }));
}

/** A row of each conversation and the total; of the total alone where there are none. */
function withUnread({ companyId }: Context, listed: Prisma.Sql, order: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT listed.*, unread.total AS "totalUnread"
    FROM (${unreadTotal(companyId)}) AS unread
    LEFT JOIN (${listed}) AS listed ON true
    ORDER BY ${order}`;
}

function filtersOf(ctx: Context, input: ConversationListQuery): Prisma.Sql[] {
  const filters: Prisma.Sql[] = [];
  const { status, assignee, channel, contact, archived, unassigned, read, muted, period, rating } = input;
  // A literal, so that the partial index is chosen without looking at parameters.
  if (status !== undefined)
    filters.push(status === 'open' ? Prisma.sql`status = 'open'` : Prisma.sql`status = 'closed'`);
  if (assignee !== undefined) filters.push(Prisma.sql`assignee_id = ${idOfAgent(ctx, assignee)}`);
  if (channel !== undefined) filters.push(channelCondition(ctx, channel));
  if (contact !== undefined) filters.push(Prisma.sql`contact_id = ${contact}`);
  if (archived !== undefined) filters.push(archived ? Prisma.sql`archived` : Prisma.sql`NOT archived`);
  if (unassigned !== undefined) {
    filters.push(unassigned ? Prisma.sql`assignee_id IS NULL` : Prisma.sql`assignee_id IS NOT NULL`);
  }
  if (read !== undefined) filters.push(read ? Prisma.sql`unread_count = 0` : Prisma.sql`unread_count > 0`);
  if (muted !== undefined) filters.push(mutedCondition(ctx, muted));
  if (period !== undefined) filters.push(periodCondition(ctx, period));
  if (rating !== undefined) filters.push(Prisma.sql`rating = ${rating}`);
  return filters;
}

/** Nobody has the e-mail of a stranger, so it matches nothing. */
function idOfAgent(ctx: Context, assignee: string): Prisma.Sql {
  if (assignee === 'me') return Prisma.sql`${ctx.principal.user?.id ?? ''}`;
  return Prisma.sql`(SELECT id FROM users WHERE company_id = ${ctx.companyId} AND lower(email) = lower(${assignee}))`;
}

/** A kind of channel, as records show it; else the name of one. */
function channelCondition({ companyId }: Context, channel: string): Prisma.Sql {
  if (channelKinds.some((kind) => kind === channel)) return Prisma.sql`channel_kind = ${channel}`;
  return Prisma.sql`channel_id = (SELECT id FROM channels
    WHERE company_id = ${companyId} AND lower(name) = lower(${channel}))`;
}

/** A mute whose end has passed is none. */
export function mutedCondition(ctx: Pick<Context, 'now'>, muted: boolean): Prisma.Sql {
  const now = ctx.now();
  return muted
    ? Prisma.sql`muted AND (muted_until IS NULL OR muted_until > ${now})`
    : Prisma.sql`(NOT muted OR muted_until <= ${now})`;
}

const units = { today: 'day', week: 'week', month: 'month' } as const;

/** Since the beginning of the company's day, ISO week or month. */
function periodCondition(ctx: Context, period: keyof typeof units): Prisma.Sql {
  const { timezone } = ctx.principal.company;
  return Prisma.sql`last_message_at >=
    date_trunc(${units[period]}, ${ctx.now()}::timestamptz AT TIME ZONE ${timezone}) AT TIME ZONE ${timezone}`;
}
