import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Button, Group, Text } from '@mantine/core';
import { FileSpreadsheet } from 'lucide-react';
import { recipientStatuses } from '../../../schema/words.ts';
import { FilterSelect } from '../app/filter-select.tsx';
import { currentMode } from '../app/mode.ts';
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
      title="Recipients"
      actions={
        <Group gap="xs">
          {currentMode() === 'live' && (
            <Button
              variant="default"
              component="a"
              href={`/csv/recipients?${new URLSearchParams({ campaign: id, status: recipients ?? '' }).toString()}`}
              download
              leftSection={<FileSpreadsheet size={16} aria-hidden />}
            >
              Export as CSV
            </Button>
          )}
          <FilterSelect
            label="Status of recipients"
            all="Any status"
            options={optionsOf(recipientStatuses)}
            value={recipients}
            onChange={(word) => setSearch({ recipients: word })}
          />
        </Group>
      }
    >
      <RecordTable
        name="recipients"
        caption="Recipients"
        query={query}
        columns={columns}
        keyOf={({ contact }) => contact.id}
        onClear={recipients === undefined ? undefined : () => setSearch({ recipients: undefined })}
        empty={<Text c="dimmed">Nobody yet.</Text>}
      />
    </Section>
  );
}

const columns: readonly RecordColumn<Recipient>[] = [
  {
    id: 'contact',
    label: 'Contact',
    bare: true,
    cell: ({ contact }) => (
      <RecordLink to={`/contacts/${contact.id}`}>{contact.name ?? 'No name'}</RecordLink>
    ),
  },
  {
    id: 'address',
    label: 'Address',
    cell: ({ address }) => (address?.startsWith('+') ? <Phone number={address} /> : address),
  },
  {
    id: 'status',
    label: 'Status',
    cell: ({ status }) => <Status tone={tones[status]}>{inWords(status)}</Status>,
  },
  {
    id: 'reason',
    label: 'Why',
    cell: ({ skip_reason, failure_code }) => {
      const reason = skip_reason ?? failure_code;
      return reason === null ? null : inWords(reason);
    },
  },
  { id: 'sent', label: 'Sent', cell: ({ sent_at }) => sent_at && <Moment at={sent_at} /> },
  {
    id: 'delivered',
    label: 'Delivered',
    optional: true,
    cell: ({ delivered_at }) => delivered_at && <Moment at={delivered_at} />,
  },
  {
    id: 'read',
    label: 'Read',
    optional: true,
    cell: ({ read_at }) => read_at && <Moment at={read_at} />,
  },
  { id: 'replied', label: 'Replied', cell: ({ replied_at }) => replied_at && <Moment at={replied_at} /> },
];
