import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CardTable } from '../app/card-table.tsx';
import { Section } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { trpc } from '../app/trpc.ts';
import type { Behind } from './behind-dialog.tsx';
import { changeOf, countOf, duration, type Metric, money, shown, type Summary } from './units.ts';

interface Props {
  period: { from: string; to: string };
  open(behind: Omit<Behind, 'from' | 'to'>): void;
}

interface CellProps {
  label: string;
  text: string;
  count: number;
  open(): void;
}

/** A number that opens what is behind it. */
function Cell({ label, text, count, open }: CellProps) {
  if (count === 0) return '–';
  return (
    <button type="button" className="report-open" onClick={open}>
      {text}
      <span className="visually-hidden">
        {' '}
        <Trans>{label}: show the conversations</Trans>
      </span>
    </button>
  );
}

const timed = ({ median }: Summary) => (median === null ? '–' : duration(median));
const rated = ({ average, count }: Summary) =>
  `${shown({ unit: 'rating' }, average ?? 0)} (${countOf(count)})`;
const numbered = ({ count }: Summary) => countOf(count);

const columns = {
  opened: {
    get label() {
      return t`New`;
    },
    text: numbered,
  },
  sent: {
    get label() {
      return t`Messages sent`;
    },
    text: numbered,
  },
  closed: {
    get label() {
      return t`Closed`;
    },
    text: numbered,
  },
  first_response: {
    get label() {
      return t`First response`;
    },
    text: timed,
  },
  resolution: {
    get label() {
      return t`Time to close`;
    },
    text: timed,
  },
  rating: {
    get label() {
      return t`Rating`;
    },
    text: rated,
  },
} as const;

type Column = keyof typeof columns;

function column<M extends Column, R extends Record<M, Summary>>(
  metric: M,
  nameOf: (row: R) => string,
  open: (row: R, metric: Metric) => void,
) {
  const { label, text } = columns[metric];
  return {
    label,
    cell: (row: R) => (
      <Cell
        label={t`${label} of ${nameOf(row)}`}
        text={text(row[metric])}
        count={row[metric].count}
        open={() => open(row, metric)}
      />
    ),
  };
}

export function AgentRows({ period, open }: Props) {
  const { t } = useLingui();
  const rows = useQuery(trpc.reports.byAgent.queryOptions(period));
  type Row = NonNullable<typeof rows.data>['data'][number];
  const nameOf = ({ agent }: Row) => agent.name;
  const show = ({ agent }: Row, metric: Metric) => open({ metric, agent: agent.email });
  return (
    <Section title={t`By agent`} description={t`What a key of an agent does counts as theirs.`}>
      <QueryState query={rows}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">
              <Trans>Nobody has answered or closed anything in this period.</Trans>
            </Text>
          ) : (
            <CardTable<Row>
              caption={t`By agent`}
              rows={data}
              keyOf={({ agent }) => agent.email}
              columns={[
                { label: t`Agent`, bare: true, cell: ({ agent }) => <Text fw={600}>{agent.name}</Text> },
                column('sent', nameOf, show),
                column('closed', nameOf, show),
                column('first_response', nameOf, show),
                column('resolution', nameOf, show),
                column('rating', nameOf, show),
              ]}
            />
          )
        }
      </QueryState>
    </Section>
  );
}

export function TagRows({ period, open }: Props) {
  const { t } = useLingui();
  const rows = useQuery(trpc.reports.byTag.queryOptions(period));
  type Row = NonNullable<typeof rows.data>['data'][number];
  const nameOf = ({ tag }: Row) => tag.name;
  const show = ({ tag }: Row, metric: Metric) => open({ metric, tag: tag.id });
  return (
    <Section title={t`By tag`} description={t`By the tags that conversations carry now.`}>
      <QueryState query={rows}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">
              <Trans>No conversation of this period carries a tag.</Trans>
            </Text>
          ) : (
            <CardTable<Row>
              caption={t`By tag`}
              rows={data}
              keyOf={({ tag }) => tag.id}
              columns={[
                { label: t`Tag`, bare: true, cell: ({ tag }) => <Text fw={600}>{tag.name}</Text> },
                column('opened', nameOf, show),
                column('closed', nameOf, show),
                column('first_response', nameOf, show),
                column('resolution', nameOf, show),
                column('rating', nameOf, show),
              ]}
            />
          )
        }
      </QueryState>
    </Section>
  );
}

export function CampaignRows({ period, open }: Props) {
  const { t } = useLingui();
  const rows = useQuery(trpc.reports.campaignRevenue.queryOptions(period));
  type Row = NonNullable<typeof rows.data>['data'][number];
  return (
    <Section
      title={t`Campaigns`}
      description={t`Orders within 7 days of a campaign’s message in their conversation, unless cancelled or returned.`}
    >
      <QueryState query={rows}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">
              <Trans>No campaign has brought an order in this period.</Trans>
            </Text>
          ) : (
            <CardTable<Row>
              caption={t`Campaigns`}
              rows={data}
              keyOf={({ campaign }) => campaign.id}
              columns={[
                {
                  label: t`Campaign`,
                  bare: true,
                  cell: ({ campaign }) => <Text fw={600}>{campaign.name}</Text>,
                },
                {
                  label: t`Orders`,
                  cell: ({ campaign, orders }) => (
                    <Cell
                      label={t`Orders of ${campaign.name}`}
                      text={countOf(orders)}
                      count={orders}
                      open={() => open({ metric: 'campaign_orders', campaign: campaign.id })}
                    />
                  ),
                },
                { label: t`Revenue`, cell: ({ revenue, currency }) => money(revenue, currency) },
                {
                  label: t`Before`,
                  cell: ({ revenue, previous_revenue, currency }) => {
                    const change = changeOf(revenue, previous_revenue);
                    return `${money(previous_revenue, currency)}${change === null ? '' : ` (${change})`}`;
                  },
                },
              ]}
            />
          )
        }
      </QueryState>
    </Section>
  );
}
