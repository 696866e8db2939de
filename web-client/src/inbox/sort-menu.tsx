import { useLingui } from '@lingui/react/macro';
import { ActionIcon, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ArrowDownNarrowWide } from 'lucide-react';
import { type InboxSearch, sortNames, sorts } from './search.ts';

/** In which order the conversations stand. */
export function SortMenu({ search: { sort: current = 'activity' } }: { search: InboxSearch }) {
  const { t } = useLingui();
  const navigate = useNavigate({ from: '/inbox' });
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant={current === 'activity' ? 'default' : 'light'}
          size={32}
          aria-label={t`Order: ${sorts[current]}`}
          title={t`Order: ${sorts[current]}`}
        >
          <ArrowDownNarrowWide size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={current}
          onChange={(word) => {
            const sort = sortNames.find((name) => name === word && name !== 'activity');
            void navigate({ search: (now) => ({ ...now, sort }) });
          }}
        >
          {sortNames.map((sort) => (
            <Menu.RadioItem key={sort} value={sort} closeMenuOnClick>
              {sorts[sort]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
