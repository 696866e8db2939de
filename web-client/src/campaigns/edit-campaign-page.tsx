import { useLingui } from '@lingui/react/macro';
import { Box } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BackLink } from '../app/back-link.tsx';
import { done } from '../app/done.ts';
import { failureOf } from '../app/failure.ts';
import { currentMode } from '../app/mode.ts';
import { PageNotFound } from '../app/page-failure.tsx';
import { Page } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { queryClient, trpc } from '../app/trpc.ts';
import { CampaignForm, type CampaignInput } from './campaign-form.tsx';
import { editCampaignRoute } from './routes.ts';

const refresh = () => queryClient.invalidateQueries(trpc.campaigns.pathFilter());

/** Writes a campaign. It stays a draft until somebody sends or schedules it. */
export function NewCampaignPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const create = useMutation(trpc.campaigns.create.mutationOptions());
  const save = async (input: CampaignInput) => {
    const { data } = await create.mutateAsync(input);
    await refresh();
    done(t`The campaign is saved as a draft.`);
    if (currentMode() === 'test') await navigate({ to: '/campaigns' });
    else await navigate({ to: '/campaigns/$campaign', params: { campaign: data.id } });
  };
  return (
    <Box>
      <BackLink to="/campaigns">{t`Campaigns`}</BackLink>
      <Page title={t`New campaign`} description={t`It stays a draft until you send or schedule it.`}>
        <CampaignForm before={null} save={save} />
      </Page>
    </Box>
  );
}

/** Changes a draft or a scheduled campaign. */
export function EditCampaignPage() {
  const { t } = useLingui();
  const { campaign: id } = editCampaignRoute.useParams();
  const navigate = useNavigate();
  const shown = useQuery(trpc.campaigns.show.queryOptions({ campaign: id }));
  const settings = useQuery(trpc.campaigns.settings.queryOptions({ campaign: id }));
  const update = useMutation(trpc.campaigns.update.mutationOptions());
  const name = shown.data?.data.name;
  if (settings.error !== null && failureOf(settings.error).code === 'not_found') return <PageNotFound />;
  return (
    <Box>
      <BackLink to={`/campaigns/${id}`}>{t`Back to the campaign`}</BackLink>
      <Page title={name === undefined ? t`Campaign` : t`Edit ${name}`}>
        <QueryState query={settings} rows={8}>
          {({ data }) =>
            name !== undefined && (
              <CampaignForm
                before={{ name, ...data }}
                save={async (input) => {
                  await update.mutateAsync({ campaign: id, version: data.version, ...input });
                  await refresh();
                  done(t`The campaign is saved.`);
                  await navigate({ to: '/campaigns/$campaign', params: { campaign: id } });
                }}
              />
            )
          }
        </QueryState>
      </Page>
    </Box>
  );
}
