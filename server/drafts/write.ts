import type { DraftMode } from '../../schema/drafts.ts';
import { actingUser } from '../conversations/action.ts';
import { releaseMedia } from '../media/hold.ts';
import { announce } from '../platform/announce.ts';
import { conflict } from '../platform/errors.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { type DraftData, noData, ownDrafts } from './record.ts';

/** Whose draft: of the acting user, in one thread, of one kind. */
export interface Place {
  conversationId: string;
  mode: DraftMode;
}

interface Locked {
  text: string;
  data: Partial<DraftData>;
  version: number;
}

/** The row as it is, taken for this transaction; null when nothing was ever saved. */
export async function lockDraft(ctx: WorkContext, { conversationId, mode }: Place): Promise<Locked | null> {
  const [row] = await ctx.db.$queryRaw<Locked[]>`
    SELECT text, data, version FROM drafts
    WHERE ${ownDrafts(ctx)} AND conversation_id = ${conversationId} AND mode = ${mode} FOR UPDATE`;
  return row ?? null;
}

/**
 * Puts new content in place of the locked one, one version on, lets go of files it no longer has, and tells the
 * user's other connections. @throws AppError `conflict` when somebody else wrote the first version meanwhile
 */
export async function writeDraft(
  ctx: WorkContext,
  place: Place,
  before: Locked | null,
  { text, data }: Pick<Locked, 'text'> & { data: DraftData },
): Promise<void> {
  const { conversationId, mode } = place;
  const user = actingUser(ctx).id;
  const old = before?.version ?? 0;
  const written = await ctx.db.$executeRaw`
    INSERT INTO drafts (company_id, user_id, conversation_id, mode, text, data, version, updated_at)
    VALUES (${ctx.companyId}, ${user}, ${conversationId}, ${mode}, ${text}, ${JSON.stringify(data)}::jsonb,
      ${old + 1}, ${ctx.now()})
    ON CONFLICT (company_id, user_id, conversation_id, mode) DO UPDATE
      SET text = excluded.text, data = excluded.data, version = excluded.version, updated_at = excluded.updated_at
      WHERE drafts.version = ${old}`;
  if (written === 0) throw staleDraft();
  const dropped = (before?.data.mediaIds ?? []).filter((id) => !data.mediaIds.includes(id));
  await releaseMedia(ctx, dropped);
  announce(ctx, {
    type: 'draft.updated',
    user,
    conversation: conversationId,
    object: { conversation: conversationId, mode, version: old + 1 },
  });
}

/** Empties the draft unless a newer one than `version` was saved; then that one stays. */
export async function clearDraft(ctx: WorkContext, place: Place, version: number): Promise<void> {
  const before = await lockDraft(ctx, place);
  const current = before ?? { text: '', data: noData, version };
  if (current.version <= version) await writeDraft(ctx, place, before ?? current, { text: '', data: noData });
}

export function staleDraft() {
  return conflict('The draft was saved, sent or deleted elsewhere meanwhile.');
}
