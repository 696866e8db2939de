import type { TransientType } from '../../schema/realtime.ts';
import type { Context } from './context.ts';
import { newId } from './ids.ts';

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

/** Tells open connections on every process, when the transaction of `ctx.db` commits. One statement. */
export async function announce(
  ctx: Pick<Context, 'companyId' | 'db' | 'now'>,
  ...drafts: Draft[]
): Promise<void> {
  if (drafts.length === 0) return;
  const texts = drafts.map((draft) => {
    const text = JSON.stringify(announcementOf(ctx.companyId, ctx.now(), draft));
    if (Buffer.byteLength(text) > maximum) throw new Error(`An announcement of ${draft.type} is too long.`);
    return text;
  });
  await ctx.db
    .$executeRaw`SELECT pg_notify(${announceChannel}, text) FROM unnest(${texts}::text[]) AS given (text)`;
}

export function announcementOf(company: string, at: Date, draft: Draft): Announcement {
  return { id: newId(), company, conversation: null, user: null, at: at.toISOString(), ...draft };
}
