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
  { word: 'unread', label: 'Mark as unread', icon: Circle },
  { word: 'unassign', label: 'Take the assignee off', icon: UserRoundX },
  { word: 'pin', label: 'Pin', icon: Pin },
  { word: 'unpin', label: 'Unpin', icon: Pin },
  { word: 'follow', label: 'Follow', icon: Eye },
  { word: 'unfollow', label: 'Stop following', icon: Eye },
  { word: 'mute', label: 'Mute', icon: BellOff },
  { word: 'unmute', label: 'Unmute', icon: BellOff },
  { word: 'archive', label: 'Archive', icon: Archive },
  { word: 'unarchive', label: 'Take out of the archive', icon: Archive },
] as const;

/** Whose conversation it is, how it stands, and what can be done with it. */
export function PaneHeader({ conversation, panelOpen, onTogglePanel, searching, onSearch }: Props) {
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
            {status === 'open' ? 'Open' : 'Closed'}
          </Badge>
          <Text size="sm" c="dimmed" truncate>
            {channelName(channel)} ·{' '}
            {assignee === null ? 'Unassigned' : mine ? 'Assigned to you' : `Assigned to ${assignee.name}`}
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
            Assign to me
          </Button>
        )}
        {allowed.includes('close') && (
          <Button size="compact-md" onClick={() => void act(id, plainActions.close(id))}>
            Close
          </Button>
        )}
        {allowed.includes('reopen') && (
          <Button variant="default" size="compact-md" onClick={() => void act(id, plainActions.reopen(id))}>
            Reopen
          </Button>
        )}
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" size="lg" aria-label="More actions">
              <EllipsisVertical size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {!mine && allowed.includes('assign') && (
              <Menu.Item onClick={() => void take(conversation)}>Assign to me</Menu.Item>
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
        <Tooltip label="Search in this conversation">
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label="Search in this conversation"
            aria-pressed={searching}
            onClick={onSearch}
          >
            <Search size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={panelOpen ? 'Hide the details' : 'Show the details'}>
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label="Details"
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
