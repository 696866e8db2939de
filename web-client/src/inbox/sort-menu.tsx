import { ActionIcon, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ArrowDownNarrowWide, Check } from 'lucide-react';
import { type InboxSearch, sortNames, sorts } from './search.ts';

/** In which order the conversations stand. */
export function SortMenu({ search: { sort: current = 'activity' } }: { search: InboxSearch }) {
  const navigate = useNavigate({ from: '/inbox' });
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant={current === 'activity' ? 'default' : 'light'}
          size={32}
          aria-label={`Order: ${sorts[current]}`}
          title={`Order: ${sorts[current]}`}
        >
          <ArrowDownNarrowWide size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {sortNames.map((sort) => (
          <Menu.Item
            key={sort}
            role="menuitemradio"
            aria-checked={sort === current}
            rightSection={sort === current && <Check size={16} aria-hidden />}
            onClick={() =>
              void navigate({ search: (now) => ({ ...now, sort: sort === 'activity' ? undefined : sort }) })
            }
          >
            {sorts[sort]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
