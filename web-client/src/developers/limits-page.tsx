import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
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
  const { t } = useLingui();
  const { role } = useProfile();
  return (
    <Page
      title={t`Limits`}
      description={t`Every answer tells what is left of the minute in X-RateLimit-Limit and X-RateLimit-Remaining, and in Retry-After how long to wait.`}
    >
      {role.key === 'owner' && <LiveBudget />}
      <Section title={t`What may be asked for`}>
        <CardTable
          caption={t`Limits`}
          rows={rows()}
          keyOf={({ what }) => what}
          columns={[
            { label: t`What`, bare: true, cell: ({ what }) => <Text fw={600}>{what}</Text> },
            { label: t`Limit`, cell: ({ limit }) => limit },
            { label: t`Beyond it`, cell: ({ beyond }) => <Ticked text={beyond} /> },
          ]}
        />
      </Section>
    </Page>
  );
}

/** Follows one key. Asking counts nothing. */
function LiveBudget() {
  const { t } = useLingui();
  const { key } = limitsRoute.useSearch();
  const setSearch = useSetSearch<{ key?: string | undefined }>();
  const keys = useQuery(trpc.keys.list.queryOptions({}));
  return (
    <Section title={t`Right now`} description={t`The budget of one key in this minute, as it is used.`}>
      <QueryState query={keys} rows={2}>
        {({ data }) => {
          const usable = data.filter(({ revoked_at }) => revoked_at === null);
          const chosen = usable.find(({ id }) => id === key) ?? usable[0];
          if (!chosen)
            return (
              <Text>
                <Trans>There is no key yet.</Trans>
              </Text>
            );
          return (
            <Stack gap="md" maw="32rem">
              <NativeSelect
                label={t`Key`}
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
  const { t } = useLingui();
  const budget = useQuery(
    trpc.keys.budget.queryOptions({ key: apiKey.id }, { refetchInterval: 1_000, staleTime: 0 }),
  );
  return (
    <QueryState query={budget} rows={1}>
      {({ data: { limit, remaining, resets_in: seconds } }) => (
        <Stack gap={4}>
          <Progress value={(remaining / limit) * 100} aria-label={t`What is left of the minute`} />
          <Text>
            <Trans>
              {number.format(remaining)} of {number.format(limit)} requests left
            </Trans>
          </Text>
          {remaining < limit && (
            <Text size="sm" c="dimmed">
              <Trans>Whole again in {seconds} s</Trans>
            </Text>
          )}
          {remaining === 0 && (
            <Alert color="red" title={t`The budget is used up`}>
              <Trans>Requests of this key are answered 429 for {seconds} s.</Trans>
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
      what: t`Requests of a key`,
      limit: '120 a minute, unless the operator says otherwise',
      beyond: '429 `rate_limited` with `Retry-After`',
    },
    {
      what: t`Requests without a valid key`,
      limit: '60 a minute for each address',
      beyond: '429 `rate_limited`',
    },
    { what: t`Records of a page`, limit: '25 unless asked for, 100 at most', beyond: '422 `max`' },
    { what: t`Body of a request`, limit: '1 MiB of JSON', beyond: '413 `payload_too_large`' },
    {
      what: t`A file`,
      limit: '100 MiB, unless the operator says otherwise',
      beyond: '413 `payload_too_large`',
    },
    { what: t`Ids in one bulk call`, limit: '200 conversations, 500 contacts', beyond: '422 `max`' },
    {
      what: t`Answers to an Idempotency-Key`,
      limit: 'replayed for 24 hours',
      beyond: 'the key counts as new',
    },
    {
      what: t`A GraphQL document`,
      limit: '20 kB, 1,000 tokens, 8 levels of fields, 15 aliases, a complexity of 1,000 records',
      beyond: '`bad_request` before anything runs',
    },
    {
      what: t`Sockets of a key`,
      limit: '20 at once, each with 50 subscriptions',
      beyond: 'closed with 4429',
    },
    { what: t`The event log`, limit: '30 days', beyond: '`resync` in subscriptions' },
    {
      what: t`An attempt of a webhook`,
      limit: '15 seconds; ten attempts in 75 h 35 min',
      beyond: 'the delivery has failed and can be sent again for 30 days',
    },
    { what: t`Webhook endpoints`, limit: '10 for each company', beyond: '409 `conflict`' },
  ];
}
