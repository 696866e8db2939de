import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Modal, NativeSelect, NumberInput, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyField } from '../app/copy-field.tsx';
import { FailureAlert } from '../app/failure-alert.tsx';
import { queryClient, trpc } from '../app/trpc.ts';
import { useSubmit, type Values } from '../app/use-submit.ts';
import type { Channel } from './channels-page.tsx';
import { kindNames, makeable } from './kinds.ts';
import { type SetupField, setupFields } from './setup-fields.ts';
import { SetupInput } from './setup-input.tsx';
import { Snippet } from './snippet.tsx';

interface Props {
  channel: Channel | null;
  /** Given a new one that has still to be put on a page. */
  onMade(channel: Channel): void;
  onClose(): void;
}

/** Makes or changes a channel. Its provider is asked before anything is saved. */
export function ChannelDialog({ channel, onMade, onClose }: Props) {
  const { t } = useLingui();
  const [kind, setKind] = useState<Channel['kind']>(channel?.kind ?? 'whatsapp');
  const create = useMutation(trpc.channels.create.mutationOptions({ gcTime: 0 }));
  const update = useMutation(trpc.channels.update.mutationOptions({ gcTime: 0 }));
  const fields = setupFields[kind] ?? [];
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async (values) => {
      const reopen = values['reopen_hours'] ?? '';
      const input = {
        name: values['name'] ?? '',
        reopen_hours: reopen === '' ? null : Number(reopen),
        campaign_rate: Number(values['campaign_rate']),
        ai_auto_reply: 'ai_auto_reply' in values,
        rating_request: 'rating_request' in values,
        ...('is_default' in values ? { is_default: true } : {}),
        ...setupIn(values, kind, channel),
      };
      if (channel) {
        const status = 'active' in values ? 'active' : 'disabled';
        await update.mutateAsync({
          channel: channel.id,
          ...input,
          ...(status === channel.status || (channel.status === 'failing' && status === 'active')
            ? {}
            : { status }),
        });
      } else {
        const { data } = await create.mutateAsync({ kind, ...input });
        if (kind === 'webchat') onMade(data);
      }
      create.reset();
      update.reset();
      await queryClient.invalidateQueries(trpc.channels.list.queryFilter());
      onClose();
    },
    ['name', 'reopen_hours', 'campaign_rate', ...fields.map(({ part, name }) => `${part}.${name}`)],
  );
  return (
    <Modal opened onClose={onClose} size="lg" title={channel ? t`Edit ${channel.name}` : t`New channel`}>
      <form onSubmit={onSubmit}>
        <Stack gap="md">
          {failure && <FailureAlert failure={failure} />}
          {channel === null && (
            <NativeSelect
              label={t`Kind`}
              value={kind}
              data={makeable.map((value) => ({ value, label: kindNames[value] }))}
              onChange={(event) =>
                setKind(makeable.find((one) => one === event.currentTarget.value) ?? 'whatsapp')
              }
            />
          )}
          <TextInput
            name="name"
            label={t`Name`}
            required
            withAsterisk={false}
            maxLength={30}
            autoComplete="off"
            data-autofocus
            defaultValue={channel?.name}
            error={errorOf('name')}
          />
          {fields.map((field) => (
            <SetupInput
              key={`${kind} ${field.part}.${field.name}`}
              field={field}
              channel={channel}
              error={errorOf(`${field.part}.${field.name}`)}
            />
          ))}
          {channel?.kind === 'webchat' && <Snippet channel={channel} />}
          {channel !== null && channel.webhook_url !== null && (
            <CopyField label={t`Address for the provider’s webhook`} value={channel.webhook_url} />
          )}
          <NumberInput
            name="reopen_hours"
            label={t`Hours in which a message reopens a closed conversation`}
            description={t`0: never. Empty: always.`}
            min={0}
            max={87_600}
            hideControls
            defaultValue={channel ? (channel.reopen_hours ?? '') : 72}
            error={errorOf('reopen_hours')}
          />
          <NumberInput
            name="campaign_rate"
            label={t`Messages a second that campaigns may send`}
            min={1}
            max={1_000}
            hideControls
            required
            withAsterisk={false}
            defaultValue={channel?.campaign_rate ?? 20}
            error={errorOf('campaign_rate')}
          />
          {channel && (
            <Switch name="active" label={t`In use`} defaultChecked={channel.status !== 'disabled'} />
          )}
          <Switch
            name="ai_auto_reply"
            label={t`AI answers new conversations`}
            defaultChecked={channel?.ai_auto_reply ?? false}
          />
          <Switch
            name="rating_request"
            label={t`Its customers are asked for ratings`}
            description={t`Where the company asks at all.`}
            defaultChecked={channel?.rating_request ?? true}
          />
          {channel?.is_default !== true && (
            <Switch name="is_default" label={t`Make it the default channel`} />
          )}
          <Button type="submit" loading={pending}>
            <Trans>Save</Trans>
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

/** Settings are replaced as a whole, so what is not asked for here is kept; credentials that are empty stay. */
function setupIn(values: Values, kind: Channel['kind'], channel: Channel | null) {
  const fields = setupFields[kind];
  if (!fields) return {};
  const config: Record<string, unknown> = { ...channel?.config };
  const credentials: Record<string, unknown> = {};
  for (const field of fields) {
    const value = valueIn(field, values[`${field.part}.${field.name}`] ?? '');
    if (field.part === 'credentials') {
      if (value !== undefined) credentials[field.name] = value;
    } else if (value === undefined) delete config[field.name];
    else config[field.name] = value;
  }
  return { config, ...(Object.keys(credentials).length === 0 ? {} : { credentials }) };
}

/** What a field's text stands for; undefined for nothing. */
function valueIn({ input }: SetupField, text: string): unknown {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return undefined;
  if (input === 'lines') return lines;
  return input === 'number' ? Number(text) : text;
}
