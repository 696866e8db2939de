import { Deleted, single } from '../../schema/common.ts';
import { QuickReplyBody, QuickReplyPage, QuickReplyPreviewBody } from '../../schema/quick-replies.ts';
import { presentMediaRef } from '../media/present.ts';
import { presentPage } from '../platform/present.ts';
import { procedure, router } from '../platform/trpc.ts';
import { presentQuickReply, type QuickReplyRecord } from './present.ts';
import { showPreview } from './preview.ts';
import { createQuickReply, deleteQuickReply, listQuickReplies, updateQuickReply } from './service.ts';

const tag = 'Quick replies';

export const quickRepliesRouter = router({
  list: procedure(listQuickReplies, {
    output: QuickReplyPage,
    present: presentPage((row: QuickReplyRecord, { app }) => presentQuickReply(row, app)),
    rest: {
      method: 'GET',
      path: '/quick-replies',
      tag,
      summary: 'List quick replies',
      description: 'In order of shortcuts.',
    },
  }),
  create: procedure(createQuickReply, {
    output: QuickReplyBody,
    present: (row, { app }) => ({ data: presentQuickReply(row, app) }),
    rest: {
      method: 'POST',
      path: '/quick-replies',
      tag,
      summary: 'Create a quick reply',
      description:
        'Variables such as `{{contact.first_name|there}}` are filled in when it is used; an unknown one is 422.',
      status: 201,
    },
  }),
  preview: procedure(showPreview, {
    output: QuickReplyPreviewBody,
    present: ({ text, media }, { app }) => ({ data: { text, media: media && presentMediaRef(media, app) } }),
  }),
  update: procedure(updateQuickReply, {
    output: QuickReplyBody,
    present: (row, { app }) => ({ data: presentQuickReply(row, app) }),
  }),
  delete: procedure(deleteQuickReply, {
    output: single(Deleted),
    present: ({ id }) => ({ data: { id, deleted: true } }),
  }),
});
