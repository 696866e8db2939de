import { ChannelTemplateList } from '../../schema/channels.ts';
import {
  ConversationBody,
  ConversationBulkBody,
  ConversationPage,
  FlushHeldBody,
  FollowerList,
  PresenceBody,
  PresenceList,
} from '../../schema/conversations.ts';
import { ConversationFiles, NoteBody, TimelineHits, TimelinePage } from '../../schema/timeline.ts';
import { presentMediaRef } from '../media/present.ts';
import type { Context } from '../platform/context.ts';
import type { Mutation } from '../platform/operation.ts';
import { procedure, router } from '../platform/trpc.ts';
import { assignConversation, unassignConversation } from './assignment.ts';
import { resumeAutoReply } from './auto-reply.ts';
import { bulkConversations } from './bulk.ts';
import {
  archiveConversation,
  muteConversation,
  readConversation,
  unarchiveConversation,
  unmuteConversation,
  unreadConversation,
} from './flags.ts';
import { listFiles, listFollowers, searchTimeline } from './find.ts';
import { flushHeld } from './held.ts';
import { closeConversation, reopenConversation } from './lifecycle.ts';
import { listConversations } from './list.ts';
import { addNote } from './notes.ts';
import { followConversation, pinConversation, unfollowConversation, unpinConversation } from './personal.ts';
import { presentConversation, presentPresence, presentShown } from './present.ts';
import { presentInbox } from './present-inbox.ts';
import { presentTimeline } from './present-timeline.ts';
import { listEditing, showPresence, updatePresence } from './presence.ts';
import type { ConversationRecord } from './record.ts';
import { showConversation } from './service.ts';
import { takeConversation } from './take.ts';
import { attachTag, detachTag } from './tags.ts';
import { conversationTemplates } from './templates.ts';
import { showTimeline } from './timeline.ts';
import { transferConversation } from './transfer.ts';

const tag = 'Conversations';
const path = '/conversations/{conversation}';

/** An action answers with the whole conversation. */
function action<I extends Mutation['input']>(
  operation: Mutation<I, ConversationRecord>,
  word: string,
  summary: string,
  description?: string,
) {
  return procedure(operation, {
    output: ConversationBody,
    present: (record, ctx: Context) => ({ data: presentConversation(record, ctx.now()) }),
    rest: {
      method: 'POST',
      path: `${path}/${word}`,
      tag,
      summary,
      ...(description === undefined ? {} : { description }),
    },
  });
}

export const conversationsRouter = router({
  list: procedure(listConversations, {
    output: ConversationPage,
    present: presentInbox,
    rest: {
      method: 'GET',
      path: '/conversations',
      tag,
      summary: 'List conversations',
      description: 'Newest activity first. Pinned ones stay where they are.',
    },
  }),
  bulk: procedure(bulkConversations, {
    output: ConversationBulkBody,
    present: (result) => ({ data: result }),
    rest: {
      method: 'POST',
      path: '/conversations/bulk',
      tag,
      summary: 'Act on up to 200 conversations',
      description: 'Unknown and foreign ids never match and never fail the batch.',
    },
  }),
  show: procedure(showConversation, {
    output: ConversationBody,
    present: (record, ctx) => ({ data: presentShown(record, ctx.now()) }),
    rest: {
      method: 'GET',
      path,
      tag,
      summary: 'Show a conversation',
      description: 'As in the list, with the number of its followers.',
    },
  }),
  timeline: procedure(showTimeline, {
    output: TimelinePage,
    present: (timeline, ctx) => presentTimeline(timeline, ctx.app),
    rest: {
      method: 'GET',
      path: `${path}/timeline`,
      tag,
      summary: 'Messages, private notes and lifecycle events, merged',
      description: 'Newest first. `at` is strictly increasing, so `before` skips and repeats nothing.',
    },
  }),
  search: procedure(searchTimeline, {
    output: TimelineHits,
    present: (hits) => ({ data: hits.map((hit) => ({ ...hit, at: hit.at.toISOString() })) }),
  }),
  files: procedure(listFiles, {
    output: ConversationFiles,
    present: (rows, { app }) => ({
      data: rows.map(({ message, at, media }) => ({
        message,
        at: at.toISOString(),
        media: presentMediaRef(media, app),
      })),
    }),
  }),
  followers: procedure(listFollowers, { output: FollowerList, present: (data) => ({ data }) }),
  templates: procedure(conversationTemplates, { output: ChannelTemplateList, present: (data) => ({ data }) }),
  flushHeld: procedure(flushHeld, {
    output: FlushHeldBody,
    present: (result) => ({ data: result }),
    rest: {
      method: 'POST',
      path: `${path}/flush-held`,
      tag,
      summary: 'Send the held replies now',
      description: 'Repeated calls find nothing and never send twice.',
    },
  }),
  assign: action(
    assignConversation,
    'assign',
    'Assign to an agent',
    'Ownership only: no note, nothing unread.',
  ),
  take: procedure(takeConversation, {
    output: ConversationBody,
    present: (record, ctx) => ({ data: presentConversation(record, ctx.now()) }),
  }),
  unassign: action(
    unassignConversation,
    'unassign',
    'Take the assignee off',
    'Without effect when nobody is assigned.',
  ),
  transfer: action(
    transferConversation,
    'transfer',
    'Transfer to an agent or a team',
    'Unread again and open again; AI replies are cancelled and paused.',
  ),
  close: action(
    closeConversation,
    'close',
    'Close',
    'Keeps the assignee; held replies of people are sent, those of AI are cancelled.',
  ),
  reopen: action(reopenConversation, 'reopen', 'Reopen', 'Without effect on an open conversation.'),
  resumeAutoReply: procedure(resumeAutoReply, {
    output: ConversationBody,
    present: (record, ctx) => ({ data: presentConversation(record, ctx.now()) }),
  }),
  read: action(readConversation, 'read', 'Mark as read', 'Sets the count of unread messages to 0.'),
  unread: action(
    unreadConversation,
    'unread',
    'Mark as unread',
    'Flags the conversation to be handled later.',
  ),
  mute: action(muteConversation, 'mute', 'Mute', 'For everyone; messages arrive and unread counts.'),
  unmute: action(
    unmuteConversation,
    'unmute',
    'Unmute',
    'Without effect on a conversation that is not muted.',
  ),
  archive: action(
    archiveConversation,
    'archive',
    'Archive',
    'Takes it out of the inbox; a new message of the customer brings it back.',
  ),
  unarchive: action(
    unarchiveConversation,
    'unarchive',
    'Take out of the archive',
    'Without effect on a conversation that is not archived.',
  ),
  pin: action(pinConversation, 'pin', 'Pin', 'For the acting user only, at most 50.'),
  unpin: action(unpinConversation, 'unpin', 'Unpin', 'Pins are of the acting user alone.'),
  follow: action(followConversation, 'follow', 'Follow', 'The acting user is told of everything in it.'),
  unfollow: action(
    unfollowConversation,
    'unfollow',
    'Unfollow',
    'The acting user is no longer told of what happens in it.',
  ),
  addNote: procedure(addNote, {
    output: NoteBody,
    present: (note) => ({ data: note }),
    rest: {
      method: 'POST',
      path: `${path}/notes`,
      tag,
      summary: 'Add a private note',
      description: 'Agents it mentions are told and follow the conversation.',
      status: 201,
    },
  }),
  attachTag: action(
    attachTag,
    'tags',
    'Attach a tag',
    'Without effect when it is attached already. An unknown tag is 422.',
  ),
  detachTag: procedure(detachTag, {
    output: ConversationBody,
    present: (record, ctx) => ({ data: presentConversation(record, ctx.now()) }),
    rest: {
      method: 'DELETE',
      path: `${path}/tags/{tag}`,
      tag,
      summary: 'Detach a tag',
      description: 'Without effect when it is not attached. An unknown tag is 404.',
    },
  }),
  presence: procedure(showPresence, {
    output: PresenceBody,
    present: (state, ctx) => ({ data: presentPresence(state, ctx) }),
    rest: {
      method: 'GET',
      path: `${path}/presence`,
      tag,
      summary: 'Show who is editing',
      description: 'The lock of whoever is writing a reply, if anybody is.',
    },
  }),
  editing: procedure(listEditing, {
    output: PresenceList,
    present: (states, ctx) => ({ data: states.map((state) => presentPresence(state, ctx)) }),
  }),
  updatePresence: procedure(updatePresence, {
    output: PresenceBody,
    present: (state, ctx) => ({ data: presentPresence(state, ctx) }),
    rest: {
      method: 'POST',
      path: `${path}/presence`,
      tag,
      summary: 'Claim or release the editing lock',
      description: 'A claim holds for 30 s; claim again every 10 s. The lock is advisory.',
    },
  }),
});
