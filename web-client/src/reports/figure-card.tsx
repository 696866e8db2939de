import { Trans } from '@lingui/react/macro';
import { Group, Text } from '@mantine/core';
import { Chart } from './chart.tsx';
import {
  changeOf,
  countOf,
  definitionOf,
  type Figure,
  headline,
  type Metric,
  shown,
  titles,
} from './units.ts';

/** One figure: its number, which opens what is behind it, the period before, and how it went. */
export function FigureCard({
  figure,
  group,
  open,
}: {
  figure: Figure;
  group: 'day' | 'week';
  open(metric: Metric): void;
}) {
  const { metric, total, previous, unit } = figure;
  const [now, before] = [headline(figure, total), headline(figure, previous)];
  const change = changeOf(now, before);
  const earlier = shown(figure, before);
  const title = titles[metric];
  return (
    <section className="report-card" aria-label={title}>
      <Text fw={600}>{title}</Text>
      <Group gap="sm" align="baseline">
        <span className="report-value">
          {total.count === 0 ? (
            shown(figure, now)
          ) : (
            <button type="button" className="report-open" onClick={() => open(metric)}>
              {shown(figure, now)}
              <span className="visually-hidden">
                {' '}
                <Trans>{title}: show the conversations</Trans>
              </span>
            </button>
          )}
        </span>
        {unit === 'seconds' && total.p90 !== null && (
          <Text size="sm">
            <Trans>median; 90 % within {shown(figure, total.p90)}</Trans>
          </Text>
        )}
        {unit === 'rating' && total.count > 0 && (
          <Text size="sm">
            <Trans>of 5, from {countOf(total.count)}</Trans>
          </Text>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {change === null ? (
          <Trans>Before: {earlier}</Trans>
        ) : (
          <Trans>
            {change} from {earlier}
          </Trans>
        )}
      </Text>
      <Chart figure={figure} group={group} />
      <Text size="sm" c="dimmed" mt="xs">
        {definitionOf(metric)}
      </Text>
    </section>
  );
}
