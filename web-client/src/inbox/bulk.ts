import type { BulkAction, Conversation, ConversationBulkResult } from '../../../schema/conversations.ts';
import { send } from '../app/send.ts';
import { trpc } from '../app/trpc.ts';

/** The most that one call takes. */
const batchLength = 200;

export interface BulkInput {
  action: BulkAction;
  assignee?: string;
  tag?: string;
  until?: string | null;
}

export interface BulkOutcome extends Pick<ConversationBulkResult, 'affected' | 'unknown'> {
  /** How many were sent before it ended or was stopped. */
  sent: number;
}

/** Acts on any number of conversations, 200 at a time, until all are done or somebody stops it. */
export async function runBulk(
  ids: readonly string[],
  input: BulkInput,
  signal: AbortSignal,
  progress: (sent: number) => void,
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { affected: 0, unknown: [], sent: 0 };
  while (outcome.sent < ids.length && !signal.aborted) {
    const batch = ids.slice(outcome.sent, outcome.sent + batchLength);
    const { data } = await send(trpc.conversations.bulk.mutationOptions(), {
      ...input,
      conversation_ids: batch,
    });
    outcome.affected += data.affected;
    outcome.unknown = [...outcome.unknown, ...data.unknown];
    outcome.sent += batch.length;
    progress(outcome.sent);
  }
  return outcome;
}

/** What takes a bulk action back, and of which rows: those that it changes. Null where that can't be said. */
export function bulkUndo(
  input: BulkInput,
  rows: readonly Conversation[],
): { input: BulkInput; ids: string[] } | null {
  const { action, tag } = input;
  const tagged = ({ tags }: Conversation) => tags.some(({ id }) => id === tag);
  const of = (back: BulkInput, changes: (row: Conversation) => boolean) => ({
    input: back,
    ids: rows.filter(changes).map(({ id }) => id),
  });
  switch (action) {
    case 'close':
      return of({ action: 'open' }, ({ status }) => status === 'open');
    case 'open':
      return of({ action: 'close' }, ({ status }) => status === 'closed');
    case 'read':
      return of({ action: 'unread' }, ({ read }) => !read);
    case 'unread':
      return of({ action: 'read' }, ({ read }) => read);
    case 'mute':
      return of({ action: 'unmute' }, ({ muted }) => !muted);
    case 'tag':
      return of({ ...input, action: 'untag' }, (row) => !tagged(row));
    case 'untag':
      return of({ ...input, action: 'tag' }, tagged);
    case 'assign':
    case 'unassign':
    case 'unmute':
      // They had different owners and ends.
      return null;
  }
}
