import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Indicator, NativeSelect, Popover, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { SlidersHorizontal } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { trpc } from '../app/trpc.ts';
import { channelChoices } from '../conversation/words.ts';
import { type FilterName, filterNames, type InboxSearch, readSearch } from './search.ts';

const ContactFilter = lazy(async () => ({
  default: (await import('./contact-filter.tsx')).ContactFilter,
}));

const any = {
  value: '',
  get label() {
    return t`Any`;
  },
};
const flag = (yes: string, no: string) => [any, { value: 'true', label: yes }, { value: 'false', label: no }];

/** Every filter that the list has. Each acts at once and stands in the address. */
export function FiltersMenu({ search }: { search: InboxSearch }) {
  const { t } = useLingui();
  const navigate = useNavigate({ from: '/inbox' });
  const [opened, setOpened] = useState(false);
  const count = filterNames.filter((name) => search[name] !== undefined).length;
  const { data: agents } = useQuery(trpc.agents.list.queryOptions({}, { enabled: opened }));
  const { data: tags } = useQuery(trpc.tags.list.queryOptions({ limit: 100 }, { enabled: opened }));
  const select = (name: FilterName, label: string, data: { value: string; label: string }[]) => (
    <NativeSelect
      size="sm"
      label={label}
      data={data}
      value={String(search[name] ?? '')}
      onChange={({ currentTarget: { value } }) =>
        void navigate({ search: (now) => readSearch({ ...now, [name]: valueOf(value) }) })
      }
    />
  );
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width="min(26rem, calc(100vw - 1.5rem))"
      withinPortal
      trapFocus
    >
      <Indicator disabled={count === 0} label={count} size={16} color="lume.7">
        <Popover.Target>
          <ActionIcon
            variant="default"
            size={32}
            aria-label={count === 0 ? t`Filters` : t`Filters, ${count} set`}
            onClick={() => setOpened((now) => !now)}
          >
            <SlidersHorizontal size={16} aria-hidden />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-label={t`Filters`} className="list-filters">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
          {select('status', t`Status`, [
            any,
            { value: 'open', label: t`Open` },
            { value: 'closed', label: t`Closed` },
          ])}
          {select('assignee', t`Assignee`, [
            any,
            { value: 'me', label: t`Me` },
            ...(agents?.data ?? []).map(({ name, email }) => ({ value: email, label: name })),
          ])}
          {select('unassigned', t`Ownership`, flag(t`Unassigned`, t`Assigned`))}
          {select('channel', t`Channel`, [any, ...channelChoices()])}
          {select('tag', t`Tag`, [
            any,
            ...(tags?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ])}
          {select('read', t`Read`, flag(t`Read`, t`Unread`))}
          {select('muted', t`Muted`, flag(t`Muted`, t`Not muted`))}
          {select('archived', t`Archived`, flag(t`Archived`, t`Not archived`))}
          {select('period', t`Last activity`, [
            any,
            { value: 'today', label: t`Today` },
            { value: 'week', label: t`This week` },
            { value: 'month', label: t`This month` },
          ])}
          {select('rating', t`Rating`, [
            any,
            ...[5, 4, 3, 2, 1].map((n) => ({ value: String(n), label: '★'.repeat(n) })),
          ])}
          <Suspense>
            <ContactFilter
              value={search.contact}
              onChange={(contact) => void navigate({ search: (now) => readSearch({ ...now, contact }) })}
            />
          </Suspense>
          <Button
            variant="default"
            disabled={count === 0}
            onClick={() => void navigate({ search: ({ view, open, q }) => ({ view, open, q }) })}
          >
            <Trans>Clear filters</Trans>
          </Button>
        </SimpleGrid>
      </Popover.Dropdown>
    </Popover>
  );
}

function valueOf(value: string): unknown {
  if (value === '') return undefined;
  return value === 'true' || value === 'false' ? value === 'true' : value;
}
