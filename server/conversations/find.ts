import { fileMaximum, hitMaximum, TimelineSearch } from '../../schema/timeline.ts';
import { z } from 'zod';
import { type MediaFields, mediaOf } from '../media/columns.ts';
import { query } from '../platform/operation.ts';
import { conversationPath } from './action.ts';
import { conversationTargets, requireConversation } from './record.ts';
import { like } from './search.ts';

const inThread = { access: 'inbox.access', dashboardOnly: true, targets: conversationTargets } as const;

interface Hit {
  id: string;
  kind: 'message' | 'note';
  at: Date;
}

/** Messages and private notes of one conversation that have a text, newest first; at most 200. */
export const searchTimeline = query(
  { ...inThread, input: TimelineSearch.extend(conversationPath) },
  async (ctx, { conversation, q }): Promise<Hit[]> => {
    await requireConversation(ctx, conversation);
    const { companyId } = ctx;
    return ctx.db.$queryRaw<Hit[]>`
      SELECT id, 'message' AS kind, at FROM messages
      WHERE company_id = ${companyId} AND conversation_id = ${conversation} AND text ILIKE ${like(q)}
        AND status <> 'cancelled'
      UNION ALL
      SELECT id, 'note', at FROM notes
      WHERE company_id = ${companyId} AND conversation_id = ${conversation} AND text ILIKE ${like(q)}
      ORDER BY at DESC LIMIT ${hitMaximum}`;
  },
);

/** A file and the message that brought it. */
export interface FileRow {
  message: string;
  at: Date;
  media: MediaFields;
}

/** Files of one conversation, newest first; at most 60. */
export const listFiles = query(
  { ...inThread, input: z.object(conversationPath) },
  async (ctx, { conversation }): Promise<FileRow[]> => {
    await requireConversation(ctx, conversation);
    return ctx.db.$queryRaw<FileRow[]>`
      SELECT id AS message, at, ${mediaOf('messages')} AS media FROM messages
      WHERE company_id = ${ctx.companyId} AND conversation_id = ${conversation} AND media_id IS NOT NULL
        AND status <> 'cancelled'
      ORDER BY at DESC LIMIT ${fileMaximum}`;
  },
);

/** Who follows one conversation, by name. */
export const listFollowers = query(
  { ...inThread, input: z.object(conversationPath) },
  async (ctx, { conversation }) => {
    await requireConversation(ctx, conversation);
    return ctx.db.$queryRaw<{ name: string; email: string }[]>`
      SELECT users.display_name AS name, users.email FROM conversation_followers follower
      JOIN users ON users.company_id = follower.company_id AND users.id = follower.user_id
      WHERE follower.company_id = ${ctx.companyId} AND follower.conversation_id = ${conversation}
        AND users.deactivated_at IS NULL
      ORDER BY users.display_name, users.email`;
  },
);
