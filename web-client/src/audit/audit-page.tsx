import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CardTable } from '../app/card-table.tsx';
import { LoadMore } from '../app/load-more.tsx';
import { Moment } from '../app/moment.tsx';
import { Page } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { type inferOutput, trpc } from '../app/trpc.ts';
import { auditRoute } from './routes.ts';

type Entry = inferOutput<typeof trpc.audit.list>['data'][number];

const resources = [
  'account',
  'agents',
  'ai',
  'bookings',
  'campaigns',
  'channels',
  'company',
  'contacts',
  'conversations',
  'invitations',
  'keys',
  'messages',
  'orders',
  'products',
  'quickReplies',
  'roles',
  'tags',
  'teams',
  'webhooks',
];

/** Who changed what. For admins and the Owner. */
export function AuditPage() {
  const search = auditRoute.useSearch();
  const { actor, resource, from, to } = search;
  const navigate = useNavigate({ from: auditRoute.fullPath });
  const agents = useQuery(trpc.agents.list.queryOptions({}));
  const entries = useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions(
      {
        limit: 50,
        ...(actor === undefined ? {} : { actor }),
        ...(resource === undefined ? {} : { resource }),
        ...(from === undefined ? {} : { from: startOf(from) }),
        ...(to === undefined ? {} : { to: startOf(to, 1) }),
      },
      { getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined },
    ),
  );
  const set = (change: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const filtered = [actor, resource, from, to].some((value) => value !== undefined);
  const people = agents.data?.data ?? [];
  return (
    <Page
      title="Audit log"
      description="Every change that people and API keys have made. Values are not kept, only which fields were given."
    >
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label="Who"
          value={actor ?? ''}
          onChange={(event) => set({ actor: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: 'Everybody' },
            ...people.map(({ name, email }) => ({ value: email, label: name })),
          ]}
        />
        <NativeSelect
          label="Area"
          value={resource ?? ''}
          onChange={(event) => set({ resource: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: 'All' },
            ...resources.map((name) => ({ value: name, label: inWords(name) })),
          ]}
        />
        <TextInput
          type="date"
          label="From"
          value={from ?? ''}
          onChange={(event) => set({ from: event.currentTarget.value || undefined })}
        />
        <TextInput
          type="date"
          label="To"
          value={to ?? ''}
          onChange={(event) => set({ to: event.currentTarget.value || undefined })}
        />
        {filtered && (
          <Button
            variant="default"
            onClick={() => set({ actor: undefined, resource: undefined, from: undefined, to: undefined })}
          >
            Clear filters
          </Button>
        )}
      </Group>
      <QueryState query={entries} rows={10}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0)
            return (
              <Text>{filtered ? 'No change fits these filters.' : 'Nothing has been changed yet.'}</Text>
            );
          return (
            <Stack gap="md">
              <CardTable
                caption="Changes, newest first"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { label: 'When', cell: ({ at }) => <Moment at={at} /> },
                  { label: 'Who', cell: (entry) => <Who entry={entry} /> },
                  { label: 'What', cell: (entry) => <What entry={entry} /> },
                  { label: 'Record', cell: ({ target }) => <Mono text={target} /> },
                  { label: 'Address', cell: ({ ip }) => <Mono text={ip} /> },
                  { label: 'Request', cell: ({ request_id }) => <Mono text={request_id} /> },
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
  return (
    <Stack gap={0}>
      <Text fw={600}>{actor.name ?? 'Somebody'}</Text>
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
      <Text>{inWords(action)}</Text>
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

/** `quickReplies.markRead` is "Quick replies: mark read". */
function inWords(name: string): string {
  const [area = '', verb] = name
    .split('.')
    .map((part) => part.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
  const title = area.slice(0, 1).toUpperCase() + area.slice(1);
  return verb === undefined ? title : `${title}: ${verb}`;
}

/** Midnight here of a date, so many days later. */
function startOf(date: string, days = 0): string {
  const at = new Date(`${date}T00:00`);
  at.setDate(at.getDate() + days);
  return at.toISOString();
}
