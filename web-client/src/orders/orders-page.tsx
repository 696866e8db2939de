import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Button, Group, TextInput } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { orderStatuses, paymentStatuses } from '../../../schema/words.ts';
import { useCan } from '../account/use-profile.ts';
import { CsvMenu } from '../app/csv-menu.tsx';
import { Empty } from '../app/empty.tsx';
import { FilterSelect } from '../app/filter-select.tsx';
import { Moment } from '../app/moment.tsx';
import { money } from '../app/money.ts';
import { Page } from '../app/page.tsx';
import { RecordLink } from '../app/record-link.tsx';
import { byCursor, type RecordColumn, RecordTable } from '../app/record-table.tsx';
import { SearchField } from '../app/search-field.tsx';
import { useSetSearch } from '../app/search.ts';
import { Status } from '../app/status.tsx';
import { type inferOutput, trpc } from '../app/trpc.ts';
import { inWords, number, optionsOf } from '../app/words.ts';
import { CustomerFilter } from './customer-filter.tsx';
import { ordersRoute, type OrdersSearch } from './routes.ts';
import { useOrderNews } from './use-order-news.ts';
import { orderTone, paymentTone } from './words.ts';

export type OrderRecord = inferOutput<typeof trpc.orders.show>['data'];

const none: OrdersSearch = {
  q: undefined,
  status: undefined,
  payment: undefined,
  contact: undefined,
  from: undefined,
  to: undefined,
};

/** What was sold, newest first. */
export function OrdersPage() {
  const { t } = useLingui();
  const search = ordersRoute.useSearch();
  const { q, status, payment, contact, from, to } = search;
  const setSearch = useSetSearch<OrdersSearch>();
  const can = useCan();
  const manages = can('commerce.manage');
  const news = useOrderNews();
  const filters = {
    q,
    status,
    payment_status: payment,
    contact,
    from: startOf(from),
    to: startOf(to, 1),
  };
  const query = useInfiniteQuery(
    trpc.orders.list.infiniteQueryOptions(
      { ...filters, limit: 50 },
      { ...byCursor, placeholderData: keepPreviousData },
    ),
  );
  const filtered = Object.values(filters).some((value) => value !== undefined);
  const add = manages && (
    <Button component={Link} to="/orders/new">
      <Trans>New order</Trans>
    </Button>
  );
  return (
    <Page
      title={t`Orders`}
      description={t`What was sold, in the house and in conversations.`}
      actions={
        <Group gap="xs">
          <CsvMenu resource="orders" filters={filters} mayImport={manages} onImported={news.show} />
          {add}
        </Group>
      }
    >
      <search className="record-filters">
        <SearchField
          label={t`Number, name, phone or e-mail`}
          value={q}
          onChange={(text) => setSearch({ q: text })}
        />
        <FilterSelect
          label={t`Status`}
          all={t`Any status`}
          options={optionsOf(orderStatuses)}
          value={status}
          onChange={(word) => setSearch({ status: word })}
        />
        <FilterSelect
          label={t`Payment`}
          all={t`Paid or not`}
          options={optionsOf(paymentStatuses)}
          value={payment}
          onChange={(word) => setSearch({ payment: word })}
        />
        {can('contacts.view') && (
          <CustomerFilter value={contact} onChange={(id) => setSearch({ contact: id })} />
        )}
        <TextInput
          type="date"
          aria-label={t`Created from`}
          value={from ?? ''}
          onChange={(event) => setSearch({ from: event.currentTarget.value || undefined })}
        />
        <TextInput
          type="date"
          aria-label={t`Created until`}
          value={to ?? ''}
          onChange={(event) => setSearch({ to: event.currentTarget.value || undefined })}
        />
      </search>
      <RecordTable
        name="orders"
        news={news}
        caption={t`Orders`}
        query={query}
        columns={columns}
        keyOf={({ id }) => id}
        onClear={filtered ? () => setSearch(none) : undefined}
        empty={
          <Empty title={t`No orders yet`} action={add}>
            <Trans>Orders come from conversations, from the API, and from here.</Trans>
          </Empty>
        }
      />
    </Page>
  );
}

/** Midnight of a day where the reader is, or of a later one; nothing for what is no day. */
function startOf(day: string | undefined, later = 0): string | undefined {
  const [year = Number.NaN, month = Number.NaN, date = Number.NaN] = (day ?? '').split('-').map(Number);
  const start = new Date(year, month - 1, date + later);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}

const columns: readonly RecordColumn<OrderRecord>[] = [
  {
    id: 'number',
    get label() {
      return t`Order`;
    },
    bare: true,
    cell: (order) => (
      <RecordLink to={`/orders/${order.id}`}>
        <Trans>Order {order.number}</Trans>
      </RecordLink>
    ),
  },
  {
    id: 'customer',
    get label() {
      return t`Customer`;
    },
    cell: ({ contact }) => contact.name ?? contact.phone ?? t`No name`,
  },
  {
    id: 'status',
    get label() {
      return t`Status`;
    },
    cell: ({ status }) => <Status tone={orderTone[status]}>{inWords(status)}</Status>,
  },
  {
    id: 'payment',
    get label() {
      return t`Payment`;
    },
    cell: ({ payment_status: payment }) => <Status tone={paymentTone[payment]}>{inWords(payment)}</Status>,
  },
  {
    id: 'channel',
    get label() {
      return t`Channel`;
    },
    cell: ({ source }) => inWords(source),
  },
  {
    id: 'created',
    get label() {
      return t`Created`;
    },
    cell: ({ created_at }) => <Moment at={created_at} />,
  },
  {
    id: 'items',
    get label() {
      return t`Items`;
    },
    number: true,
    optional: true,
    cell: ({ items }) => number.format(items.reduce((sum, { quantity }) => sum + quantity, 0)),
  },
  {
    id: 'total',
    get label() {
      return t`Total`;
    },
    number: true,
    cell: ({ total, currency }) => money(total, currency),
  },
];
