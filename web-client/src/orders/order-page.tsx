import { Trans, useLingui } from '@lingui/react/macro';
import { Anchor, Box, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BackLink } from '../app/back-link.tsx';
import { CardTable } from '../app/card-table.tsx';
import { Facts } from '../app/facts.tsx';
import { failureOf } from '../app/failure.ts';
import { Moment } from '../app/moment.tsx';
import { money } from '../app/money.ts';
import { PageNotFound } from '../app/page-failure.tsx';
import { Page, Section } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { Status } from '../app/status.tsx';
import { trpc } from '../app/trpc.ts';
import { inWords } from '../app/words.ts';
import { AdvanceOrder } from './advance-order.tsx';
import type { OrderRecord } from './orders-page.tsx';
import { orderRoute } from './routes.ts';
import { useOrderNews } from './use-order-news.ts';
import { orderTone, paymentTone } from './words.ts';
import './orders.css';

/** One order, and where it may go next. */
export function OrderPage() {
  const { t } = useLingui();
  const { order: id } = orderRoute.useParams();
  const query = useQuery(trpc.orders.show.queryOptions({ order: id }));
  const order = query.data?.data;
  useOrderNews();
  if (query.error !== null && failureOf(query.error).code === 'not_found') return <PageNotFound />;
  return (
    <Box>
      <BackLink to="/orders">{t`Orders`}</BackLink>
      <Page
        title={order ? t`Order ${order.number}` : t`Order`}
        actions={order && <AdvanceOrder order={order} />}
      >
        <QueryState query={query}>
          {({ data }) => (
            <Stack gap="xl">
              <About order={data} />
              <Items order={data} />
              <History order={data} />
            </Stack>
          )}
        </QueryState>
      </Page>
    </Box>
  );
}

function About({ order }: { order: OrderRecord }) {
  const { t } = useLingui();
  const { contact, conversation, tracking, shipping_address: address } = order;
  const lines = address && [
    address.name,
    address.line1,
    address.line2,
    [address.postal_code, address.city].filter(Boolean).join(' '),
    address.region,
    address.country,
  ];
  return (
    <Facts
      facts={[
        { label: t`Status`, value: <Status tone={orderTone[order.status]}>{inWords(order.status)}</Status> },
        {
          label: t`Payment`,
          value: <Status tone={paymentTone[order.payment_status]}>{inWords(order.payment_status)}</Status>,
        },
        {
          label: t`Customer`,
          value: (
            <Anchor component={Link} to={`/contacts/${contact.id}`}>
              {contact.name ?? contact.phone ?? t`No name`}
            </Anchor>
          ),
        },
        {
          label: t`Conversation`,
          value: conversation && (
            <Anchor component={Link} to={`/conversations/${conversation}`}>
              <Trans>Open it</Trans>
            </Anchor>
          ),
        },
        { label: t`Placed`, value: <Moment at={order.placed_at} /> },
        { label: t`Source`, value: inWords(order.source) },
        ...(order.external_id ? [{ label: t`Your number`, value: order.external_id }] : []),
        ...(order.cancel_reason ? [{ label: t`Cancelled by`, value: inWords(order.cancel_reason) }] : []),
        ...(tracking ? [{ label: t`Tracking`, value: <Tracking tracking={tracking} /> }] : []),
        ...(lines ? [{ label: t`Ships to`, value: lines.filter(Boolean).join(', ') }] : []),
        ...(order.notes ? [{ label: t`Notes`, value: <span className="wrapped">{order.notes}</span> }] : []),
      ]}
    />
  );
}

function Tracking({
  tracking: { carrier, number, url },
}: {
  tracking: NonNullable<OrderRecord['tracking']>;
}) {
  const { t } = useLingui();
  const text = [carrier, number].filter(Boolean).join(' ') || t`Follow it`;
  return url === null ? (
    text
  ) : (
    <Anchor href={url} target="_blank" rel="noopener noreferrer">
      {text}
    </Anchor>
  );
}

function Items({ order }: { order: OrderRecord }) {
  const { t } = useLingui();
  const say = (amount: number) => money(amount, order.currency);
  const sums = [
    { label: t`Subtotal`, amount: order.subtotal },
    { label: t`Discount`, amount: -order.discount },
    { label: t`Shipping`, amount: order.shipping_fee },
    { label: t`Tax`, amount: order.tax },
  ].filter(({ amount }, index) => index === 0 || amount !== 0);
  return (
    <Section title={t`Items`}>
      <CardTable
        caption={t`Items`}
        rows={order.items}
        keyOf={({ id }) => id}
        columns={[
          {
            label: t`Item`,
            bare: true,
            cell: ({ name, sku }) => (
              <Stack gap={0}>
                <Text fw={600}>{name}</Text>
                {sku !== null && (
                  <Text size="sm" c="dimmed">
                    {sku}
                  </Text>
                )}
              </Stack>
            ),
          },
          { label: t`Quantity`, cell: ({ quantity }) => quantity },
          { label: t`Price`, cell: ({ unit_price }) => say(unit_price) },
          { label: t`Total`, cell: ({ total }) => say(total) },
        ]}
      />
      <dl className="order-sums">
        {sums.map(({ label, amount }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{say(amount)}</dd>
          </div>
        ))}
        <div>
          <dt>
            <Trans>Total</Trans>
          </dt>
          <dd>{say(order.total)}</dd>
        </div>
      </dl>
    </Section>
  );
}

function History({ order }: { order: OrderRecord }) {
  const { t } = useLingui();
  return (
    <Section title={t`What happened`}>
      <ol className="order-history">
        {order.status_history.map(({ status, at, by, note }) => (
          <li key={`${status} ${at}`}>
            <Status tone={orderTone[status]}>{inWords(status)}</Status>
            <Text size="sm" c="dimmed" component="div">
              <Moment at={at} />
              {by?.name != null && t` by ${by.name}`}
            </Text>
            {note !== null && <Text className="wrapped">{note}</Text>}
          </li>
        ))}
      </ol>
    </Section>
  );
}
