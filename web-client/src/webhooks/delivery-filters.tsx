import { useLingui } from '@lingui/react/macro';
import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { EventType } from '../../../schema/events.ts';
import { FilterSelect } from '../app/filter-select.tsx';
import { SearchField } from '../app/search-field.tsx';
import { catalogueQuery } from '../events/catalogue.ts';
import type { DeliveriesSearch } from './routes.ts';

export const noFilters: DeliveriesSearch = {
  endpoint: undefined,
  status: undefined,
  type: undefined,
  result: undefined,
  q: undefined,
  from: undefined,
  to: undefined,
};
export const filterNames = Object.keys(noFilters) as (keyof typeof noFilters)[];

interface Props {
  search: DeliveriesSearch;
  setSearch(patch: DeliveriesSearch): void;
  urls: ReadonlyMap<string, string>;
}

/** What narrows the list of deliveries down. */
export function DeliveryFilters({ search, setSearch, urls }: Props) {
  const { t } = useLingui();
  const catalogue = useQuery(catalogueQuery);
  const types = (catalogue.data?.events.map(({ type }) => type) ?? []) as EventType[];
  return (
    <search className="record-filters">
      <SearchField label={t`Id, or part of a type`} value={search.q} onChange={(q) => setSearch({ q })} />
      <NativeSelect
        aria-label={t`Endpoint`}
        maw="100%"
        value={search.endpoint ?? ''}
        data={[
          { value: '', label: t`Any endpoint` },
          ...[...urls].map(([value, label]) => ({ value, label })),
        ]}
        onChange={(event) => setSearch({ endpoint: event.currentTarget.value || undefined })}
      />
      <FilterSelect
        label={t`Status`}
        all={t`Any status`}
        options={[
          { value: 'pending', label: t`Pending` },
          { value: 'retrying', label: t`Retrying` },
          { value: 'succeeded', label: t`Delivered` },
          { value: 'exhausted', label: t`Failed` },
          { value: 'discarded', label: t`Skipped` },
        ]}
        value={search.status}
        onChange={(status) => setSearch({ status })}
      />
      <FilterSelect
        label={t`Answer`}
        all={t`Any answer`}
        options={[
          { value: '2xx', label: '2xx' },
          { value: '3xx', label: '3xx' },
          { value: '4xx', label: '4xx' },
          { value: '5xx', label: '5xx' },
          { value: 'none', label: t`No answer` },
        ]}
        value={search.result}
        onChange={(result) => setSearch({ result })}
      />
      <FilterSelect
        label={t`Event type`}
        all={t`Any event`}
        options={types.map((type) => ({ value: type, label: type }))}
        value={search.type}
        onChange={(type) => setSearch({ type })}
      />
      <TextInput
        type="date"
        aria-label={t`Created from`}
        value={search.from ?? ''}
        onChange={(event) => setSearch({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        aria-label={t`Created until`}
        value={search.to ?? ''}
        onChange={(event) => setSearch({ to: event.currentTarget.value || undefined })}
      />
    </search>
  );
}

/** Midnight of a day where the reader is, or of a later one; nothing for what is no day. */
export function startOf(day: string | undefined, later = 0): string | undefined {
  const [year = Number.NaN, month = Number.NaN, date = Number.NaN] = (day ?? '').split('-').map(Number);
  const start = new Date(year, month - 1, date + later);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}
