import { t } from '@lingui/core/macro';
import {
  Archive,
  ArchiveRestore,
  Bell,
  BellOff,
  CircleCheck,
  ExternalLink,
  Eye,
  EyeOff,
  Link2,
  type LucideIcon,
  MailCheck,
  MailOpen,
  MessageSquare,
  Pin,
  PinOff,
  RotateCcw,
  Send,
  Tag,
  UserCheck,
  UserPlus,
  UserX,
} from 'lucide-react';
import type { Conversation } from '../../../schema/conversations.ts';
import { told } from '../app/toast.ts';
import * as actions from './actions.ts';

/** What needs an answer first. */
export type Question = 'assign' | 'transfer' | 'tag' | 'mute';

export interface RowAction {
  id: string;
  title: string;
  keys?: string;
  icon: LucideIcon;
  run(): void;
}

interface Context {
  me: { name: string; email: string };
  ask(asked: { question: Question; row: Conversation }): void;
  open(id: string): void;
}

/** What can be done with a conversation now, in the order of menus; the server says what is allowed. */
export function rowActions(row: Conversation, context: Context): RowAction[] {
  const { me } = context;
  const ask = (question: Question) => context.ask({ question, row });
  const may = (word: actions.Action['word']) => row.allowed_actions.includes(word);
  const does = (action: actions.Action) => () => actions.act(action, row);
  const mine = row.assignee?.email === me.email;
  const all: (RowAction | false)[] = [
    { id: 'open', title: t`Open`, keys: 'Enter', icon: MessageSquare, run: () => context.open(row.id) },
    row.status === 'open' && {
      id: 'close',
      title: t`Close`,
      keys: 'E',
      icon: CircleCheck,
      run: does(actions.close),
    },
    row.status === 'closed' && {
      id: 'reopen',
      title: t`Reopen`,
      keys: 'O',
      icon: RotateCcw,
      run: does(actions.reopen),
    },
    row.read
      ? { id: 'unread', title: t`Mark as unread`, keys: 'U', icon: MailCheck, run: does(actions.unread) }
      : { id: 'read', title: t`Mark as read`, icon: MailOpen, run: does(actions.read) },
    !mine && {
      id: 'assign-me',
      title: t`Assign to me`,
      keys: 'I',
      icon: UserCheck,
      run: does(actions.take(me, row.assignee)),
    },
    may('assign') && {
      id: 'assign',
      title: t`Assign to…`,
      keys: 'A',
      icon: UserPlus,
      run: () => ask('assign'),
    },
    row.assignee !== null && {
      id: 'unassign',
      title: t`Take the assignee off`,
      icon: UserX,
      run: does(actions.unassign),
    },
    may('transfer') && {
      id: 'transfer',
      title: t`Transfer…`,
      keys: 'V',
      icon: Send,
      run: () => ask('transfer'),
    },
    may('tags') && { id: 'tag', title: t`Tag…`, keys: 'T', icon: Tag, run: () => ask('tag') },
    row.muted
      ? { id: 'unmute', title: t`Unmute`, keys: 'M', icon: Bell, run: does(actions.unmute) }
      : { id: 'mute', title: t`Mute…`, keys: 'M', icon: BellOff, run: () => ask('mute') },
    row.pinned
      ? { id: 'unpin', title: t`Unpin`, keys: 'P', icon: PinOff, run: does(actions.unpin) }
      : { id: 'pin', title: t`Pin`, keys: 'P', icon: Pin, run: does(actions.pin) },
    row.followed
      ? { id: 'unfollow', title: t`Unfollow`, keys: 'F', icon: EyeOff, run: does(actions.unfollow) }
      : { id: 'follow', title: t`Follow`, keys: 'F', icon: Eye, run: does(actions.follow) },
    row.archived
      ? {
          id: 'unarchive',
          title: t`Take out of the archive`,
          keys: 'Y',
          icon: ArchiveRestore,
          run: does(actions.unarchive),
        }
      : { id: 'archive', title: t`Archive`, keys: 'Y', icon: Archive, run: does(actions.archive) },
    { id: 'copy', title: t`Copy link`, icon: Link2, run: () => copyLink(row.id) },
    {
      id: 'tab',
      title: t`Open in a new tab`,
      icon: ExternalLink,
      run: () => void window.open(linkTo(row.id), '_blank', 'noopener'),
    },
  ];
  return all.filter((action) => action !== false);
}

/** The address that shows a conversation beside the list as it is now. */
export function linkTo(id: string): string {
  const url = new URL(location.href);
  url.searchParams.set('open', id);
  return url.href;
}

function copyLink(id: string): void {
  navigator.clipboard.writeText(linkTo(id)).then(
    () => told(t`The link is copied.`),
    () => told(t`The browser does not let pages copy. Take the link from its address bar.`),
  );
}
