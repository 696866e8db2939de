import { ActionIcon, Group, Menu, Text, TextInput, UnstyledButton } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { ChevronDown, Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { FilterChips } from './filter-chips.tsx';
import { FiltersMenu } from './filters-menu.tsx';
import { type InboxSearch, type View, viewNames, views } from './search.ts';

const first: readonly View[] = ['open', 'mine', 'unassigned'];
const further = viewNames.filter((view) => !first.includes(view));

/** After the last letter, in milliseconds. */
const pause = 200;

/** Where the list looks from: views, search, filters. */
export function ListHeader({ search }: { search: InboxSearch }) {
  return (
    <header className="list-header">
      <Group justify="space-between" wrap="nowrap">
        <Text fw={700} size="lg" aria-hidden="true">
          Inbox
        </Text>
        <FiltersMenu search={search} />
      </Group>
      <SearchField search={search} />
      <Views current={search.view ?? 'open'} />
      <FilterChips search={search} />
    </header>
  );
}

function Views({ current }: { current: View }) {
  return (
    <nav className="list-views" aria-label="Views">
      {first.map((view) => (
        <Link
          key={view}
          from="/inbox"
          to="/inbox"
          search={viewSearch(view)}
          aria-current={view === current ? 'page' : undefined}
        >
          {views[view].label}
        </Link>
      ))}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <UnstyledButton className="list-more" data-current={further.includes(current) || undefined}>
            {further.includes(current) ? views[current].label : 'More'} <ChevronDown size={14} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {further.map((view) => (
            <Menu.Item
              key={view}
              renderRoot={(props) => (
                <Link
                  {...props}
                  from="/inbox"
                  to="/inbox"
                  search={viewSearch(view)}
                  aria-current={view === current ? 'page' : undefined}
                />
              )}
            >
              {views[view].label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </nav>
  );
}

/** Another view keeps what is open and sought, but no filters. */
function viewSearch(view: View) {
  return ({ open, q }: InboxSearch): InboxSearch => ({
    ...(view === 'open' ? {} : { view }),
    ...(open === undefined ? {} : { open }),
    ...(q === undefined ? {} : { q }),
  });
}

function SearchField({ search: { q = '' } }: { search: InboxSearch }) {
  const navigate = useNavigate({ from: '/inbox' });
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const go = (text: string) => {
    clearTimeout(timer.current);
    void navigate({ search: (now) => ({ ...now, q: text.trim() || undefined }), replace: true });
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // Somebody went back, or cleared the filters.
    if (field.current && document.activeElement !== field.current) field.current.value = q;
  }, [q]);
  const keyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') go(event.currentTarget.value);
    if (event.key !== 'Escape') return;
    if (event.currentTarget.value === '') event.currentTarget.blur();
    else {
      event.currentTarget.value = '';
      go('');
    }
  };
  return (
    <TextInput
      ref={field}
      id="inbox-search"
      type="text"
      role="searchbox"
      aria-label="Search conversations"
      placeholder="Name, phone or words"
      maxLength={191}
      defaultValue={q}
      autoComplete="off"
      leftSection={<Search size={16} aria-hidden />}
      rightSection={
        q !== '' && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label="Clear the search"
            onClick={() => {
              if (field.current) field.current.value = '';
              go('');
              field.current?.focus();
            }}
          >
            <X size={16} aria-hidden />
          </ActionIcon>
        )
      }
      onKeyDown={keyDown}
      onChange={(event) => {
        const { value } = event.currentTarget;
        clearTimeout(timer.current);
        timer.current = setTimeout(() => go(value), pause);
      }}
    />
  );
}
