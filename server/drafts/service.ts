import { z } from 'zod';
import {
  DraftDelete,
  draftMediaDays,
  DraftNote,
  DraftPath,
  DraftSave,
  DraftSend,
} from '../../schema/drafts.ts';
import { conversationPath } from '../conversations/action.ts';
import { addNote } from '../conversations/notes.ts';
import { conversationExists, conversationTargets } from '../conversations/record.ts';
import { holdMedia } from '../media/hold.ts';
import { sendMessage } from '../messages/send.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { mutation, query } from '../platform/operation.ts';
import { type DraftRecord, findDraft, ownDrafts, selectDrafts } from './record.ts';
import { clearDraft, lockDraft, staleDraft, writeDraft } from './write.ts';

const own = { access: 'inbox.access', dashboardOnly: true } as const;
const ofThread = { ...own, targets: conversationTargets };

/** At most so many drafts are listed. */
const listMaximum = 200;

/** The acting user's draft in a thread; one that was never saved is empty and has version 0. */
export const getDraft = query({ ...ofThread, input: DraftPath }, async (ctx, { conversation, mode }) => {
  await requireThread(ctx, conversation);
  return findDraft(ctx, conversation, mode);
});

/** The acting user's drafts that have content, the last saved first; at most 200. */
export const listDrafts = query(
  { ...own, input: z.object({}) },
  (ctx) => ctx.db.$queryRaw<DraftRecord[]>`
    ${selectDrafts}
    WHERE ${ownDrafts(ctx)} AND (text <> '' OR jsonb_array_length(coalesce(data->'mediaIds', '[]')) > 0)
    ORDER BY updated_at DESC, conversation_id, mode LIMIT ${listMaximum}`,
);

/**
 * Replaces a draft that is still at `version`; its files are kept with it. The same content once more is no change,
 * so a save whose answer was lost may be repeated.
 */
export const saveDraft = mutation(
  { ...ofThread, unaudited: true, input: DraftSave.extend(conversationPath) },
  async (ctx, { conversation, mode, version, text, media_urls, reply_to, mentions }) => {
    await requireThread(ctx, conversation);
    const place = { conversationId: conversation, mode };
    const before = await lockDraft(ctx, place);
    const mediaIds = await holdMedia(ctx, media_urls ?? [], { days: draftMediaDays, param: 'media_urls' });
    const data = { mediaIds, replyToId: reply_to ?? null, mentions: mentions ?? [] };
    const same = before && before.text === text && contentOf(before.data) === contentOf(data);
    if (!same) {
      if ((before?.version ?? 0) !== version) throw staleDraft();
      await writeDraft(ctx, place, before, { text, data });
    }
    return findDraft(ctx, conversation, mode);
  },
);

/** Empties a draft, unless it was saved anew since `version`. */
export const deleteDraft = mutation(
  { ...ofThread, unaudited: true, input: DraftDelete.extend(conversationPath) },
  async (ctx, { conversation, mode, version }) => {
    await requireThread(ctx, conversation);
    await clearDraft(ctx, { conversationId: conversation, mode }, version);
    return findDraft(ctx, conversation, mode);
  },
);

/** Sends a message as `POST /messages` does and, in the same transaction, empties the draft it was made of. */
export const sendDraft = mutation({ ...own, input: DraftSend }, async (ctx, { draft, ...message }) => {
  const sent = await sendMessage.run(ctx, message);
  await clearDraft(ctx, { conversationId: sent.conversationId, mode: 'reply' }, draft);
  return sent;
});

/** Adds a private note and, in the same transaction, empties the draft it was made of. */
export const addDraftNote = mutation(
  { ...ofThread, input: DraftNote.extend(conversationPath) },
  async (ctx, { draft, ...note }) => {
    const added = await addNote.run(ctx, note);
    await clearDraft(ctx, { conversationId: note.conversation, mode: 'note' }, draft);
    return added;
  },
);

async function requireThread(ctx: Context, id: string): Promise<void> {
  if (!(await conversationExists(ctx, id))) throw notFound();
}

function contentOf({ mediaIds = [], replyToId = null, mentions = [] }: DraftRecord['data']): string {
  return JSON.stringify([mediaIds, replyToId, mentions]);
}
