import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { setPreference, usePreference } from '../account/preferences.ts';
import type { SendWay } from './use-composer.ts';

interface Props {
  note: boolean;
  disabled: boolean;
  pending: boolean;
  /** Whether the conversation is the agent's already. */
  mine: boolean;
  send(way: SendWay): void;
}

/** Sends what is written, with other ways to do so beside it. */
export function SendButton({ note, disabled, pending, mine, send }: Props) {
  const enter = usePreference('enterSends');
  const closes = usePreference('sendCloses');
  return (
    <Group gap={1} wrap="nowrap">
      <Button
        size="compact-md"
        className="thread-send"
        loading={pending}
        disabled={disabled}
        onClick={() => send('plain')}
      >
        {note ? 'Add note' : closes ? 'Send and close' : 'Send'}
      </Button>
      <Menu position="top-end">
        <Menu.Target>
          <ActionIcon size={30} className="thread-send-more" aria-label="More ways to send">
            <ChevronDown size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!note && (
            <>
              <Menu.Item disabled={disabled} onClick={() => send('close')}>
                Send and close
              </Menu.Item>
              <Menu.Item disabled={disabled} onClick={() => send('keep')}>
                Send and keep open
              </Menu.Item>
              {!mine && (
                <Menu.Item disabled={disabled} onClick={() => send('take')}>
                  Assign to me and send
                </Menu.Item>
              )}
              <Menu.Divider />
              <Menu.CheckboxItem checked={closes} onChange={(on) => void setPreference('sendCloses', on)}>
                Sending closes the conversation
              </Menu.CheckboxItem>
            </>
          )}
          <Menu.CheckboxItem checked={enter} onChange={(on) => void setPreference('enterSends', on)}>
            Enter sends
          </Menu.CheckboxItem>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
