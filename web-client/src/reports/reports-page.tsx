import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCan } from '../account/use-profile.ts';
import { Page, Section } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { trpc } from '../app/trpc.ts';
import { type Behind, BehindDialog } from './behind-dialog.tsx';
import { FigureCard } from './figure-card.tsx';
import { lastDays, lengths } from './period.ts';
import { reportsRoute } from './routes.ts';
import { AgentRows, CampaignRows, TagRows } from './rows.tsx';
import { countOf } from './units.ts';
import './reports.css';

type Search = ReturnType<typeof reportsRoute.useSearch>;
const closed = {
  metric: undefined,
  agent: undefined,
  tag: undefined,
  campaign: undefined,
  rating: undefined,
};

/** Figures of a period beside the one before it. */
export function ReportsPage() {
  const { t } = useLingui();
  const search = reportsRoute.useSearch();
  const can = useCan();
  const navigate = useNavigate({ from: reportsRoute.fullPath });
  const usual = lastDays(30);
  const period = { from: search.from ?? usual.from, to: search.to ?? usual.to };
  const group = search.group ?? 'day';
  const input = { ...period, group };
  const volume = useQuery(trpc.reports.volume.queryOptions(input));
  const response = useQuery(trpc.reports.firstResponse.queryOptions(input));
  const resolution = useQuery(trpc.reports.resolution.queryOptions(input));
  const csat = useQuery(trpc.reports.csat.queryOptions(input));
  const set = (change: Partial<Search>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false });
  const open = (behind: Omit<Behind, 'from' | 'to'>) => set({ ...closed, ...behind });
  return (
    <Page
      title={t`Reports`}
      description={t`Whole days in the company’s time zone. Each number opens the conversations behind it.`}
    >
      <PeriodForm period={period} group={group} set={set} />
      <Section title={t`Inbox`}>
        <div className="report-grid">
          {[volume, response, resolution].map((query, index) => (
            <QueryFigures key={index} query={query} group={group} open={open} />
          ))}
        </div>
      </Section>
      <Section title={t`Satisfaction`}>
        <QueryState query={csat}>
          {({ data }) => (
            <div className="report-grid">
              {data.figures.map((figure) => (
                <FigureCard
                  key={figure.metric}
                  figure={figure}
                  group={group}
                  open={(metric) => open({ metric })}
                />
              ))}
              <Marks distribution={data.distribution} open={(rating) => open({ metric: 'rating', rating })} />
            </div>
          )}
        </QueryState>
      </Section>
      <AgentRows period={period} open={open} />
      <TagRows period={period} open={open} />
      {can('campaigns.view') && <CampaignRows period={period} open={open} />}
      {search.metric !== undefined && (
        <BehindDialog
          behind={{
            ...period,
            metric: search.metric,
            agent: search.agent,
            tag: search.tag,
            campaign: search.campaign,
            rating: search.rating,
          }}
          onClose={() => set(closed)}
        />
      )}
    </Page>
  );
}

type FigureQuery = ReturnType<
  typeof useQuery<{ data: { figures: Parameters<typeof FigureCard>[0]['figure'][] } }, unknown>
>;

function QueryFigures({
  query,
  group,
  open,
}: {
  query: FigureQuery;
  group: 'day' | 'week';
  open(behind: Omit<Behind, 'from' | 'to'>): void;
}) {
  if (query.data === undefined || query.error !== null)
    return <QueryState query={query}>{() => null}</QueryState>;
  return query.data.data.figures.map((figure) => (
    <FigureCard key={figure.metric} figure={figure} group={group} open={(metric) => open({ metric })} />
  ));
}

function PeriodForm({
  period,
  group,
  set,
}: {
  period: { from: string; to: string };
  group: 'day' | 'week';
  set(change: Partial<Search>): void;
}) {
  const { t } = useLingui();
  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        type="date"
        label={t`From`}
        value={period.from}
        max={period.to}
        onChange={(event) => set({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label={t`To`}
        value={period.to}
        min={period.from}
        onChange={(event) => set({ to: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        label={t`By`}
        value={group}
        onChange={(event) => set({ group: event.currentTarget.value === 'week' ? 'week' : 'day' })}
        data={[
          { value: 'day', label: t`Day` },
          { value: 'week', label: t`Week` },
        ]}
      />
      <Group gap="xs">
        {lengths.map((days) => {
          const chosen = lastDays(days);
          const current = chosen.from === period.from && chosen.to === period.to;
          return (
            <Button
              key={days}
              variant={current ? 'filled' : 'default'}
              aria-pressed={current}
              onClick={() => set(chosen)}
            >
              <Plural value={days} one="# day" other="# days" />
            </Button>
          );
        })}
      </Group>
    </Group>
  );
}

function Marks({
  distribution,
  open,
}: {
  distribution: readonly { rating: number; count: number }[];
  open(rating: number): void;
}) {
  const { t } = useLingui();
  const all = distribution.reduce((sum, { count }) => sum + count, 0);
  return (
    <section className="report-card" aria-label={t`Marks`}>
      <Text fw={600}>
        <Trans>Marks</Trans>
      </Text>
      <table className="report-numbers">
        <caption className="visually-hidden">
          <Trans>How often each mark was given</Trans>
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <Trans>Mark</Trans>
            </th>
            <th scope="col">
              <Trans>Given</Trans>
            </th>
            <th scope="col">
              <Trans>Share</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {distribution.toReversed().map(({ rating, count }) => (
            <tr key={rating}>
              <th scope="row">
                <Trans>{rating} of 5</Trans>
              </th>
              <td>
                {count === 0 ? (
                  0
                ) : (
                  <button type="button" className="report-open" onClick={() => open(rating)}>
                    {countOf(count)}
                    <span className="visually-hidden">
                      {' '}
                      <Trans>with {rating}: show the conversations</Trans>
                    </span>
                  </button>
                )}
              </td>
              <td>{all === 0 ? '–' : `${Math.round((count / all) * 100)} %`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
