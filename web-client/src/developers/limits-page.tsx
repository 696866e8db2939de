import { Alert, NativeSelect, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useProfile } from '../account/use-profile.ts';
import { CardTable } from '../app/card-table.tsx';
import { Page, Section } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { useSetSearch } from '../app/search.ts';
import { type inferOutput, trpc } from '../app/trpc.ts';
import { number } from '../app/words.ts';
import { limitsRoute } from './routes.ts';
import { Ticked } from './ticked.tsx';

type Key = inferOutput<typeof trpc.keys.list>['data'][number];

/** What a program may ask for, and what is left of a key's minute right now. */
export function LimitsPage() {
  const { role } = useProfile();
  return (
    <Page
      title="Limits"
      description="Every answer tells what is left of the minute in X-RateLimit-Limit and X-RateLimit-Remaining, and in Retry-After how long to wait."
    >
      {role.key === 'owner' && <LiveBudget />}
      <Section title="What may be asked for">
        <CardTable
          caption="Limits"
          rows={rows()}
          keyOf={({ what }) => what}
          columns={[
            { label: 'What', bare: true, cell: ({ what }) => <Text fw={600}>{what}</Text> },
            { label: 'Limit', cell: ({ limit }) => limit },
            { label: 'Beyond it', cell: ({ beyond }) => <Ticked text={beyond} /> },
          ]}
        />
      </Section>
    </Page>
  );
}

/** Follows one key. Asking counts nothing. */
function LiveBudget() {
  const { key } = limitsRoute.useSearch();
  const setSearch = useSetSearch<{ key?: string | undefined }>();
  const keys = useQuery(trpc.keys.list.queryOptions({}));
  return (
    <Section title="Right now" description="The budget of one key in this minute, as it is used.">
      <QueryState query={keys} rows={2}>
        {({ data }) => {
          const usable = data.filter(({ revoked_at }) => revoked_at === null);
          const chosen = usable.find(({ id }) => id === key) ?? usable[0];
          if (!chosen) return <Text>There is no key yet.</Text>;
          return (
            <Stack gap="md" maw="32rem">
              <NativeSelect
                label="Key"
                value={chosen.id}
                data={usable.map(({ id, name, mode, hint }) => ({
                  value: id,
                  label: `${name} (${mode}, ${hint})`,
                }))}
                onChange={(event) => setSearch({ key: event.currentTarget.value })}
              />
              <Budget apiKey={chosen} />
            </Stack>
          );
        }}
      </QueryState>
    </Section>
  );
}

function Budget({ apiKey }: { apiKey: Key }) {
  const budget = useQuery(
    trpc.keys.budget.queryOptions({ key: apiKey.id }, { refetchInterval: 1_000, staleTime: 0 }),
  );
  return (
    <QueryState query={budget} rows={1}>
      {({ data: { limit, remaining, resets_in: seconds } }) => (
        <Stack gap={4}>
          <Progress value={(remaining / limit) * 100} aria-label="What is left of the minute" />
          <Text>
            {number.format(remaining)} of {number.format(limit)} requests left
          </Text>
          {remaining < limit && (
            <Text size="sm" c="dimmed">
              Whole again in {seconds} s
            </Text>
          )}
          {remaining === 0 && (
            <Alert color="red" title="The budget is used up">
              Requests of this key are answered 429 for {seconds} s.
            </Alert>
          )}
        </Stack>
      )}
    </QueryState>
  );
}

function rows() {
  return [
    {
      what: 'Requests of a key',
      limit: '120 a minute, unless the operator says otherwise',
      beyond: '429 `rate_limited` with `Retry-After`',
    },
    {
      what: 'Requests without a valid key',
      limit: '60 a minute for each address',
      beyond: '429 `rate_limited`',
    },
    { what: 'Records of a page', limit: '25 unless asked for, 100 at most', beyond: '422 `max`' },
    { what: 'Body of a request', limit: '1 MiB of JSON', beyond: '413 `payload_too_large`' },
    {
      what: 'A file',
      limit: '100 MiB, unless the operator says otherwise',
      beyond: '413 `payload_too_large`',
    },
    { what: 'Ids in one bulk call', limit: '200 conversations, 500 contacts', beyond: '422 `max`' },
    {
      what: 'Answers to an Idempotency-Key',
      limit: 'replayed for 24 hours',
      beyond: 'the key counts as new',
    },
    {
      what: 'A GraphQL document',
      limit: '20 kB, 1,000 tokens, 8 levels of fields, 15 aliases, a complexity of 1,000 records',
      beyond: '`bad_request` before anything runs',
    },
    {
      what: 'Sockets of a key',
      limit: '20 at once, each with 50 subscriptions',
      beyond: 'closed with 4429',
    },
    { what: 'The event log', limit: '30 days', beyond: '`resync` in subscriptions' },
    {
      what: 'An attempt of a webhook',
      limit: '15 seconds; ten attempts in 75 h 35 min',
      beyond: 'the delivery has failed and can be sent again for 30 days',
    },
    { what: 'Webhook endpoints', limit: '10 for each company', beyond: '409 `conflict`' },
  ];
}
