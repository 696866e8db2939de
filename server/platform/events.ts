import { Prisma } from '../../prisma/generated/client/client.ts';
import type { Event, EventObject, EventType } from '../../schema/events.ts';
import type { Context } from './context.ts';
import type { Db } from './database.ts';
import { newId } from './ids.ts';

/** What a service says happened. The platform adds id, time, actor, company and sequence. */
export type EventDraft<T extends EventType = EventType> = {
  [K in T]: {
    type: K;
    /** Id of the event, when another row carries it too; a new one unless given. */
    id?: string;
    /** When it happened; now unless given. */
    at?: Date;
    /** The record as the API returns it after the change, or `{id, deleted: true}`. */
    object: EventObject<K>;
    /** Only the fields that changed, with their values before. */
    previous?: Record<string, unknown>;
    details?: Record<string, unknown>;
    conversationId?: string;
    contactId?: string;
    /** Shared by events that one act caused. */
    cause?: string;
    /** For an event that no live activity caused. */
    livemode?: false;
  };
}[T];

/** Where committed events are announced, with the company's id. */
export const eventsChannel = 'parlour_events';

type StoredBody = Omit<Event, 'sequence'>;

/** What is written beside the events, in the same statement. */
export interface Beside {
  /** Statements that write: INSERT, UPDATE or DELETE. None sees what another one has done. */
  writes: readonly Prisma.Sql[];
  /** What is announced by the commit itself. */
  notices: readonly Notice[];
}

export interface Notice {
  channel: string;
  text: string;
}

/** What is to be appended to the log, as one statement. */
export interface Appending {
  statement: Prisma.Sql;
  bodies: readonly StoredBody[];
}

/**
 * Makes the statement that appends events to the log, inside the transaction of the change they tell of, together with what
 * else is to be written at that moment; null when there is nothing. Readers are to be woken when it is committed.
 * @param already events that this transaction has appended before; it has room for 4,096
 */
export function appendingOf(
  ctx: Context,
  drafts: readonly EventDraft[],
  already: number,
  { writes, notices }: Beside,
): Appending | null {
  if (drafts.length + writes.length + notices.length === 0) return null;
  const at = ctx.now();
  const bodies = drafts.map((draft) => bodyOf(ctx, draft, at));
  const parts = writes.map(
    (statement, index) => Prisma.sql`${Prisma.raw(`part_${index}`)} AS (${statement})`,
  );
  if (drafts.length === 0) {
    const before = parts.length === 0 ? Prisma.empty : Prisma.sql`WITH ${Prisma.join(parts)} `;
    const after = notices.length === 0 ? Prisma.empty : told(notices);
    return { statement: Prisma.sql`${before}SELECT ${after}`, bodies };
  }
  parts.push(Prisma.sql`stored AS (${insertOf(ctx, drafts, bodies, already, at)})`);
  const statement = Prisma.sql`
    WITH ${Prisma.join(parts)}
    SELECT sequence${notices.length === 0 ? Prisma.empty : Prisma.sql`, ${told(notices)}`}
    FROM stored ORDER BY sequence`;
  return { statement, bodies };
}

/** Appends them now. @returns the events as they leave the house */
export async function append(db: Db, { statement, bodies }: Appending): Promise<Event[]> {
  const stored = await db.$queryRaw<{ sequence: bigint }[]>(statement);
  return bodies.map((body, index) => withSequence(body, stored[index]?.sequence ?? 0n));
}

function told(notices: readonly Notice[]): Prisma.Sql {
  return Prisma.sql`(SELECT count(pg_notify(channel, text)) FROM unnest(
    ${notices.map(({ channel }) => channel)}::text[], ${notices.map(({ text }) => text)}::text[]) AS given (channel, text))`;
}

/** One text for any number of events, so it is planned once. */
function insertOf(
  ctx: Context,
  drafts: readonly EventDraft[],
  bodies: readonly StoredBody[],
  already: number,
  at: Date,
): Prisma.Sql {
  const rows = drafts.map((draft, index) => ({
    id: bodies[index]?.id,
    type: draft.type,
    family: familyOf(draft.type),
    conversation_id: draft.conversationId ?? null,
    contact_id: draft.contactId ?? null,
    payload: bodies[index],
  }));
  return Prisma.sql`
    INSERT INTO events (
      company_id, id, sequence, type, family, conversation_id, contact_id, actor, cause, payload, livemode, created_at
    )
    SELECT ${ctx.companyId}, id, event_sequence_base() + ${already}::int + ordinal - 1, type, family, conversation_id, contact_id,
      payload->'actor', payload->>'cause', payload, (payload->>'livemode')::boolean, ${at}
    FROM ROWS FROM (
      json_to_recordset(${JSON.stringify(rows)}::json)
      AS (id text, type text, family text, conversation_id text, contact_id text, payload jsonb)
    ) WITH ORDINALITY
      AS given (id, type, family, conversation_id, contact_id, payload, ordinal)
    RETURNING sequence`;
}

/** The body that leaves the house. Built from the stored row alone, so every delivery has the same bytes. */
export function withSequence(body: StoredBody, sequence: bigint): Event {
  const { id, type, api_version, created_at, livemode, company, actor, cause, data } = body;
  return {
    id,
    type,
    api_version,
    created_at,
    livemode,
    company,
    sequence: Number(sequence),
    actor,
    cause,
    data,
  };
}

function bodyOf(ctx: Context, draft: EventDraft, at: Date): StoredBody {
  const { principal } = ctx;
  return {
    id: draft.id ?? newId(),
    type: draft.type,
    api_version: 'v1',
    created_at: (draft.at ?? at).toISOString(),
    livemode: draft.livemode ?? principal.livemode,
    company: principal.account.id,
    actor: actorIn(ctx),
    cause: draft.cause ?? null,
    data: {
      object: draft.object,
      ...(draft.previous ? { previous: draft.previous } : {}),
      ...(draft.details ? { details: draft.details } : {}),
    },
  };
}

/** A visitor is the contact who writes; their key to us is nobody's business. */
function actorIn({ principal, requestId }: Context): Event['actor'] {
  const { kind, id, name } = principal;
  if (kind === 'visitor') return { type: 'contact', id: null, name, request_id: requestId };
  return { type: kind, id, name, request_id: requestId };
}

function familyOf(type: EventType): string {
  return type.slice(0, type.indexOf('.'));
}

/** The fields of `after` that differ from `before`, with their old values: `data.previous` of an event. */
export function changedFields<T extends Record<string, unknown>>(before: T, after: T): Partial<T> {
  const changed: Partial<T> = {};
  for (const name of Object.keys(after) as (keyof T)[]) {
    if (name !== 'updated_at' && JSON.stringify(before[name]) !== JSON.stringify(after[name])) {
      changed[name] = before[name];
    }
  }
  return changed;
}
