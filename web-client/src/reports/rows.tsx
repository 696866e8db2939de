import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CardTable } from '../app/card-table.tsx';
import { Section } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { trpc } from '../app/trpc.ts';
import type { Behind } from './behind-dialog.tsx';
import { changeOf, countOf, duration, type Metric, money, type Summary } from './units.ts';

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
      <span className="visually-hidden"> {label}: show the conversations</span>
    </button>
  );
}

const timed = ({ median }: Summary) => (median === null ? '–' : duration(median));
const rated = ({ average, count }: Summary) => `${(average ?? 0).toFixed(1)} (${countOf(count)})`;
const numbered = ({ count }: Summary) => countOf(count);

const columns = {
  opened: { label: 'New', text: numbered },
  sent: { label: 'Messages sent', text: numbered },
  closed: { label: 'Closed', text: numbered },
  first_response: { label: 'First response', text: timed },
  resolution: { label: 'Time to close', text: timed },
  rating: { label: 'Rating', text: rated },
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
        label={`${label} of ${nameOf(row)}`}
        text={text(row[metric])}
        count={row[metric].count}
        open={() => open(row, metric)}
      />
    ),
  };
}

export function AgentRows({ period, open }: Props) {
  const rows = useQuery(trpc.reports.byAgent.queryOptions(period));
  type Row = NonNullable<typeof rows.data>['data'][number];
  const nameOf = ({ agent }: Row) => agent.name;
  const show = ({ agent }: Row, metric: Metric) => open({ metric, agent: agent.email });
  return (
    <Section title="By agent" description="What a key of an agent does counts as theirs.">
      <QueryState query={rows}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">Nobody has answered or closed anything in this period.</Text>
          ) : (
            <CardTable<Row>
              caption="By agent"
              rows={data}
              keyOf={({ agent }) => agent.email}
              columns={[
                { label: 'Agent', bare: true, cell: ({ agent }) => <Text fw={600}>{agent.name}</Text> },
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
  const rows = useQuery(trpc.reports.byTag.queryOptions(period));
  type Row = NonNullable<typeof rows.data>['data'][number];
  const nameOf = ({ tag }: Row) => tag.name;
  const show = ({ tag }: Row, metric: Metric) => open({ metric, tag: tag.id });
  return (
    <Section title="By tag" description="By the tags that conversations carry now.">
      <QueryState query={rows}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">No conversation of this period carries a tag.</Text>
          ) : (
            <CardTable<Row>
              caption="By tag"
              rows={data}
              keyOf={({ tag }) => tag.id}
              columns={[
                { label: 'Tag', bare: true, cell: ({ tag }) => <Text fw={600}>{tag.name}</Text> },
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
  const rows = useQuery(trpc.reports.campaignRevenue.queryOptions(period));
  type Row = NonNullable<typeof rows.data>['data'][number];
  return (
    <Section
      title="Campaigns"
      description="Orders within 7 days of a campaign’s message in their conversation, unless cancelled or returned."
    >
      <QueryState query={rows}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">No campaign has brought an order in this period.</Text>
          ) : (
            <CardTable<Row>
              caption="Campaigns"
              rows={data}
              keyOf={({ campaign }) => campaign.id}
              columns={[
                {
                  label: 'Campaign',
                  bare: true,
                  cell: ({ campaign }) => <Text fw={600}>{campaign.name}</Text>,
                },
                {
                  label: 'Orders',
                  cell: ({ campaign, orders }) => (
                    <Cell
                      label={`Orders of ${campaign.name}`}
                      text={countOf(orders)}
                      count={orders}
                      open={() => open({ metric: 'campaign_orders', campaign: campaign.id })}
                    />
                  ),
                },
                { label: 'Revenue', cell: ({ revenue, currency }) => money(revenue, currency) },
                {
                  label: 'Before',
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
