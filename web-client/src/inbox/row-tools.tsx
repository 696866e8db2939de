import { useLingui } from '@lingui/react/macro';
import { ActionIcon, Menu } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import type { Conversation } from '../../../schema/conversations.ts';
import { KeyHint } from '../keyboard/key-hint.tsx';
import { contactName } from '../conversation/words.ts';
import type { RowAction } from './row-actions.ts';

interface Props {
  row: Conversation;
  start: number;
  actions: readonly RowAction[];
  menu: boolean;
  onMenu(open: boolean): void;
}

const atHand = new Set(['close', 'reopen', 'read', 'unread', 'assign-me']);

/** Buttons over the row that the pointer or the focus is on. They are no part of the list, whose rows are options. */
export function RowTools({ row, start, actions, menu, onMenu }: Props) {
  const { t } = useLingui();
  const name = contactName(row.contact);
  return (
    <div className="row-tools" role="group" aria-label={t`Actions for ${name}`} style={{ top: start + 6 }}>
      {actions
        .filter(({ id }) => atHand.has(id))
        .map(({ id, title, icon: Icon, run }) => (
          <ActionIcon
            key={id}
            variant="subtle"
            color="gray"
            size={28}
            aria-label={`${title}: ${name}`}
            title={title}
            onClick={run}
          >
            <Icon size={16} aria-hidden />
          </ActionIcon>
        ))}
      <Menu opened={menu} onChange={onMenu} position="bottom-end" withinPortal width={250}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={t`All actions for ${name}`}
            title={t`All actions`}
          >
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map(({ id, title, icon: Icon, keys, run }) => (
            <Menu.Item
              key={id}
              leftSection={<Icon size={16} aria-hidden />}
              rightSection={keys !== undefined && <KeyHint keys={keys} />}
              onClick={run}
            >
              {title}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
