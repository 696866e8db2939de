import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { enterSends, sendCloses, setEnterSends, setSendCloses } from './enter.ts';
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
  const [enter, setEnter] = useState(enterSends);
  const [closes, setCloses] = useState(sendCloses);
  const toggle = (on: boolean) => {
    setEnterSends(on);
    setEnter(on);
  };
  const toggleCloses = (on: boolean) => {
    setSendCloses(on);
    setCloses(on);
  };
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
              <Menu.CheckboxItem checked={closes} onChange={toggleCloses}>
                Sending closes the conversation
              </Menu.CheckboxItem>
            </>
          )}
          <Menu.CheckboxItem checked={enter} onChange={toggle}>
            Enter sends
          </Menu.CheckboxItem>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
