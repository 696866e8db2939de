import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Group, Text } from '@mantine/core';
import { recipientStatuses } from '../../../schema/words.ts';
import { FilterSelect } from '../app/filter-select.tsx';
import { ExportButton } from '../app/export-button.tsx';
import { Moment } from '../app/moment.tsx';
import { Section } from '../app/page.tsx';
import { RecordLink } from '../app/record-link.tsx';
import { byCursor, type RecordColumn, RecordTable } from '../app/record-table.tsx';
import { useSetSearch } from '../app/search.ts';
import { Status, type Tone } from '../app/status.tsx';
import { type inferOutput, trpc } from '../app/trpc.ts';
import { inWords, optionsOf } from '../app/words.ts';
import { Phone } from '../contacts/phone.tsx';
import type { CampaignRecord } from './campaigns-page.tsx';
import { campaignRoute, type CampaignSearch } from './routes.ts';
import { pace } from './words.ts';

type Recipient = inferOutput<typeof trpc.campaigns.recipients>['data'][number];

const tones: Record<Recipient['status'], Tone> = {
  pending: 'neutral',
  claimed: 'info',
  sent: 'info',
  delivered: 'good',
  read: 'good',
  failed: 'bad',
  skipped: 'warning',
};

/** Who got it, who did not, and why. */
export function Recipients({ campaign: { id, status } }: { campaign: CampaignRecord }) {
  const { t } = useLingui();
  const { recipients } = campaignRoute.useSearch();
  const setSearch = useSetSearch<CampaignSearch>();
  const query = useInfiniteQuery(
    trpc.campaigns.recipients.infiniteQueryOptions(
      { campaign: id, status: recipients, limit: 25 },
      { ...byCursor, placeholderData: keepPreviousData, refetchInterval: pace(status) && 3_000 },
    ),
  );
  return (
    <Section
      title={t`Recipients`}
      actions={
        <Group gap="xs">
          <ExportButton resource="recipients" filters={{ campaign: id, status: recipients }} />
          <FilterSelect
            label={t`Status of recipients`}
            all={t`Any status`}
            options={optionsOf(recipientStatuses)}
            value={recipients}
            onChange={(word) => setSearch({ recipients: word })}
          />
        </Group>
      }
    >
      <RecordTable
        name="recipients"
        caption={t`Recipients`}
        query={query}
        columns={columns}
        keyOf={({ contact }) => contact.id}
        onClear={recipients === undefined ? undefined : () => setSearch({ recipients: undefined })}
        empty={
          <Text c="dimmed">
            <Trans>Nobody yet.</Trans>
          </Text>
        }
      />
    </Section>
  );
}

const columns: readonly RecordColumn<Recipient>[] = [
  {
    id: 'contact',
    get label() {
      return t`Contact`;
    },
    bare: true,
    cell: ({ contact }) => (
      <RecordLink to={`/contacts/${contact.id}`}>{contact.name ?? t`No name`}</RecordLink>
    ),
  },
  {
    id: 'address',
    get label() {
      return t`Address`;
    },
    cell: ({ address }) => (address?.startsWith('+') ? <Phone number={address} /> : address),
  },
  {
    id: 'status',
    get label() {
      return t`Status`;
    },
    cell: ({ status }) => <Status tone={tones[status]}>{inWords(status)}</Status>,
  },
  {
    id: 'reason',
    get label() {
      return t`Why`;
    },
    cell: ({ skip_reason, failure_code }) => {
      const reason = skip_reason ?? failure_code;
      return reason === null ? null : inWords(reason);
    },
  },
  {
    id: 'sent',
    get label() {
      return t`Sent`;
    },
    cell: ({ sent_at }) => sent_at && <Moment at={sent_at} />,
  },
  {
    id: 'delivered',
    get label() {
      return t`Delivered`;
    },
    optional: true,
    cell: ({ delivered_at }) => delivered_at && <Moment at={delivered_at} />,
  },
  {
    id: 'read',
    get label() {
      return t`Read`;
    },
    optional: true,
    cell: ({ read_at }) => read_at && <Moment at={read_at} />,
  },
  {
    id: 'replied',
    get label() {
      return t`Replied`;
    },
    cell: ({ replied_at }) => replied_at && <Moment at={replied_at} />,
  },
];
