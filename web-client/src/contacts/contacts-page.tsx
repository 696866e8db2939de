import { Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCan } from '../account/use-profile.ts';
import { CsvMenu } from '../app/csv-menu.tsx';
import { Empty } from '../app/empty.tsx';
import { Moment } from '../app/moment.tsx';
import { Page } from '../app/page.tsx';
import { RecordLink } from '../app/record-link.tsx';
import { byCursor, type RecordColumn, RecordTable } from '../app/record-table.tsx';
import { useSetSearch } from '../app/search.ts';
import { Status } from '../app/status.tsx';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';
import { TagNames } from '../tags/tag-name.tsx';
import { ContactFilters } from './contact-filters.tsx';
import { countryName } from './countries.ts';
import { CreateContactDialog } from './create-contact-dialog.tsx';
import { Phone } from './phone.tsx';
import { contactsRoute, type ContactsSearch } from './routes.ts';
import { SelectionBar } from './selection-bar.tsx';

export type ContactRecord = inferOutput<typeof trpc.contacts.records>['data'][number];

/** Everybody the company talks to. */
export function ContactsPage() {
  const { q, country, tag, subscribed, blocked, sort, create } = contactsRoute.useSearch();
  const setSearch = useSetSearch<ContactsSearch>();
  const can = useCan();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const filters = { q, country, tag, subscribed, blocked };
  const query = useInfiniteQuery(
    trpc.contacts.records.infiniteQueryOptions(
      { ...filters, sort, limit: 50 },
      { ...byCursor, placeholderData: keepPreviousData },
    ),
  );
  const filtered = Object.values(filters).some((value) => value !== undefined);
  const manages = can('contacts.manage');
  const add = (
    <Button disabled={!manages} onClick={() => setSearch({ create: true }, 'push')}>
      New contact
    </Button>
  );
  return (
    <Page
      title="Contacts"
      description={
        manages ? 'Everybody you talk to.' : 'Everybody you talk to. Your role may look, and change nothing.'
      }
      actions={
        <Group gap="xs">
          <CsvMenu
            resource="contacts"
            filters={{ ...filters, sort }}
            mayImport={manages}
            onImported={() => queryClient.invalidateQueries(trpc.contacts.pathFilter())}
          />
          {add}
        </Group>
      }
    >
      <ContactFilters value={{ ...filters, sort }} onChange={setSearch} />
      <RecordTable
        caption="Contacts"
        query={query}
        columns={columns}
        keyOf={({ id }) => id}
        sort={{
          value: sort ?? 'created_at',
          onChange: (by) => setSearch({ sort: by === 'name' ? 'name' : undefined }),
        }}
        {...(manages && can('inbox.access')
          ? {
              selection: {
                selected,
                onChange: setSelected,
                nameOf: ({ name, phone, email }) => name ?? phone ?? email ?? 'the contact',
              },
            }
          : {})}
        onClear={
          filtered
            ? () =>
                setSearch({
                  q: undefined,
                  country: undefined,
                  tag: undefined,
                  subscribed: undefined,
                  blocked: undefined,
                })
            : undefined
        }
        empty={
          <Empty title="No contacts yet" action={add}>
            Whoever writes to you stands here by themselves. You can add people, too.
          </Empty>
        }
      />
      <SelectionBar selected={selected} onDone={() => setSelected(new Set())} />
      <CreateContactDialog opened={create === true} onClose={() => setSearch({ create: undefined })} />
    </Page>
  );
}

const columns: readonly RecordColumn<ContactRecord>[] = [
  {
    label: 'Name',
    bare: true,
    sort: { by: 'name', direction: 'ascending' },
    cell: ({ id, name, phone, email }) => (
      <Stack gap={0} align="flex-start">
        <RecordLink to={`/contacts/${id}`}>{name ?? phone ?? email ?? 'No name'}</RecordLink>
        {email !== null && (
          <Text size="sm" c="dimmed" className="wrapped">
            {email}
          </Text>
        )}
      </Stack>
    ),
  },
  { label: 'Phone', cell: ({ phone }) => (phone === null ? null : <Phone number={phone} />) },
  { label: 'Country', cell: ({ country }) => (country === null ? null : countryName(country)) },
  { label: 'Tags', cell: ({ tags }) => <TagNames tags={tags} most={3} /> },
  { label: 'Marketing', cell: (contact) => <ContactStatus contact={contact} /> },
  { label: 'Source', cell: ({ source }) => source },
  {
    label: 'Created',
    sort: { by: 'created_at', direction: 'descending' },
    cell: ({ created_at }) => <Moment at={created_at} />,
  },
];

/** Whether one may write to them, and of what. */
export function ContactStatus({ contact }: { contact: Pick<ContactRecord, 'blocked' | 'subscribed'> }) {
  if (contact.blocked) return <Status tone="bad">Blocked</Status>;
  return contact.subscribed ? (
    <Status tone="good">Subscribed</Status>
  ) : (
    <Status tone="warning">Unsubscribed</Status>
  );
}
