import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Anchor, Button, Group } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
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
import { type inferOutput, trpc } from '../app/trpc.ts';
import { TagNames } from '../tags/tag-name.tsx';
import { ContactFilters } from './contact-filters.tsx';
import { CreateContactDialog } from './create-contact-dialog.tsx';
import { Country } from './flag.tsx';
import { Phone } from './phone.tsx';
import { useContactNews } from './use-contact-news.ts';
import './contacts.css';
import { contactsRoute, type ContactsSearch } from './routes.ts';
import { ContactSelection } from './contact-selection.tsx';

export type ContactRecord = inferOutput<typeof trpc.contacts.records>['data'][number];

/** Everybody the company talks to. */
export function ContactsPage() {
  const { t } = useLingui();
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
  const news = useContactNews(can('inbox.access'));
  const filtered = Object.values(filters).some((value) => value !== undefined);
  const manages = can('contacts.manage');
  const add = (
    <Button disabled={!manages} onClick={() => setSearch({ create: true }, 'push')}>
      <Trans>New contact</Trans>
    </Button>
  );
  return (
    <Page
      title={t`Contacts`}
      description={
        manages
          ? t`Everybody you talk to.`
          : t`Everybody you talk to. Your role may look, and change nothing.`
      }
      actions={
        <Group gap="xs">
          <CsvMenu
            resource="contacts"
            filters={{ ...filters, sort }}
            mayImport={manages}
            onImported={news.show}
          />
          {add}
        </Group>
      }
    >
      <ContactFilters value={{ ...filters, sort }} onChange={setSearch} />
      <RecordTable
        name="contacts"
        news={news}
        caption={t`Contacts`}
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
                nameOf: ({ name, phone, email }) => name ?? phone ?? email ?? t`the contact`,
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
          <Empty title={t`No contacts yet`} action={add}>
            <Trans>Whoever writes to you stands here by themselves. You can add people, too.</Trans>
          </Empty>
        }
      />
      <ContactSelection selected={selected} onDone={() => setSelected(new Set())} />
      <CreateContactDialog opened={create === true} onClose={() => setSearch({ create: undefined })} />
    </Page>
  );
}

const columns: readonly RecordColumn<ContactRecord>[] = [
  {
    id: 'name',
    get label() {
      return t`Name`;
    },
    bare: true,
    sort: { by: 'name', direction: 'ascending' },
    cell: ({ id, name, phone, email }) => (
      <RecordLink to={`/contacts/${id}`}>{name ?? phone ?? email ?? t`No name`}</RecordLink>
    ),
  },
  {
    id: 'phone',
    get label() {
      return t`Phone`;
    },
    cell: ({ phone }) => (phone === null ? null : <Phone number={phone} />),
  },
  {
    id: 'email',
    get label() {
      return t`E-mail`;
    },
    cell: ({ email }) =>
      email && (
        <span className="contact-email" title={email}>
          {email}
        </span>
      ),
  },
  {
    id: 'country',
    get label() {
      return t`Country`;
    },
    cell: ({ country }) => country && <Country code={country} />,
  },
  {
    id: 'tags',
    get label() {
      return t`Tags`;
    },
    cell: ({ tags }) => <TagNames tags={tags} most={2} />,
  },
  {
    id: 'marketing',
    get label() {
      return t`Marketing`;
    },
    cell: (contact) => <ContactStatus contact={contact} />,
  },
  {
    id: 'source',
    get label() {
      return t`Source`;
    },
    optional: true,
    cell: ({ source }) => source,
  },
  {
    id: 'conversation',
    get label() {
      return t`Last conversation`;
    },
    cell: ({ last_conversation: last }) =>
      last && (
        <Anchor component={Link} to={`/conversations/${last.id}`} size="sm">
          <Moment at={last.at} />
        </Anchor>
      ),
  },
  {
    id: 'created',
    get label() {
      return t`Created`;
    },
    sort: { by: 'created_at', direction: 'descending' },
    cell: ({ created_at }) => <Moment at={created_at} />,
  },
];

/** Whether one may write to them, and of what. */
export function ContactStatus({ contact }: { contact: Pick<ContactRecord, 'blocked' | 'subscribed'> }) {
  if (contact.blocked)
    return (
      <Status tone="bad">
        <Trans>Blocked</Trans>
      </Status>
    );
  return contact.subscribed ? (
    <Status tone="good">
      <Trans>Subscribed</Trans>
    </Status>
  ) : (
    <Status tone="warning">
      <Trans>Unsubscribed</Trans>
    </Status>
  );
}
