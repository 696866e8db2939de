import { Trans, useLingui } from '@lingui/react/macro';
import { plural } from '@lingui/core/macro';
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useCan } from '../account/use-profile.ts';
import { Confirm } from '../app/confirm.tsx';
import { done } from '../app/done.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { currentMode } from '../app/mode.ts';
import { refused } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { useSubmit } from '../app/use-submit.ts';
import { number } from '../app/words.ts';
import type { CampaignRecord } from './campaigns-page.tsx';

const refresh = () => queryClient.invalidateQueries(trpc.campaigns.pathFilter());

type Asked = 'send' | 'schedule' | 'resume' | 'cancel' | null;

/** What the server allows to be done with the campaign now. */
export function CampaignActions({ campaign }: { campaign: CampaignRecord }) {
  const { t } = useLingui();
  const manages = useCan()('campaigns.manage');
  const [asked, setAsked] = useState<Asked>(null);
  const pause = useMutation(trpc.campaigns.pause.mutationOptions({ onError: refused, onSettled: refresh }));
  // The second of two clicks comes before the button is drawn anew.
  const pausing = useRef(false);
  const resume = useMutation(trpc.campaigns.resume.mutationOptions());
  const send = useMutation(trpc.campaigns.send.mutationOptions());
  const cancel = useMutation(trpc.campaigns.cancel.mutationOptions());
  if (!manages) return null;
  const { id, name, allowed_actions: allowed, stats, audience } = campaign;
  const may = (action: (typeof allowed)[number]) => allowed.includes(action);
  const close = () => setAsked(null);
  return (
    <Group gap="xs">
      {may('send') && (
        <Button onClick={() => setAsked('send')}>
          <Trans>Send now…</Trans>
        </Button>
      )}
      {may('schedule') && (
        <Button variant="default" onClick={() => setAsked('schedule')}>
          {campaign.status === 'scheduled' ? t`Change the time…` : t`Schedule…`}
        </Button>
      )}
      {may('update') && (
        <Button variant="default" component={Link} to={`/campaigns/${id}/edit`}>
          <Trans>Edit</Trans>
        </Button>
      )}
      {may('resume') && (
        <Button onClick={() => setAsked('resume')}>
          <Trans>Resume…</Trans>
        </Button>
      )}
      {may('pause') && (
        <Button
          variant="default"
          loading={pause.isPending}
          onClick={() => {
            if (pausing.current) return;
            pausing.current = true;
            pause.mutate({ campaign: id }, { onSettled: () => void (pausing.current = false) });
          }}
        >
          <Trans>Pause</Trans>
        </Button>
      )}
      {may('cancel') && (
        <Button variant="default" onClick={() => setAsked('cancel')}>
          <Trans>Cancel it…</Trans>
        </Button>
      )}
      <Confirm
        title={asked === 'send' ? t`Send ${name} in ${currentMode()} mode?` : null}
        action={t`Send now`}
        onClose={close}
        run={async () => {
          await send.mutateAsync({ campaign: id });
          await refresh();
          done(t`${name} is on its way.`);
        }}
      >
        <Reach campaign={campaign} />
      </Confirm>
      <Modal opened={asked === 'schedule'} onClose={close} title={t`Schedule ${name}`}>
        <Schedule campaign={campaign} onClose={close} />
      </Modal>
      <Confirm
        title={asked === 'resume' ? t`Resume ${name} in ${currentMode()} mode?` : null}
        action={t`Resume`}
        onClose={close}
        run={async () => {
          await resume.mutateAsync({ campaign: id });
          await refresh();
          done(t`${name} goes on.`);
        }}
      >
        {stats.total > 0
          ? t`${plural(stats.pending, { one: '# recipient', other: '# recipients' })} of ${number.format(stats.total)} remain.`
          : t`It goes to ${plural(audience.size, { one: '# contact', other: '# contacts' })}.`}
      </Confirm>
      <Confirm
        title={asked === 'cancel' ? t`Cancel ${name} in ${currentMode()} mode?` : null}
        action={t`Cancel the campaign`}
        onClose={close}
        run={async () => {
          await cancel.mutateAsync({ campaign: id });
          await refresh();
          done(t`${name} is cancelled.`);
        }}
      >
        <Trans>
          {stats.total > 0
            ? t`${plural(stats.pending, { one: '# recipient', other: '# recipients' })} will not be written to; ${number.format(stats.sent)} were already.`
            : t`Nobody of ${plural(audience.size, { one: '# contact', other: '# contacts' })} is written to.`}{' '}
          It can’t be undone.
        </Trans>
      </Confirm>
    </Group>
  );
}

/** Whom it reaches if it is sent now. */
function Reach({ campaign }: { campaign: CampaignRecord }) {
  const { t } = useLingui();
  const settings = useQuery(trpc.campaigns.settings.queryOptions({ campaign: campaign.id }));
  const audience = settings.data?.data.audience;
  const preview = useQuery(
    trpc.campaigns.preview.queryOptions(
      { channel: campaign.channel, ...(audience ? { audience } : {}) },
      { enabled: audience !== undefined, staleTime: 0 },
    ),
  );
  const reach = preview.data?.data;
  return (
    <Stack gap="xs">
      <Text>
        <Trans>
          {campaign.audience.description}, by {campaign.channel}.
        </Trans>
      </Text>
      <Text fw={600} mih="1.6em">
        {reach &&
          t`${plural(reach.reachable, { one: '# contact', other: '# contacts' })} will get it, ${number.format(reach.total - reach.reachable)} will be skipped.`}
      </Text>
      {currentMode() === 'test' && (
        <Text c="dimmed">
          <Trans>In test mode nobody is written to.</Trans>
        </Text>
      )}
    </Stack>
  );
}

function Schedule({ campaign, onClose }: { campaign: CampaignRecord; onClose(): void }) {
  const { t } = useLingui();
  const schedule = useMutation(trpc.campaigns.schedule.mutationOptions());
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async ({ scheduled_at = '' }) => {
      const at = new Date(scheduled_at);
      await schedule.mutateAsync({
        campaign: campaign.id,
        // What is no time is sent as it is, and refused beside the field.
        scheduled_at: Number.isNaN(at.getTime()) ? scheduled_at : at.toISOString(),
      });
      await refresh();
      done(t`${campaign.name} is scheduled.`);
      onClose();
    },
    ['scheduled_at'],
  );
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <TextInput
          type="datetime-local"
          name="scheduled_at"
          label={t`When`}
          description={t`Time of ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`}
          data-autofocus
          defaultValue={campaign.scheduled_at ? localText(new Date(campaign.scheduled_at)) : ''}
          error={errorOf('scheduled_at')}
        />
        <Button type="submit" loading={pending}>
          <Trans>Schedule</Trans>
        </Button>
      </Stack>
    </form>
  );
}

/** A moment as a field for date and time wants it: local, without a zone. */
function localText(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
