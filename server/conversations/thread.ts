import { Prisma } from '../../prisma/generated/client/client.ts';
import { type EventDraft, changedFields } from '../platform/events.ts';
import { notFound } from '../platform/errors.ts';
import { isId, newId } from '../platform/ids.ts';
import { among, snakeCase } from '../platform/pagination.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { authorOf, type StoredAuthor } from './authors.ts';
import { presentConversation } from './present.ts';
import { type ConversationRecord, loadConversations } from './record.ts';

/** Columns that a change may set, with the type that PostgreSQL reads them as. */
const columnTypes = {
  status: 'text',
  archived: 'boolean',
  muted: 'boolean',
  mutedUntil: 'timestamptz',
  unreadCount: 'integer',
  assigneeId: 'text',
  teamId: 'text',
  tagIds: 'text[]',
  rating: 'integer',
  ratingComment: 'text',
  ratedAt: 'timestamptz',
  ratingRequestedAt: 'timestamptz',
  awaySentAt: 'timestamptz',
  lastMessage: 'jsonb',
  lastMessageAt: 'timestamptz',
  lastEntryAt: 'timestamptz',
  lastInboundAt: 'timestamptz',
  waitingSince: 'timestamptz',
  firstResponseAt: 'timestamptz',
  heldCount: 'integer',
  heldUntil: 'timestamptz',
  aiAutoReply: 'text',
  pendingSuggestions: 'integer',
  closedAt: 'timestamptz',
  closedBy: 'jsonb',
} as const satisfies Partial<Record<keyof ConversationRecord, string>>;

type Column = keyof typeof columnTypes;
type Related = 'assigneeName' | 'assigneeEmail' | 'teamName' | 'tags' | 'followed' | 'pinned';

/** New values; what belongs together is changed together (`assigneeId` with its name and e-mail). */
export type Changes = Partial<Pick<ConversationRecord, Column | Related>>;

/** Something that happened: an event of the log and, with `inTimeline`, an entry of the thread. */
export interface Entry {
  type: Extract<EventDraft['type'], `conversation.${string}`>;
  /** What the timeline's entry tells: ids, values before and after. Also `details` of the event unless given. */
  data?: Record<string, unknown>;
  details?: Record<string, unknown>;
  /** Unless given, who acts. */
  author?: StoredAuthor;
  /** Shared by events that one act caused. */
  cause?: string;
  /** False for what is told to integrations but has no place in the thread. */
  inTimeline?: boolean;
}

/** What is to become of one locked conversation. */
export interface Step {
  record: ConversationRecord;
  changes: Changes;
  entries?: readonly Entry[];
}

/**
 * Takes the row for this transaction, before any other write of it, and reads it. Everything that changes a
 * conversation or adds an entry starts here: it orders `at`, the event log, and decides between concurrent writers.
 * @throws AppError `not_found` when it is unknown to this company
 */
export async function lockConversation(ctx: WorkContext, id: string): Promise<ConversationRecord> {
  const [record] = isId(id) ? await lockConversations(ctx, [id]) : [];
  if (!record) throw notFound();
  return record;
}

/** The same for many, those that exist, always in the order of their ids so that two callers never deadlock. */
export async function lockConversations(
  ctx: WorkContext,
  ids: readonly string[],
): Promise<ConversationRecord[]> {
  const locking = ctx.db.$queryRaw<{ id: string }[]>`
    SELECT id FROM conversations WHERE company_id = ${ctx.companyId} AND id ${among(ids)}
    ORDER BY id FOR NO KEY UPDATE`;
  // A second statement, because the first one's snapshot may be older than the lock it waited for; sent right behind it.
  const [rows, records] = await Promise.all([locking, loadConversations(ctx, ids)]);
  const locked = new Set(rows.map(({ id }) => id));
  return records.filter(({ id }) => locked.has(id));
}

/** Place of the next entry: now, or 1 ms after the last one. The row keeps it as `lastEntryAt`. */
export function entryTime({ lastEntryAt }: Pick<ConversationRecord, 'lastEntryAt'>, now: Date): Date {
  return new Date(Math.max(now.getTime(), lastEntryAt.getTime() + 1));
}

/**
 * The one place that writes conversations: sets the changed columns, raises `version`, adds the timeline's entries
 * and emits the events, with the record before and after. One statement for any number of conversations.
 * @returns the records as they are now, in the order of `steps`
 */
export async function changeConversations(
  ctx: WorkContext,
  steps: readonly Step[],
): Promise<ConversationRecord[]> {
  if (steps.length === 0) return [];
  const now = ctx.now();
  const written = steps.map((step) => play(ctx, step, now));
  const fields = [...new Set(written.flatMap(({ changed }) => changed))].sort();
  const rows = written.map(({ after }) => ({
    id: after.id,
    ...Object.fromEntries(fields.map((field) => [snakeCase(field), after[field]])),
  }));
  const entries = written.flatMap(({ placed }) => placed);
  const update = updateOf(ctx, fields, rows, now);
  await ctx.db.$executeRaw(
    entries.length === 0
      ? update
      : Prisma.sql`WITH changed AS (${update})
          INSERT INTO timeline_events
            (company_id, id, conversation_id, type, author_type, author_id, author_name, author_email, data, at)
          SELECT ${ctx.companyId}, given.* FROM json_to_recordset(${JSON.stringify(entries)}::json) AS given
            (id text, conversation_id text, type text, author_type text, author_id text, author_name text,
             author_email text, data jsonb, at timestamptz)`,
  );
  for (const one of written) emit(ctx, one, now);
  return written.map(({ after }) => after);
}

/** `changeConversations` for one. */
export async function changeConversation(
  ctx: WorkContext,
  record: ConversationRecord,
  changes: Changes,
  entries: readonly Entry[] = [],
): Promise<ConversationRecord> {
  const [after] = await changeConversations(ctx, [{ record, changes, entries }]);
  return after ?? record;
}

/** Adds one entry, with the changes it tells of, and emits its event. */
export function recordEntry(
  ctx: WorkContext,
  record: ConversationRecord,
  type: Entry['type'],
  { changes = {}, ...entry }: Omit<Entry, 'type'> & { changes?: Changes } = {},
): Promise<ConversationRecord> {
  return changeConversation(ctx, record, changes, [{ type, ...entry }]);
}

interface Written {
  before: ConversationRecord;
  after: ConversationRecord;
  changed: Column[];
  events: { id: string; at: Date; entry: Entry }[];
  /** Rows of timeline_events. */
  placed: Record<string, unknown>[];
}

/** Plays a step in memory: the new record, the entries with their places, the columns that differ. */
function play(ctx: WorkContext, { record, changes, entries = [] }: Step, now: Date): Written {
  const after = { ...record, ...changes, version: record.version + 1, updatedAt: now };
  const events: Written['events'] = [];
  const placed: Written['placed'] = [];
  for (const entry of entries) {
    const id = newId();
    if (entry.inTimeline === false) {
      events.push({ id, at: now, entry });
      continue;
    }
    const at = entryTime(after, now);
    after.lastEntryAt = at;
    events.push({ id, at, entry });
    const author = entry.author ?? authorOf(ctx);
    placed.push({
      id,
      conversation_id: record.id,
      type: entry.type,
      author_type: author.type,
      author_id: author.id,
      author_name: author.name,
      author_email: author.email,
      data: entry.data ?? {},
      at,
    });
  }
  const changed = columnNames.filter((field) => after[field] !== record[field]);
  return { before: record, after, changed, events, placed };
}

const columnNames = Object.keys(columnTypes) as Column[];

function updateOf(ctx: WorkContext, fields: readonly Column[], rows: object[], now: Date): Prisma.Sql {
  const sets = fields.map((field) => `${snakeCase(field)} = given.${snakeCase(field)}, `).join('');
  const types = fields.map((field) => `, ${snakeCase(field)} ${columnTypes[field]}`).join('');
  return Prisma.sql`
    UPDATE conversations SET ${Prisma.raw(sets)} version = version + 1, updated_at = ${now}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given (id text ${Prisma.raw(types)})
    WHERE conversations.company_id = ${ctx.companyId} AND conversations.id = given.id`;
}

function emit(ctx: WorkContext, { before, after, events }: Written, now: Date): void {
  if (events.length === 0) return;
  const object = presentConversation(after, now);
  const previous = changedFields(presentConversation(before, now), object);
  delete previous.version;
  delete previous.allowed_actions;
  for (const { id, at, entry } of events) {
    const details = entry.details ?? entry.data;
    ctx.emit({
      id,
      at,
      type: entry.type,
      object,
      ...(Object.keys(previous).length === 0 ? {} : { previous }),
      ...(details === undefined ? {} : { details }),
      conversationId: after.id,
      contactId: after.contactId,
      ...(entry.cause === undefined ? {} : { cause: entry.cause }),
    });
  }
}
