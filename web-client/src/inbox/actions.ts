import { t } from '@lingui/core/macro';
import type { Conversation, ConversationAction } from '../../../schema/conversations.ts';
import { send } from '../app/send.ts';
import { refused, told } from '../app/toast.ts';
import { trpc } from '../app/trpc.ts';
import { undoable } from '../keyboard/undo.tsx';
import { acceptConversation, changeRows } from '../realtime/list-cache.ts';
import { contactName } from '../conversation/words.ts';

const { conversations } = trpc;

/** Something done to one conversation: shown at once, taken back when it is refused. */
export interface Action {
  /** As the server names it in `allowed_actions`. */
  word: ConversationAction;
  /** What was done, of whom. */
  done(name: string): string;
  /** How the row looks meanwhile. */
  change(row: Conversation): Partial<Conversation>;
  send(id: string): Promise<{ data: Conversation }>;
  /** What takes it back, given how the row was. */
  back(before: Conversation): Action | null;
}

type Plain =
  | 'close'
  | 'reopen'
  | 'read'
  | 'unread'
  | 'unmute'
  | 'archive'
  | 'unarchive'
  | 'pin'
  | 'unpin'
  | 'follow'
  | 'unfollow'
  | 'unassign';

const senders: Record<Plain, (id: string) => Promise<{ data: Conversation }>> = {
  close: (id) => send(conversations.close.mutationOptions(), { conversation: id }),
  reopen: (id) => send(conversations.reopen.mutationOptions(), { conversation: id }),
  read: (id) => send(conversations.read.mutationOptions(), { conversation: id }),
  unread: (id) => send(conversations.unread.mutationOptions(), { conversation: id }),
  unmute: (id) => send(conversations.unmute.mutationOptions(), { conversation: id }),
  archive: (id) => send(conversations.archive.mutationOptions(), { conversation: id }),
  unarchive: (id) => send(conversations.unarchive.mutationOptions(), { conversation: id }),
  pin: (id) => send(conversations.pin.mutationOptions(), { conversation: id }),
  unpin: (id) => send(conversations.unpin.mutationOptions(), { conversation: id }),
  follow: (id) => send(conversations.follow.mutationOptions(), { conversation: id }),
  unfollow: (id) => send(conversations.unfollow.mutationOptions(), { conversation: id }),
  unassign: (id) => send(conversations.unassign.mutationOptions(), { conversation: id }),
};

function plain(
  word: Plain,
  inverse: () => Action,
  done: (name: string) => string,
  change: (row: Conversation) => Partial<Conversation>,
): Action {
  return { word, done, change, send: senders[word], back: inverse };
}

export const close: Action = plain(
  'close',
  () => reopen,
  (name) => t`Closed: ${name}.`,
  () => ({ status: 'closed' }),
);
export const reopen: Action = plain(
  'reopen',
  () => close,
  (name) => t`Open again: ${name}.`,
  () => ({ status: 'open' }),
);
export const read: Action = plain(
  'read',
  () => unread,
  (name) => t`Read: ${name}.`,
  () => ({ read: true, unread_count: 0 }),
);
export const unread: Action = plain(
  'unread',
  () => read,
  (name) => t`Unread: ${name}.`,
  (row) => ({
    read: false,
    unread_count: Math.max(1, row.unread_count),
  }),
);
export const archive: Action = plain(
  'archive',
  () => unarchive,
  (name) => t`Archived: ${name}.`,
  () => ({ archived: true }),
);
export const unarchive: Action = plain(
  'unarchive',
  () => archive,
  (name) => t`Out of the archive: ${name}.`,
  () => ({ archived: false }),
);
export const pin: Action = plain(
  'pin',
  () => unpin,
  (name) => t`Pinned: ${name}.`,
  () => ({ pinned: true }),
);
export const unpin: Action = plain(
  'unpin',
  () => pin,
  (name) => t`No longer pinned: ${name}.`,
  () => ({ pinned: false }),
);
export const follow: Action = plain(
  'follow',
  () => unfollow,
  (name) => t`You follow ${name}.`,
  () => ({ followed: true }),
);
export const unfollow: Action = plain(
  'unfollow',
  () => follow,
  (name) => t`You no longer follow ${name}.`,
  () => ({ followed: false }),
);

export const unassign: Action = {
  word: 'unassign',
  done: (name) => `Nobody’s: ${name}.`,
  change: () => ({ assignee: null }),
  send: senders.unassign,
  back: ({ assignee }) => assignee && assign(assignee),
};

/** @param agent whose it becomes */
export function assign(agent: { name: string; email: string }): Action {
  return {
    word: 'assign',
    done: (name) => t`Assigned to ${agent.name}: ${name}.`,
    change: () => ({ assignee: { name: agent.name, email: agent.email } }),
    send: (id) => send(conversations.assign.mutationOptions(), { conversation: id, assignee: agent.email }),
    back: ({ assignee }) => (assignee === null ? unassign : assign(assignee)),
  };
}

/** Assigns to oneself what one saw with `holder`: whoever is faster has it, and the other is told who that is. */
export function take(me: { name: string; email: string }, holder: Conversation['assignee']): Action {
  return {
    ...assign(me),
    send: (id) =>
      send(conversations.take.mutationOptions(), { conversation: id, from: holder?.email ?? null }),
  };
}

/** Hands it over, with a note that only the team sees. Whoever had it follows it, so nothing takes it back. */
export function transfer(to: { assignee: string } | { team: string }, name: string, note: string): Action {
  return {
    word: 'transfer',
    done: (contact) => t`Transferred to ${name}: ${contact}.`,
    change: () => ({}),
    send: (id) =>
      send(conversations.transfer.mutationOptions(), {
        conversation: id,
        ...to,
        ...(note === '' ? {} : { note }),
      }),
    back: () => null,
  };
}

/** @param until null is without end */
export function mute(until: string | null): Action {
  return {
    word: 'mute',
    done: (name) => t`Muted: ${name}.`,
    change: () => ({ muted: true, muted_until: until }),
    send: (id) => send(conversations.mute.mutationOptions(), { conversation: id, until }),
    back: ({ muted, muted_until }) => (muted ? mute(muted_until) : unmute),
  };
}

export const unmute: Action = {
  word: 'unmute',
  done: (name) => t`No longer muted: ${name}.`,
  change: () => ({ muted: false, muted_until: null }),
  send: senders.unmute,
  back: ({ muted_until }) => mute(muted_until),
};

type TagRef = Conversation['tags'][number];

export function addTag(tag: TagRef): Action {
  return {
    word: 'tags',
    done: (name) => t`Tagged ${tag.name}: ${name}.`,
    change: ({ tags }) => ({ tags: [...tags.filter(({ id }) => id !== tag.id), tag] }),
    send: (id) => send(conversations.attachTag.mutationOptions(), { conversation: id, tag: tag.id }),
    back: () => removeTag(tag),
  };
}

export function removeTag(tag: TagRef): Action {
  return {
    word: 'tags',
    done: (name) => t`No longer tagged ${tag.name}: ${name}.`,
    change: ({ tags }) => ({ tags: tags.filter(({ id }) => id !== tag.id) }),
    send: (id) => send(conversations.detachTag.mutationOptions(), { conversation: id, tag: tag.id }),
    back: () => addTag(tag),
  };
}

/** Does it, offers to take it back, and says what is refused. */
export function act(action: Action, row: Conversation): void {
  const offerBack = () => {
    const back = action.back(row);
    const message = action.done(contactName(row.contact));
    if (back) undoable(message, () => perform(back, { ...row, ...action.change(row) }));
    else told(message);
  };
  perform(action, row).then(offerBack, refused);
}

async function perform(action: Action, row: Conversation): Promise<void> {
  const changed = action.change(row);
  let before: Conversation | undefined;
  changeRows(row.id, (now) => {
    before ??= now;
    return { ...now, ...changed };
  });
  try {
    const { data } = await action.send(row.id);
    acceptConversation(data);
  } catch (error) {
    // Unless somebody else has changed it meanwhile: then it is as they left it.
    changeRows(row.id, (now) => (now.version === before?.version ? before : now));
    throw error;
  }
}
