import { Prisma } from '../../prisma/generated/client/client.ts';
import type { DraftMode } from '../../schema/drafts.ts';
import { actingUser } from '../conversations/action.ts';
import { type MediaFields, mediaListOf } from '../media/columns.ts';
import type { Context } from '../platform/context.ts';

/** The parts of a draft beside its text. */
export interface DraftData {
  mediaIds: string[];
  replyToId: string | null;
  mentions: string[];
}

export const noData: DraftData = { mediaIds: [], replyToId: null, mentions: [] };

/** A draft with its files. A row without content is one that was sent or deleted: it keeps the version going. */
export interface DraftRecord {
  conversationId: string;
  mode: DraftMode;
  text: string;
  data: Partial<DraftData>;
  media: MediaFields[];
  version: number;
  updatedAt: Date | null;
}

/** Conditions on the acting user's own drafts of this company. */
export function ownDrafts(ctx: Context): Prisma.Sql {
  return Prisma.sql`drafts.company_id = ${ctx.companyId} AND drafts.user_id = ${actingUser(ctx).id}`;
}

export const selectDrafts = Prisma.sql`
  SELECT conversation_id AS "conversationId", mode, text, data, version, updated_at AS "updatedAt",
    ${mediaListOf('drafts', `coalesce(drafts.data->'mediaIds', '[]')`)} AS media
  FROM drafts`;

/** The acting user's draft; without one, an empty one of version 0. */
export async function findDraft(ctx: Context, conversationId: string, mode: DraftMode): Promise<DraftRecord> {
  const [row] = await ctx.db.$queryRaw<DraftRecord[]>`
    ${selectDrafts} WHERE ${ownDrafts(ctx)} AND conversation_id = ${conversationId} AND mode = ${mode}`;
  return row ?? { conversationId, mode, text: '', data: noData, media: [], version: 0, updatedAt: null };
}
