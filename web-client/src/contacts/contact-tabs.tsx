import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Scope } from '../../../schema/scopes.ts';
import { useCan } from '../account/use-profile.ts';
import { currentMode } from '../app/mode.ts';
import { Moment } from '../app/moment.tsx';
import { money } from '../app/money.ts';
import { QueryState } from '../app/query-state.tsx';
import { RecordLink } from '../app/record-link.tsx';
import { byCursor, RecordTable } from '../app/record-table.tsx';
import { useSetSearch } from '../app/search.ts';
import { trpc } from '../app/trpc.ts';
import { inWords } from '../app/words.ts';
import { bookingTone } from '../bookings/words.ts';
import { orderTone } from '../orders/words.ts';
import { Status } from '../app/status.tsx';
import { Activity } from './activity.tsx';
import type { ContactRecord } from './contacts-page.tsx';
import { contactRoute, contactTabs } from './routes.ts';
import './contacts.css';

type Tab = (typeof contactTabs)[number];

const needed: Record<Tab, Scope> = {
  conversations: 'inbox.access',
  orders: 'commerce.view',
  bookings: 'calendar.view',
  notes: 'contacts.view',
  activity: 'contacts.view',
};

/** What there is about a contact elsewhere, as far as one may see it. */
export function ContactTabs({ contact }: { contact: ContactRecord }) {
  const can = useCan();
  const { tab } = contactRoute.useSearch();
  const setSearch = useSetSearch<{ tab: Tab }>();
  const visible = contactTabs.filter((name) => can(needed[name]));
  const open = tab && visible.includes(tab) ? tab : visible[0];
  if (!open) return null;
  return (
    <Tabs value={open} onChange={(name) => setSearch({ tab: name as Tab })} keepMounted={false}>
      <Tabs.List>
        {visible.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {inWords(name)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={open} pt="md">
        {open === 'conversations' && <Conversations contact={contact} />}
        {open === 'orders' && <Orders contact={contact} />}
        {open === 'bookings' && <Bookings contact={contact} />}
        {open === 'notes' && <Notes contact={contact} />}
        {open === 'activity' && <Activity contact={contact.id} />}
      </Tabs.Panel>
    </Tabs>
  );
}

interface OwnProps {
  contact: ContactRecord;
}

function Conversations({ contact: { id } }: OwnProps) {
  const { t } = useLingui();
  const query = useInfiniteQuery(
    trpc.conversations.list.infiniteQueryOptions({ contact: id, limit: 25 }, byCursor),
  );
  return (
    <RecordTable
      caption={t`Conversations`}
      query={query}
      keyOf={(row) => row.id}
      empty={
        <Text c="dimmed">
          <Trans>They have not written yet, and nobody has written to them.</Trans>
        </Text>
      }
      columns={[
        {
          label: t`Last message`,
          bare: true,
          cell: (row) => (
            <RecordLink to={`/conversations/${row.id}`}>
              <span className="contact-snippet">{row.last_message?.snippet || t`No text`}</span>
            </RecordLink>
          ),
        },
        { label: t`Channel`, cell: ({ channel }) => inWords(channel) },
        {
          label: t`Status`,
          cell: ({ status }) => (
            <Status tone={status === 'open' ? 'info' : 'neutral'}>{inWords(status)}</Status>
          ),
        },
        { label: t`Assigned to`, cell: ({ assignee }) => assignee?.name ?? 'nobody' },
        { label: t`Last activity`, cell: ({ last_message_at }) => <Moment at={last_message_at} /> },
      ]}
    />
  );
}

function Orders({ contact: { id } }: OwnProps) {
  const { t } = useLingui();
  const manages = useCan()('commerce.manage');
  const query = useInfiniteQuery(trpc.orders.list.infiniteQueryOptions({ contact: id, limit: 25 }, byCursor));
  const list = (
    <RecordTable
      caption={t`Orders`}
      query={query}
      keyOf={(row) => row.id}
      empty={
        <Text c="dimmed">
          <Trans>No orders yet.</Trans>
        </Text>
      }
      columns={[
        {
          label: t`Order`,
          bare: true,
          cell: (row) => (
            <RecordLink to={`/orders/${row.id}`}>
              <Trans>Order {row.number}</Trans>
            </RecordLink>
          ),
        },
        {
          label: t`Status`,
          cell: ({ status }) => <Status tone={orderTone[status]}>{inWords(status)}</Status>,
        },
        { label: t`Total`, number: true, cell: ({ total, currency }) => money(total, currency) },
        { label: t`Placed`, cell: ({ placed_at }) => <Moment at={placed_at} /> },
      ]}
    />
  );
  return (
    <Stack gap="md">
      {manages && (
        <Add to="/orders/new" search={{ contact: id }}>
          <Trans>New order</Trans>
        </Add>
      )}
      {list}
    </Stack>
  );
}

/** Begins a record of this contact elsewhere. */
function Add({ to, search, children }: { to: string; search: object; children: ReactNode }) {
  return (
    <Group>
      <Button variant="default" component={Link} to={to} search={search as never}>
        {children}
      </Button>
    </Group>
  );
}

function Bookings({ contact: { id } }: OwnProps) {
  const manages = useCan()('calendar.manage');
  const test = currentMode() === 'test';
  const query = useQuery(trpc.bookings.ofContact.queryOptions({ contact: id }, { enabled: !test }));
  if (test)
    return (
      <Text c="dimmed">
        <Trans>Bookings have no sandbox. Switch to live mode to see them.</Trans>
      </Text>
    );
  return (
    <Stack gap="md">
      {manages && (
        <Add to="/bookings" search={{ open: 'new', contact: id }}>
          <Trans>New booking</Trans>
        </Add>
      )}
      <QueryState query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">
              <Trans>No bookings yet.</Trans>
            </Text>
          ) : (
            <ul className="contact-log">
              {data.map(({ id: booking, title, starts_at, status, agent }) => (
                <li key={booking}>
                  <RecordLink to="/bookings" search={{ open: booking, day: starts_at.slice(0, 10) }}>
                    {title}
                  </RecordLink>
                  <Text size="sm" c="dimmed" component="div">
                    <Trans>
                      <Moment at={starts_at} /> with {agent.name}
                    </Trans>{' '}
                    <Status tone={bookingTone[status]}>{inWords(status)}</Status>
                  </Text>
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
    </Stack>
  );
}

function Notes({ contact: { id } }: OwnProps) {
  const query = useQuery(trpc.contacts.notes.queryOptions({ contact: id }));
  return (
    <QueryState query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <Text c="dimmed">
            <Trans>No notes yet. They are written in conversations, where customers don’t see them.</Trans>
          </Text>
        ) : (
          <ul className="contact-log">
            {data.map(({ author, text, at }, index) => (
              <li key={`${at} ${index}`}>
                <Stack gap={2}>
                  <Text className="wrapped">{text}</Text>
                  <Text size="sm" c="dimmed">
                    {author}, <Moment at={at} />
                  </Text>
                </Stack>
              </li>
            ))}
          </ul>
        )
      }
    </QueryState>
  );
}
