import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CardTable } from '../app/card-table.tsx';
import { Section } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { type inferOutput, trpc } from '../app/trpc.ts';
import { number } from '../app/words.ts';
import type { CampaignRecord } from './campaigns-page.tsx';
import { pace } from './words.ts';
import { dateFormat, type DateFormat } from '../language/formats.ts';

type Timeline = inferOutput<typeof trpc.campaigns.timeline>['data'];
type Interval = Timeline['intervals'][number];

const width = 600;
const height = 140;

/** When messages went out, arrived and were read: drawn, and as a table. */
export function Timeline({ campaign: { id, status } }: { campaign: CampaignRecord }) {
  const { t } = useLingui();
  const query = useQuery(
    trpc.campaigns.timeline.queryOptions({ campaign: id }, { refetchInterval: pace(status) && 5_000 }),
  );
  return (
    <Section title={t`Over time`}>
      <QueryState query={query}>
        {({ data }) =>
          data.intervals.length === 0 ? (
            <Text c="dimmed">
              <Trans>Nothing was sent yet.</Trans>
            </Text>
          ) : (
            <Drawn timeline={data} />
          )
        }
      </QueryState>
    </Section>
  );
}

function Drawn({ timeline: { step, intervals } }: { timeline: Timeline }) {
  const { t } = useLingui();
  const when = formatOf(step);
  const first = Date.parse(intervals[0]?.start ?? '');
  const last = Date.parse(intervals.at(-1)?.start ?? '');
  const places = Math.round((last - first) / 1_000 / step) + 1;
  const slot = width / places;
  const most = Math.max(1, ...intervals.flatMap(({ sent, read }) => [sent, read]));
  const bar = Math.min(12, Math.max(1, slot / 2 - 1));
  return (
    <div className="campaign-chart">
      <svg
        viewBox={`0 0 ${width} ${height + 1}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t`Sent and read over time, see the table`}
      >
        <line x1={0} x2={width} y1={height} y2={height} />
        {intervals.map(({ start, sent, read }) => {
          const x = ((Date.parse(start) - first) / 1_000 / step + 0.5) * slot;
          return (
            <g key={start}>
              <title>{t`${when.format(new Date(start))}: ${number.format(sent)} sent, ${number.format(read)} read`}</title>
              <Bar x={x - bar} width={bar} part={sent / most} kind="sent" />
              <Bar x={x} width={bar} part={read / most} kind="read" />
            </g>
          );
        })}
      </svg>
      <div className="campaign-ticks" aria-hidden="true">
        <span>{when.format(first)}</span>
        <span>
          <i data-kind="sent" />{' '}
          <Trans>
            Sent <i data-kind="read" /> Read
          </Trans>
        </span>
        <span>{last > first && when.format(last)}</span>
      </div>
      <details>
        <summary>
          <Trans>The numbers as a table</Trans>
        </summary>
        <CardTable<Interval>
          caption={t`Over time`}
          rows={intervals}
          keyOf={({ start }) => start}
          columns={[
            { label: t`From`, bare: true, cell: ({ start }) => when.format(new Date(start)) },
            { label: t`Sent`, cell: ({ sent }) => <Figure value={sent} /> },
            { label: t`Delivered`, cell: ({ delivered }) => <Figure value={delivered} /> },
            { label: t`Read`, cell: ({ read }) => <Figure value={read} /> },
            { label: t`Replied`, cell: ({ replied }) => <Figure value={replied} /> },
            { label: t`Failed`, cell: ({ failed }) => <Figure value={failed} /> },
          ]}
        />
      </details>
    </div>
  );
}

function Figure({ value }: { value: number }) {
  return <span className="campaign-figure">{number.format(value)}</span>;
}

interface BarProps {
  x: number;
  width: number;
  /** Of the highest bar. */
  part: number;
  kind: 'sent' | 'read';
}

function Bar({ x, width: wide, part, kind }: BarProps) {
  const tall = Math.max(part > 0 ? 2 : 0, part * (height - 8));
  return <rect data-kind={kind} x={x} y={height - tall} width={wide} height={tall} />;
}

function formatOf(step: number): DateFormat {
  const day = { day: 'numeric', month: 'short' } as const;
  return dateFormat(step >= 86_400 ? day : { ...day, hour: '2-digit', minute: '2-digit' });
}
