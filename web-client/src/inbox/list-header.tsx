import { Trans, useLingui } from '@lingui/react/macro';
import { ActionIcon, Group, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { FilterChips } from './filter-chips.tsx';
import { FiltersMenu } from './filters-menu.tsx';
import { SavedViewBar } from './saved-view-bar.tsx';
import type { InboxSearch } from './search.ts';
import { SortMenu } from './sort-menu.tsx';
import { ViewsNav } from './views-nav.tsx';

/** After the last letter, in milliseconds. */
const pause = 200;

/** Where the list looks from: views, search, filters. */
export function ListHeader({ search }: { search: InboxSearch }) {
  return (
    <header className="list-header">
      <Group justify="space-between" wrap="nowrap">
        <Text fw={700} size="lg" aria-hidden="true">
          <Trans>Inbox</Trans>
        </Text>
        <Group gap="xs" wrap="nowrap">
          <SortMenu search={search} />
          <FiltersMenu search={search} />
        </Group>
      </Group>
      <SearchField search={search} />
      <ViewsNav search={search} />
      <div className="list-narrowed">
        <FilterChips search={search} />
        <SavedViewBar search={search} />
      </div>
    </header>
  );
}

function SearchField({ search: { q = '' } }: { search: InboxSearch }) {
  const { t } = useLingui();
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
      aria-label={t`Search conversations`}
      placeholder={t`Name, phone or words`}
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
            aria-label={t`Clear the search`}
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
