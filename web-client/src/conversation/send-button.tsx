import { Trans, useLingui } from '@lingui/react/macro';
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
  const { t } = useLingui();
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
        {note ? t`Add note` : closes ? t`Send and close` : t`Send`}
      </Button>
      <Menu position="top-end">
        <Menu.Target>
          <ActionIcon size={30} className="thread-send-more" aria-label={t`More ways to send`}>
            <ChevronDown size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!note && (
            <>
              <Menu.Item disabled={disabled} onClick={() => send('close')}>
                <Trans>Send and close</Trans>
              </Menu.Item>
              <Menu.Item disabled={disabled} onClick={() => send('keep')}>
                <Trans>Send and keep open</Trans>
              </Menu.Item>
              {!mine && (
                <Menu.Item disabled={disabled} onClick={() => send('take')}>
                  <Trans>Assign to me and send</Trans>
                </Menu.Item>
              )}
              <Menu.Divider />
              <Menu.CheckboxItem checked={closes} onChange={(on) => void setPreference('sendCloses', on)}>
                <Trans>Sending closes the conversation</Trans>
              </Menu.CheckboxItem>
            </>
          )}
          <Menu.CheckboxItem checked={enter} onChange={(on) => void setPreference('enterSends', on)}>
            <Trans>Enter sends</Trans>
          </Menu.CheckboxItem>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
