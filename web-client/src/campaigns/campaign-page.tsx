import { Trans, useLingui } from '@lingui/react/macro';
import { plural, t } from '@lingui/core/macro';
import { Alert, Box, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { BackLink } from '../app/back-link.tsx';
import { Facts } from '../app/facts.tsx';
import { failureOf } from '../app/failure.ts';
import { Moment } from '../app/moment.tsx';
import { PageNotFound } from '../app/page-failure.tsx';
import { Page, Section } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { Status } from '../app/status.tsx';
import { trpc } from '../app/trpc.ts';
import { inWords } from '../app/words.ts';
import { CampaignActions } from './campaign-actions.tsx';
import type { CampaignRecord } from './campaigns-page.tsx';
import { Sent } from './campaigns-page.tsx';
import { Figures } from './figures.tsx';
import { Recipients } from './recipients.tsx';
import { campaignRoute } from './routes.ts';
import { Stopping } from './stopping.tsx';
import { Timeline } from './timeline.tsx';
import { useCampaignNews } from './use-campaign-news.ts';
import { campaignTone, pace, planned } from './words.ts';
import './campaigns.css';

/** One campaign: what it says, to whom, and what became of it. */
export function CampaignPage() {
  const { t } = useLingui();
  const { campaign: id } = campaignRoute.useParams();
  const query = useQuery(
    trpc.campaigns.show.queryOptions(
      { campaign: id },
      { refetchInterval: ({ state }) => pace(state.data?.data.status) },
    ),
  );
  const campaign = query.data?.data;
  useCampaignNews();
  if (query.error !== null && failureOf(query.error).code === 'not_found') return <PageNotFound />;
  return (
    <Box>
      <BackLink to="/campaigns">{t`Campaigns`}</BackLink>
      <Page
        title={campaign?.name ?? t`Campaign`}
        actions={campaign && <CampaignActions campaign={campaign} />}
      >
        <QueryState query={query}>
          {({ data }) => (
            <Stack gap="xl">
              <Stopped campaign={data} />
              <About campaign={data} />
              <Message campaign={data} />
              {data.stats.total > 0 && <Figures campaign={data} />}
              {data.stats.total > 0 && <Timeline campaign={data} />}
              {data.stats.total > 0 && <Recipients campaign={data} />}
            </Stack>
          )}
        </QueryState>
      </Page>
    </Box>
  );
}

const pauses: Record<NonNullable<CampaignRecord['pause_reason']>, string> = {
  get manual() {
    return t`Somebody paused it. Resume it to go on.`;
  },
  get error_rate() {
    return t`Too many messages failed, so it was paused. Look at the recipients that failed before you resume it.`;
  },
  get channel_down() {
    return t`The channel does not work. Mend it, then resume the campaign.`;
  },
};

/** Why nothing is sent at the moment. */
function Stopped({ campaign: { id, status, pause_reason, failure_reason } }: { campaign: CampaignRecord }) {
  const { t } = useLingui();
  if (status === 'cancelling') return <Stopping campaign={id} />;
  if (status === 'paused' && pause_reason !== null)
    return <Alert title={t`Paused`}>{pauses[pause_reason]}</Alert>;
  if (status === 'failed')
    return (
      <Alert color="red" title={t`It failed`}>
        {failure_reason}
      </Alert>
    );
  return null;
}

function About({ campaign }: { campaign: CampaignRecord }) {
  const { t } = useLingui();
  const { status, audience, stats } = campaign;
  return (
    <Facts
      facts={[
        { label: t`Status`, value: <Status tone={campaignTone[status]}>{inWords(status)}</Status> },
        ...(stats.total > 0 ? [{ label: t`Done`, value: <Sent stats={stats} /> }] : []),
        {
          label: t`Audience`,
          value: `${audience.description} (${plural(audience.size, { one: '# contact', other: '# contacts' })})`,
        },
        { label: t`Channel`, value: inWords(campaign.channel) },
        ...(campaign.scheduled_at ? [{ label: t`Planned for`, value: planned(campaign.scheduled_at) }] : []),
        ...(campaign.started_at ? [{ label: t`Started`, value: <Moment at={campaign.started_at} /> }] : []),
        ...(campaign.completed_at
          ? [{ label: t`Completed`, value: <Moment at={campaign.completed_at} /> }]
          : []),
        ...(campaign.cancelled_at
          ? [{ label: t`Cancelled`, value: <Moment at={campaign.cancelled_at} /> }]
          : []),
        { label: t`Made by`, value: campaign.created_by?.name },
      ]}
    />
  );
}

function Message({ campaign: { text, template, media } }: { campaign: CampaignRecord }) {
  const { t } = useLingui();
  return (
    <Section title={t`Message`}>
      <div className="campaign-message">
        {template && (
          <Text>
            <Trans>
              Template {template.name} ({template.language})
            </Trans>
          </Text>
        )}
        {text !== null && <Text className="wrapped">{text}</Text>}
        {media !== null && (
          <Text c="dimmed">
            <Trans>With the file {media.filename}</Trans>
          </Text>
        )}
      </div>
    </Section>
  );
}
