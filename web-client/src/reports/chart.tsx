import { Trans, useLingui } from '@lingui/react/macro';
import { countOf, dayOf, type Figure, headline, shown, titles } from './units.ts';
import './reports.css';

const width = 600;
const height = 150;

/** One figure over time as bars, with the same numbers as a table beside it. */
export function Chart({ figure, group }: { figure: Figure; group: 'day' | 'week' }) {
  const { t } = useLingui();
  const values = figure.series.map(({ summary }) => headline(figure, summary));
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const step = width / Math.max(1, values.length);
  const gap = Math.min(6, step / 4);
  const [first, last] = [figure.series[0], figure.series.at(-1)];
  const title = titles[figure.metric];
  return (
    <div className="report-chart">
      <svg
        viewBox={`0 0 ${width} ${height + 1}`}
        role="img"
        aria-label={group === 'week' ? t`${title} by week, see the table` : t`${title} by day, see the table`}
      >
        <line className="report-line" x1={0} x2={width} y1={height} y2={height} />
        {values.map((value, index) => {
          const tall = value === null ? 0 : Math.max(value > 0 ? 2 : 0, (value / most) * (height - 8));
          const part = figure.series[index];
          return (
            <rect
              key={part?.start}
              className="report-bar"
              x={index * step + gap / 2}
              y={height - tall}
              width={Math.max(1, step - gap)}
              height={tall}
              rx={Math.min(3, step / 4)}
            >
              <title>{`${dayOf(part?.start ?? '')}: ${shown(figure, value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div className="report-ticks" aria-hidden="true">
        <span>{first && dayOf(first.start)}</span>
        <span>{last && last !== first && dayOf(last.start)}</span>
      </div>
      <details>
        <summary>
          <Trans>Numbers: {title}</Trans>
        </summary>
        <Numbers figure={figure} group={group} />
      </details>
    </div>
  );
}

function Numbers({ figure, group }: { figure: Figure; group: 'day' | 'week' }) {
  const { t } = useLingui();
  const measured = figure.unit !== 'count';
  const title = titles[figure.metric];
  return (
    <table className="report-numbers">
      <caption className="visually-hidden">
        {group === 'week' ? t`${title} by week` : t`${title} by day`}
      </caption>
      <thead>
        <tr>
          <th scope="col">{group === 'week' ? t`Week from` : t`Day`}</th>
          <th scope="col">{measured ? t`Cases` : t`Number`}</th>
          {measured && <th scope="col">{figure.unit === 'rating' ? t`Mean` : t`Median`}</th>}
          {figure.unit === 'seconds' && (
            <th scope="col">
              <Trans>90 % within</Trans>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {figure.series.map(({ start, summary }) => (
          <tr key={start}>
            <th scope="row">{dayOf(start)}</th>
            <td>{countOf(summary.count)}</td>
            {measured && <td>{shown(figure, headline(figure, summary))}</td>}
            {figure.unit === 'seconds' && <td>{shown(figure, summary.p90)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
