import { DraftBody, DraftList } from '../../schema/drafts.ts';
import { MessageBody } from '../../schema/messages.ts';
import { NoteBody } from '../../schema/timeline.ts';
import { presentMessage } from '../messages/present.ts';
import type { Context } from '../platform/context.ts';
import { procedure, router } from '../platform/trpc.ts';
import { presentDraft } from './present.ts';
import type { DraftRecord } from './record.ts';
import { addDraftNote, deleteDraft, getDraft, listDrafts, saveDraft, sendDraft } from './service.ts';

const one = {
  output: DraftBody,
  present: (record: DraftRecord, { app }: Context) => ({ data: presentDraft(record, app) }),
};

/** Drafts belong to whoever is signed in; the public API has none. */
export const draftsRouter = router({
  get: procedure(getDraft, one),
  list: procedure(listDrafts, {
    output: DraftList,
    present: (records, { app }) => ({ data: records.map((record) => presentDraft(record, app)) }),
  }),
  save: procedure(saveDraft, one),
  delete: procedure(deleteDraft, one),
  send: procedure(sendDraft, {
    output: MessageBody,
    present: (message, { app }) => ({ data: presentMessage(message, app) }),
  }),
  addNote: procedure(addDraftNote, { output: NoteBody, present: (note) => ({ data: note }) }),
});
