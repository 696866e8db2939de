import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Button, Group, Progress, Stack, Tabs, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { campaignStatuses } from '../../../schema/words.ts';
import { useCan } from '../account/use-profile.ts';
import { Empty } from '../app/empty.tsx';
import { ExportButton } from '../app/export-button.tsx';
import { Moment } from '../app/moment.tsx';
import { Page } from '../app/page.tsx';
import { RecordLink } from '../app/record-link.tsx';
import { byCursor, type RecordColumn, RecordTable } from '../app/record-table.tsx';
import { useSetSearch } from '../app/search.ts';
import { Status } from '../app/status.tsx';
import { type inferOutput, trpc } from '../app/trpc.ts';
import { inWords, number, share } from '../app/words.ts';
import { campaignsRoute, type CampaignsSearch } from './routes.ts';
import { useCampaignNews } from './use-campaign-news.ts';
import { campaignTone, pace, planned } from './words.ts';
import './campaigns.css';

export type CampaignRecord = inferOutput<typeof trpc.campaigns.show>['data'];

/** What goes to many at once. */
export function CampaignsPage() {
  const { t } = useLingui();
  const { status } = campaignsRoute.useSearch();
  const setSearch = useSetSearch<CampaignsSearch>();
  const manages = useCan()('campaigns.manage');
  const news = useCampaignNews();
  const query = useInfiniteQuery(
    trpc.campaigns.list.infiniteQueryOptions(
      { status, limit: 25 },
      {
        ...byCursor,
        placeholderData: keepPreviousData,
        refetchInterval: ({ state }) =>
          state.data?.pages.some(({ data }) => data.some((row) => pace(row.status) !== false)) === true
            ? 5_000
            : false,
      },
    ),
  );
  const add = manages && (
    <Button component={Link} to="/campaigns/new">
      <Trans>New campaign</Trans>
    </Button>
  );
  const list = (
    <RecordTable
      name="campaigns"
      news={news}
      caption={t`Campaigns`}
      query={query}
      columns={columns}
      keyOf={({ id }) => id}
      onClear={status === undefined ? undefined : () => setSearch({ status: undefined })}
      empty={
        <Empty title={t`No campaigns yet`} action={add}>
          <Trans>
            Tell everybody who wants to hear from you what is new. Nothing is sent before you say so.
          </Trans>
        </Empty>
      }
    />
  );
  return (
    <Page
      title={t`Campaigns`}
      description={t`One message to many contacts, within what channels and quiet hours allow.`}
      actions={
        <Group gap="sm">
          <ExportButton resource="campaigns" filters={{ status }} />
          {add}
        </Group>
      }
    >
      <Tabs
        value={status ?? 'all'}
        onChange={(word) => setSearch({ status: campaignStatuses.find((known) => known === word) })}
        activateTabWithKeyboard={false}
      >
        <Tabs.List aria-label={t`Status`} className="campaign-tabs">
          <Tabs.Tab value="all">
            <Trans>All</Trans>
          </Tabs.Tab>
          {campaignStatuses.map((word) => (
            <Tabs.Tab key={word} value={word}>
              {inWords(word)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={status ?? 'all'} pt="md">
          {list}
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

const columns: readonly RecordColumn<CampaignRecord>[] = [
  {
    id: 'name',
    get label() {
      return t`Name`;
    },
    bare: true,
    cell: ({ id, name, audience }) => (
      <Stack gap={0} align="flex-start">
        <RecordLink to={`/campaigns/${id}`}>{name}</RecordLink>
        <Text size="sm" c="dimmed">
          {audience.description}
        </Text>
      </Stack>
    ),
  },
  {
    id: 'status',
    get label() {
      return t`Status`;
    },
    cell: ({ status }) => <Status tone={campaignTone[status]}>{inWords(status)}</Status>,
  },
  {
    id: 'progress',
    get label() {
      return t`Progress`;
    },
    cell: ({ stats }) => (stats.total === 0 ? null : <Sent stats={stats} />),
  },
  {
    id: 'delivered',
    get label() {
      return t`Delivered`;
    },
    number: true,
    cell: ({ stats }) => share(stats.delivered, stats.sent),
  },
  {
    id: 'read',
    get label() {
      return t`Read`;
    },
    number: true,
    cell: ({ stats }) => share(stats.read, stats.sent),
  },
  {
    id: 'failed',
    get label() {
      return t`Failed`;
    },
    number: true,
    cell: ({ stats }) => share(stats.failed, stats.total),
  },
  {
    id: 'when',
    get label() {
      return t`When`;
    },
    cell: ({ scheduled_at, started_at, created_at }) =>
      started_at === null && scheduled_at !== null ? (
        planned(scheduled_at)
      ) : (
        <Moment at={started_at ?? created_at} />
      ),
  },
];

/** How far a campaign is. */
export function Sent({ stats }: { stats: CampaignRecord['stats'] }) {
  const { t } = useLingui();
  const settled = stats.total - stats.pending;
  return (
    <Stack gap={4} miw="7rem" flex={1}>
      <Text size="sm" className="campaign-figure">
        <Trans>
          {number.format(settled)} of {number.format(stats.total)}
        </Trans>
      </Text>
      <Progress
        value={stats.total === 0 ? 0 : (settled / stats.total) * 100}
        aria-label={t`${number.format(settled)} of ${number.format(stats.total)} done`}
      />
    </Stack>
  );
}
