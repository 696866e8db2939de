import type { ConversationBulkResult } from '../../schema/conversations.ts';
import type { Mutation } from '../platform/operation.ts';
import { listField, mutationField, queryField } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
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
import { TimelineEntry, TimelinePage } from './graphql-timeline.ts';
import { Conversation, Presence } from './graphql-types.ts';
import { flushHeld } from './held.ts';
import { closeConversation, reopenConversation } from './lifecycle.ts';
import { type Inbox, listConversations } from './list.ts';
import { addNote } from './notes.ts';
import { followConversation, pinConversation, unfollowConversation, unpinConversation } from './personal.ts';
import { listEditing, showPresence, updatePresence } from './presence.ts';
import type { ConversationRecord } from './record.ts';
import { showConversation } from './service.ts';
import { takeConversation } from './take.ts';
import { attachTag, detachTag } from './tags.ts';
import { showTimeline } from './timeline.ts';
import { transferConversation } from './transfer.ts';

const ConversationPage = builder.objectRef<Inbox>('ConversationPage').implement({
  fields: (t) => ({
    items: t.field({
      type: [Conversation],
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ rows }) => rows,
    }),
    nextCursor: t.exposeString('nextCursor', {
      nullable: true,
      description: '`after` of the next page; null when there is none.',
    }),
    hasMore: t.exposeBoolean('hasMore'),
    totalUnread: t.exposeInt('totalUnread', {
      description: "The company's conversations with unread messages, whatever the filters.",
    }),
  }),
});

const BulkResult = builder.objectRef<ConversationBulkResult>('ConversationBulkResult').implement({
  fields: (t) => ({
    action: t.exposeString('action'),
    requested: t.exposeInt('requested', { description: 'Length of `conversationIds` as sent.' }),
    affected: t.exposeInt('affected', { description: 'Conversations really changed.' }),
    unknown: t.exposeStringList('unknown', { description: 'Ids that did not match, in the order sent.' }),
  }),
});

const FlushResult = builder.objectRef<{ flushed: boolean }>('FlushHeldResult').implement({
  fields: (t) => ({ flushed: t.exposeBoolean('flushed') }),
});

queryField('conversation', showConversation, { type: Conversation, description: 'One conversation.' });
queryField('conversations', listConversations, {
  type: ConversationPage,
  description: 'Conversations, newest activity first.',
});
queryField('timeline', showTimeline, {
  type: TimelinePage,
  description: "A conversation's messages, private notes and lifecycle events, newest first.",
});
queryField('presence', showPresence, { type: Presence, description: 'Who edits a conversation now.' });

listField('editing', listEditing, {
  type: Presence,
  description: 'Which conversations are being edited now, at most 200, in the dashboard only.',
});

/** An action answers with the conversation as it is afterwards, changed or not. */
function action<I extends Mutation['input']>(
  name: string,
  operation: Mutation<I, ConversationRecord>,
  description: string,
  input?: string,
): void {
  mutationField(name, operation, {
    type: Conversation,
    description,
    ...(input === undefined ? {} : { input }),
  });
}

action('assignConversation', assignConversation, 'Assigns to an agent.', 'ConversationAssignInput');
action(
  'takeConversation',
  takeConversation,
  'Assigns to the acting agent unless somebody else was faster, in the dashboard only.',
  'ConversationTakeInput',
);
action('unassignConversation', unassignConversation, 'Takes the assignee off.');
action(
  'transferConversation',
  transferConversation,
  'Transfers to an agent or a team: unread and open again, AI paused.',
  'ConversationTransferInput',
);
action('closeConversation', closeConversation, 'Closes; keeps the assignee.');
action('reopenConversation', reopenConversation, 'Reopens.');
action(
  'resumeAutoReply',
  resumeAutoReply,
  'Lets AI answer again where it was paused for a person, in the dashboard only.',
);
action('readConversation', readConversation, 'Marks as read.');
action('unreadConversation', unreadConversation, 'Marks as unread.');
action('muteConversation', muteConversation, 'Mutes for everyone.', 'ConversationMuteInput');
action('unmuteConversation', unmuteConversation, 'Unmutes.');
action('archiveConversation', archiveConversation, 'Archives.');
action('unarchiveConversation', unarchiveConversation, 'Takes out of the archive.');
action('pinConversation', pinConversation, 'Pins for the acting user, at most 50.');
action('unpinConversation', unpinConversation, 'Unpins.');
action('followConversation', followConversation, 'Lets the acting user follow.');
action('unfollowConversation', unfollowConversation, 'Lets the acting user no longer follow.');
action('attachConversationTag', attachTag, 'Attaches a tag.', 'ConversationTagInput');
action('detachConversationTag', detachTag, 'Detaches a tag.');
mutationField('addConversationNote', addNote, {
  type: TimelineEntry,
  input: 'ConversationNoteInput',
  description: 'Adds a private note. Agents it mentions are told and follow the conversation.',
});
mutationField('flushHeldReplies', flushHeld, {
  type: FlushResult,
  description: 'Sends the held replies now; repeated calls find nothing.',
});
mutationField('updatePresence', updatePresence, {
  type: Presence,
  input: 'PresenceInput',
  description: 'Claims the editing lock for 30 s, or releases it.',
});
mutationField('bulkConversations', bulkConversations, {
  type: BulkResult,
  input: 'ConversationBulkInput',
  description: 'One action on up to 200 conversations. Unknown ids never match and never fail the batch.',
});
