import type { ConversationRow } from '../../schema/views.ts';
import { snippetOf } from '../conversations/present-timeline.ts';
import type { ConversationRecord } from '../conversations/record.ts';
import type { Context } from '../platform/context.ts';

/** The newest note of a conversation, as a list shows it. */
export type RowNote = NonNullable<ConversationRow['note']>;

interface Row {
  id: string;
  text: string;
  author: string | null;
  at: Date;
}

/** The newest note of each of these conversations where no message is newer. One statement. */
export async function newestNotes(
  ctx: Context,
  records: readonly Pick<ConversationRecord, 'id'>[],
): Promise<Map<string, RowNote>> {
  if (records.length === 0) return new Map();
  const rows = await ctx.db.$queryRaw<Row[]>`
    SELECT conversations.id, newest.text, newest.author_name AS author, newest.at
    FROM conversations
    JOIN LATERAL (SELECT text, author_name, at FROM notes
      WHERE notes.company_id = conversations.company_id AND notes.conversation_id = conversations.id
      ORDER BY at DESC LIMIT 1) AS newest ON newest.at > conversations.last_message_at
    WHERE conversations.company_id = ${ctx.companyId} AND conversations.id = ANY(${records.map(({ id }) => id)})`;
  return new Map(
    rows.map(({ id, text, author, at }) => [
      id,
      { snippet: snippetOf(text, 160), author, at: at.toISOString() },
    ]),
  );
}
