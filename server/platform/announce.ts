import type { TransientType } from '../../schema/realtime.ts';
import type { Pool } from 'pg';
import { newId } from './ids.ts';
import type { WorkContext } from './unit-of-work.ts';

/** Where what is only worth telling now is announced. It is not part of the log. */
export const announceChannel = 'parlour_realtime';

/** What processes tell each other about their sockets and their visitors; never sent to a client. */
type BetweenProcesses = 'socket.granted' | 'socket.members' | 'socket.client_event' | 'visitor.wrote';

/** Something told to open connections and then forgotten. */
export interface Announcement {
  id: string;
  type: TransientType | BetweenProcesses;
  company: string;
  /** Who is told: those in this conversation, or this user; else the company. */
  conversation: string | null;
  user: string | null;
  at: string;
  /** Ids and small values: all of it must fit in 7,500 bytes. */
  object: Record<string, unknown>;
}

type Draft = Pick<Announcement, 'type' | 'object'> & Partial<Pick<Announcement, 'conversation' | 'user'>>;

/** Longest NOTIFY that PostgreSQL takes is 8,000 bytes. */
const maximum = 7_500;

/** Tells open connections on every process, once the unit of work is committed. */
export function announce(ctx: Pick<WorkContext, 'companyId' | 'now' | 'tell'>, ...drafts: Draft[]): void {
  ctx.tell(
    ...drafts.map((draft) => ({ channel: announceChannel, text: textOf(ctx.companyId, ctx.now(), draft) })),
  );
}

/** The same outside of a unit of work, at once. */
export async function announceAt(pool: Pool, company: string, at: Date, draft: Draft): Promise<void> {
  await pool.query('SELECT pg_notify($1, $2)', [announceChannel, textOf(company, at, draft)]);
}

function textOf(company: string, at: Date, draft: Draft): string {
  const text = JSON.stringify(announcementOf(company, at, draft));
  if (Buffer.byteLength(text) > maximum) throw new Error(`An announcement of ${draft.type} is too long.`);
  return text;
}

export function announcementOf(company: string, at: Date, draft: Draft): Announcement {
  return { id: newId(), company, conversation: null, user: null, at: at.toISOString(), ...draft };
}
