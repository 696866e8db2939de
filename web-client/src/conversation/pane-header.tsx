import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { ActionIcon, Badge, Button, Group, Menu, Text, Title, Tooltip } from '@mantine/core';
import {
  Archive,
  BellOff,
  Circle,
  EllipsisVertical,
  Eye,
  PanelRight,
  Pin,
  Search,
  UserRoundX,
} from 'lucide-react';
import type { Conversation } from '../../../schema/conversations.ts';
import { useProfile } from '../account/use-profile.ts';
import { act, plainActions, take } from './actions.ts';
import { channelName, contactName } from './words.ts';

interface Props {
  conversation: Conversation;
  panelOpen: boolean;
  onTogglePanel(): void;
  searching: boolean;
  onSearch(): void;
}

const more = [
  {
    word: 'unread',
    get label() {
      return t`Mark as unread`;
    },
    icon: Circle,
  },
  {
    word: 'unassign',
    get label() {
      return t`Take the assignee off`;
    },
    icon: UserRoundX,
  },
  {
    word: 'pin',
    get label() {
      return t`Pin`;
    },
    icon: Pin,
  },
  {
    word: 'unpin',
    get label() {
      return t`Unpin`;
    },
    icon: Pin,
  },
  {
    word: 'follow',
    get label() {
      return t`Follow`;
    },
    icon: Eye,
  },
  {
    word: 'unfollow',
    get label() {
      return t`Stop following`;
    },
    icon: Eye,
  },
  {
    word: 'mute',
    get label() {
      return t`Mute`;
    },
    icon: BellOff,
  },
  {
    word: 'unmute',
    get label() {
      return t`Unmute`;
    },
    icon: BellOff,
  },
  {
    word: 'archive',
    get label() {
      return t`Archive`;
    },
    icon: Archive,
  },
  {
    word: 'unarchive',
    get label() {
      return t`Take out of the archive`;
    },
    icon: Archive,
  },
] as const;

/** Whose conversation it is, how it stands, and what can be done with it. */
export function PaneHeader({ conversation, panelOpen, onTogglePanel, searching, onSearch }: Props) {
  const { t } = useLingui();
  const { id, contact, channel, status, assignee, allowed_actions: allowed } = conversation;
  const { email } = useProfile();
  const mine = assignee?.email === email;
  const name = contactName(contact);
  return (
    <header className="thread-header">
      <div className="thread-title">
        <Title order={2} size="h4" lineClamp={1} title={name}>
          {name}
        </Title>
        <Group gap={8} wrap="nowrap">
          <Badge variant="default" size="sm" tt="none" className="thread-status" data-status={status}>
            {status === 'open' ? t`Open` : t`Closed`}
          </Badge>
          <Text size="sm" c="dimmed" truncate>
            {channelName(channel)} ·{' '}
            {assignee === null ? t`Unassigned` : mine ? t`Assigned to you` : t`Assigned to ${assignee.name}`}
          </Text>
        </Group>
      </div>
      <Group gap={6} wrap="nowrap">
        {!mine && allowed.includes('assign') && (
          <Button
            className="thread-wide"
            variant="default"
            size="compact-md"
            onClick={() => void take(conversation)}
          >
            <Trans>Assign to me</Trans>
          </Button>
        )}
        {allowed.includes('close') && (
          <Button size="compact-md" onClick={() => void act(id, plainActions.close(id))}>
            <Trans>Close</Trans>
          </Button>
        )}
        {allowed.includes('reopen') && (
          <Button variant="default" size="compact-md" onClick={() => void act(id, plainActions.reopen(id))}>
            <Trans>Reopen</Trans>
          </Button>
        )}
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" size="lg" aria-label={t`More actions`}>
              <EllipsisVertical size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {!mine && allowed.includes('assign') && (
              <Menu.Item onClick={() => void take(conversation)}>
                <Trans>Assign to me</Trans>
              </Menu.Item>
            )}
            {more
              .filter(({ word }) => allowed.includes(word))
              .map(({ word, label, icon: Icon }) => (
                <Menu.Item
                  key={word}
                  leftSection={<Icon size={16} aria-hidden />}
                  onClick={() => void act(id, plainActions[word](id))}
                >
                  {label}
                </Menu.Item>
              ))}
          </Menu.Dropdown>
        </Menu>
        <Tooltip label={t`Search in this conversation`}>
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label={t`Search in this conversation`}
            aria-pressed={searching}
            onClick={onSearch}
          >
            <Search size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={panelOpen ? t`Hide the details` : t`Show the details`}>
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label={t`Details`}
            aria-pressed={panelOpen}
            onClick={onTogglePanel}
          >
            <PanelRight size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
    </header>
  );
}
