import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CardTable } from '../app/card-table.tsx';
import { LoadMore } from '../app/load-more.tsx';
import { currentMode } from '../app/mode.ts';
import { Moment } from '../app/moment.tsx';
import { Page } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { type inferOutput, trpc } from '../app/trpc.ts';
import { auditRoute } from './routes.ts';
import { actionText, auditAreas } from './words.ts';

type Entry = inferOutput<typeof trpc.audit.list>['data'][number];

/** Who changed what. For admins and the Owner. */
export function AuditPage() {
  const { t } = useLingui();
  const search = auditRoute.useSearch();
  const { actor, resource, from, to } = search;
  const navigate = useNavigate({ from: auditRoute.fullPath });
  const agents = useQuery(trpc.agents.list.queryOptions({}));
  const chosen = {
    ...(actor === undefined ? {} : { actor }),
    ...(resource === undefined ? {} : { resource }),
    ...(from === undefined ? {} : { from: startOf(from) }),
    ...(to === undefined ? {} : { to: startOf(to, 1) }),
  };
  const entries = useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions(
      { limit: 50, ...chosen },
      { getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined },
    ),
  );
  const set = (change: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const filtered = [actor, resource, from, to].some((value) => value !== undefined);
  const people = agents.data?.data ?? [];
  return (
    <Page
      title={t`Audit log`}
      description={t`Every change that people and API keys have made. Values are not kept, only which fields were given.`}
    >
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label={t`Who`}
          value={actor ?? ''}
          onChange={(event) => set({ actor: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: t`Everybody` },
            ...people.map(({ name, email }) => ({ value: email, label: name })),
          ]}
        />
        <NativeSelect
          label={t`Area`}
          value={resource ?? ''}
          onChange={(event) => set({ resource: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: t`All` },
            ...auditAreas.map((name) => ({ value: name, label: actionText(name) })),
          ]}
        />
        <TextInput
          type="date"
          label={t`From`}
          value={from ?? ''}
          onChange={(event) => set({ from: event.currentTarget.value || undefined })}
        />
        <TextInput
          type="date"
          label={t`To`}
          value={to ?? ''}
          onChange={(event) => set({ to: event.currentTarget.value || undefined })}
        />
        {currentMode() === 'live' && (
          <Button
            component="a"
            variant="default"
            download
            href={`/csv/audit?${new URLSearchParams(Object.entries(chosen)).toString()}`}
          >
            <Trans>Export as CSV</Trans>
          </Button>
        )}
        {filtered && (
          <Button
            variant="default"
            onClick={() => set({ actor: undefined, resource: undefined, from: undefined, to: undefined })}
          >
            <Trans>Clear filters</Trans>
          </Button>
        )}
      </Group>
      <QueryState query={entries} rows={10}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0)
            return (
              <Text>{filtered ? t`No change fits these filters.` : t`Nothing has been changed yet.`}</Text>
            );
          return (
            <Stack gap="md">
              <CardTable
                caption={t`Changes, newest first`}
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { label: t`When`, cell: ({ at }) => <Moment at={at} /> },
                  { label: t`Who`, cell: (entry) => <Who entry={entry} /> },
                  { label: t`What`, cell: (entry) => <What entry={entry} /> },
                  { label: t`Record`, cell: ({ target }) => <Mono text={target} /> },
                  { label: t`Address`, cell: ({ ip }) => <Mono text={ip} /> },
                  { label: t`Request`, cell: ({ request_id }) => <Mono text={request_id} /> },
                ]}
              />
              <LoadMore query={entries} />
            </Stack>
          );
        }}
      </QueryState>
    </Page>
  );
}

function Who({ entry: { actor } }: { entry: Entry }) {
  const { t } = useLingui();
  return (
    <Stack gap={0}>
      <Text fw={600}>{actor.name ?? t`Somebody`}</Text>
      {actor.email !== null && (
        <Text size="sm" c="dimmed">
          {actor.email}
        </Text>
      )}
    </Stack>
  );
}

function What({ entry: { action, fields } }: { entry: Entry }) {
  return (
    <Stack gap={0}>
      <Text>{actionText(action)}</Text>
      {fields.length > 0 && (
        <Text size="sm" c="dimmed">
          {fields.join(', ')}
        </Text>
      )}
    </Stack>
  );
}

function Mono({ text }: { text: string | null }) {
  if (text === null) return '–';
  return (
    <Text size="sm" ff="monospace" className="wrapped">
      {text}
    </Text>
  );
}

/** Midnight here of a date, so many days later. */
function startOf(date: string, days = 0): string {
  const at = new Date(`${date}T00:00`);
  at.setDate(at.getDate() + days);
  return at.toISOString();
}
