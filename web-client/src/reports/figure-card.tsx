import { Group, Text } from '@mantine/core';
import { Chart } from './chart.tsx';
import { changeOf, countOf, type Figure, headline, type Metric, shown, titles } from './units.ts';

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
  const { metric, total, previous, definition, unit } = figure;
  const [now, before] = [headline(figure, total), headline(figure, previous)];
  const change = changeOf(now, before);
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
              <span className="visually-hidden"> {title}: show the conversations</span>
            </button>
          )}
        </span>
        {unit === 'seconds' && total.p90 !== null && (
          <Text size="sm">median; 90 % within {shown(figure, total.p90)}</Text>
        )}
        {unit === 'rating' && total.count > 0 && <Text size="sm">of 5, from {countOf(total.count)}</Text>}
      </Group>
      <Text size="sm" c="dimmed">
        {change === null ? 'Before: ' : `${change} from `}
        {shown(figure, before)}
      </Text>
      <Chart figure={figure} group={group} />
      <Text size="sm" c="dimmed" mt="xs">
        {definition}
      </Text>
    </section>
  );
}
