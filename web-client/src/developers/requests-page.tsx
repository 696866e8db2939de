import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Anchor, Badge, Button, Checkbox, NativeSelect, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ErrorCode, errors } from '../../../schema/errors.ts';
import { requestClasses, requestMethods, requestSurfaces } from '../../../schema/words.ts';
import { useProfile } from '../account/use-profile.ts';
import { Empty } from '../app/empty.tsx';
import { FilterSelect } from '../app/filter-select.tsx';
import { Moment } from '../app/moment.tsx';
import { Page } from '../app/page.tsx';
import { byCursor, type RecordColumn, RecordTable, rowsOf } from '../app/record-table.tsx';
import { SearchField } from '../app/search-field.tsx';
import { useSetSearch } from '../app/search.ts';
import { Status } from '../app/status.tsx';
import { type inferOutput, trpc } from '../app/trpc.ts';
import { number } from '../app/words.ts';
import { RequestDialog } from './request-dialog.tsx';
import { type RequestsSearch, requestsRoute } from './routes.ts';
import { surfaceNames, toneOf } from './words.ts';

export type RequestEntry = inferOutput<typeof trpc.requests.list>['data'][number];

const none: RequestsSearch = {
  request: undefined,
  key: undefined,
  failed: undefined,
  status: undefined,
  code: undefined,
  method: undefined,
  surface: undefined,
  path: undefined,
};

/** What programs asked of the API, and what failed in the dashboard. For admins and the Owner. */
export function RequestsPage() {
  const { t } = useLingui();
  const { open, ...filters } = requestsRoute.useSearch();
  const setSearch = useSetSearch<RequestsSearch>();
  const query = useInfiniteQuery(
    trpc.requests.list.infiniteQueryOptions(
      {
        request: filters.request,
        key: filters.key,
        failed: filters.failed,
        status: filters.status,
        code: filters.code,
        method: filters.method,
        surface: filters.surface,
        path: filters.path,
        limit: 50,
      },
      { ...byCursor, placeholderData: keepPreviousData, staleTime: 0 },
    ),
  );
  const filtered = Object.keys(none).some((name) => filters[name as keyof typeof filters] !== undefined);
  const shown = rowsOf(query).find(({ id }) => id === open);
  return (
    <Page
      title={t`Requests`}
      description={t`What API keys asked for in the last 30 days, and what failed in the dashboard. Bodies and query strings are never kept.`}
      actions={
        <Button variant="default" loading={query.isRefetching} onClick={() => void query.refetch()}>
          <Trans>Look again</Trans>
        </Button>
      }
    >
      <search className="record-filters">
        <SearchField
          label={t`Request id`}
          value={filters.request}
          onChange={(text) => setSearch({ request: text })}
        />
        <SearchField
          label={t`Path or operation`}
          value={filters.path}
          onChange={(text) => setSearch({ path: text })}
        />
        <KeyFilter value={filters.key} onChange={(key) => setSearch({ key })} />
        <FilterSelect
          label={t`Status`}
          all={t`Any status`}
          options={requestClasses.map((value) => ({ value, label: value }))}
          value={filters.status}
          onChange={(status) => setSearch({ status })}
        />
        <FilterSelect
          label={t`Error code`}
          all={t`Any code`}
          options={(Object.keys(errors) as ErrorCode[]).map((value) => ({ value, label: value }))}
          value={filters.code}
          onChange={(code) => setSearch({ code })}
        />
        <FilterSelect
          label={t`Method`}
          all={t`Any method`}
          options={requestMethods.map((value) => ({ value, label: value }))}
          value={filters.method}
          onChange={(method) => setSearch({ method })}
        />
        <FilterSelect
          label={t`Surface`}
          all={t`Any surface`}
          options={requestSurfaces.map((value) => ({ value, label: surfaceNames[value] }))}
          value={filters.surface}
          onChange={(surface) => setSearch({ surface })}
        />
        <Checkbox
          label={t`Errors only`}
          my="auto"
          checked={filters.failed === true}
          onChange={(event) => setSearch({ failed: event.currentTarget.checked || undefined })}
        />
      </search>
      <RecordTable
        caption={t`Requests`}
        query={query}
        columns={columnsWith((id) => setSearch({ open: id }, 'push'))}
        keyOf={({ id }) => id}
        onClear={filtered ? () => setSearch(none) : undefined}
        empty={
          <Empty title={t`No requests yet`}>
            <Trans>Once a program uses an API key, what it asked for is listed here within a second.</Trans>
          </Empty>
        }
      />
      {shown && <RequestDialog entry={shown} onClose={() => setSearch({ open: undefined })} />}
    </Page>
  );
}

/** Only the Owner may list keys. */
function KeyFilter({ value, onChange }: { value: string | undefined; onChange(key?: string): void }) {
  const { t } = useLingui();
  const { role } = useProfile();
  const keys = useQuery({ ...trpc.keys.list.queryOptions({}), enabled: role.key === 'owner' });
  if (!keys.data) return null;
  return (
    <NativeSelect
      aria-label={t`Key`}
      value={value ?? ''}
      data={[
        { value: '', label: t`Any key` },
        ...keys.data.data.map(({ id, name, mode }) => ({ value: id, label: `${name} (${mode})` })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

function columnsWith(show: (id: string) => void): readonly RecordColumn<RequestEntry>[] {
  return [
    {
      label: t`Request`,
      bare: true,
      cell: (entry) => (
        <Stack gap={2} align="flex-start">
          <Anchor component="button" type="button" ta="start" onClick={() => show(entry.id)}>
            <Text span fw={600} ff="monospace" size="sm" className="wrapped">
              {entry.method} {entry.path}
            </Text>
          </Anchor>
          {entry.operation !== null && (
            <Text size="sm" c="dimmed" className="wrapped">
              {entry.operation}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      label: t`Status`,
      cell: ({ status, code, replayed }) => (
        <Stack gap={2} align="flex-start">
          <Status tone={toneOf(status, code)}>{status}</Status>
          {code !== null && (
            <Text size="sm" ff="monospace">
              {code}
            </Text>
          )}
          {replayed && (
            <Badge variant="default" tt="none">
              <Trans>replayed</Trans>
            </Badge>
          )}
        </Stack>
      ),
    },
    {
      label: t`Who`,
      cell: ({ caller: { type, name }, livemode }) => (
        <Stack gap={0}>
          <Text size="sm">{name ?? (type === 'api_key' ? t`A key` : t`Somebody`)}</Text>
          <Text size="sm" c="dimmed">
            {type === 'api_key' ? t`API key` : t`Dashboard`}, {livemode ? t`live` : t`test`}
          </Text>
        </Stack>
      ),
    },
    { label: t`When`, cell: ({ at }) => <Moment at={at} /> },
    { label: t`Took`, number: true, cell: ({ duration_ms }) => `${number.format(duration_ms)} ms` },
    {
      label: t`Request id`,
      cell: ({ id }) => (
        <Text size="sm" ff="monospace" className="wrapped">
          {id}
        </Text>
      ),
    },
  ];
}
