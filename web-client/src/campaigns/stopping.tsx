import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../app/trpc.ts';
import { number } from '../app/words.ts';
import { pace } from './words.ts';

const most = 100;

/** That a campaign ends as soon as what is with the provider has its answer. */
export function Stopping({ campaign }: { campaign: string }) {
  const { t } = useLingui();
  const { data } = useQuery(
    trpc.campaigns.recipients.queryOptions(
      { campaign, status: 'claimed', limit: most },
      { refetchInterval: pace('cancelling') },
    ),
  );
  const count =
    data && (data.meta.has_more ? `over ${number.format(most)}` : number.format(data.data.length));
  return (
    <Alert
      role="status"
      icon={<Loader size="xs" aria-hidden />}
      title={count === undefined ? t`Stopping` : t`Stopping, ${count} in flight`}
    >
      <Trans>What is in flight is sent still. Nobody else is written to.</Trans>
    </Alert>
  );
}
