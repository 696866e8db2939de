import { useLingui } from '@lingui/react/macro';
import {
  Button,
  FileInput,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { campaignVariables } from '../../../schema/words.ts';
import { useCan } from '../account/use-profile.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { Section } from '../app/page.tsx';
import { type inferOutput, trpc } from '../app/trpc.ts';
import { upload } from '../app/upload.ts';
import { useSubmit } from '../app/use-submit.ts';
import { inWords } from '../app/words.ts';
import { Preview } from '../quick-replies/preview.tsx';
import { VariableText } from '../quick-replies/variable-text.tsx';
import { type Audience, AudienceFields } from './audience-fields.tsx';
import './campaigns.css';

type Settings = inferOutput<typeof trpc.campaigns.settings>['data'] & { name: string };

export interface CampaignInput {
  name: string;
  channel?: string;
  text?: string | null;
  media_url?: string;
  template?: { name: string; language: string; variables: string[] } | null;
  audience: Audience;
  quiet_hours: { from: string; to: string } | null;
}

interface Props {
  before: Settings | null;
  save(input: CampaignInput): Promise<unknown>;
}

const fields = [
  'name',
  'channel',
  'text',
  'media_url',
  'template',
  'template.name',
  'template.language',
  'quiet_hours.from',
  'quiet_hours.to',
];

/** What a campaign says, and to whom. */
export function CampaignForm({ before, save }: Props) {
  const { t } = useLingui();
  const channels = useQuery(trpc.channels.list.queryOptions({}, { enabled: useCan()('inbox.access') }));
  const [kind, setKind] = useState(before?.template ? 'template' : 'text');
  const [text, setText] = useState(before?.text ?? '');
  const [file, setFile] = useState<File | null>(null);
  const [audience, setAudience] = useState<Audience>(() => audienceOf(before?.audience));
  const [channel, setChannel] = useState<string | undefined>();
  const list = channels.data?.data ?? [];
  const chosen =
    list.find(({ name }) => name === channel) ??
    list.find(({ id }) => id === before?.channel) ??
    list.find(({ is_default }) => is_default);
  const { onSubmit, pending, errorOf, failure } = useSubmit(async (values) => {
    const { name = '', from = '', to = '' } = values;
    await save({
      name,
      ...(chosen ? { channel: chosen.name } : {}),
      ...(kind === 'template'
        ? { template: templateOf(values) }
        : { text: text === '' ? null : text, ...(file ? { media_url: await upload(file) } : {}) }),
      audience,
      quiet_hours: from === '' && to === '' ? null : { from, to },
    });
  }, fields);
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="xl" maw="44rem">
        {failure && <FailureAlert failure={failure} />}
        <TextInput
          name="name"
          label={t`Name`}
          description={t`For your team; recipients don’t see it.`}
          autoComplete="off"
          defaultValue={before?.name}
          error={errorOf('name')}
        />
        {list.length > 0 && (
          <NativeSelect
            label={t`Channel`}
            value={chosen?.name}
            data={list.map(({ name, kind: word }) => ({ value: name, label: `${name} (${inWords(word)})` }))}
            onChange={(event) => setChannel(event.currentTarget.value)}
            error={errorOf('channel')}
          />
        )}
        <Section title={t`Message`}>
          <Stack gap="md">
            <NativeSelect
              label={t`Kind`}
              value={kind}
              data={[
                { value: 'text', label: t`Text` },
                { value: 'template', label: t`Approved template` },
              ]}
              onChange={(event) => setKind(event.currentTarget.value)}
            />
            {kind === 'text' ? (
              <>
                <VariableText
                  name="text"
                  label={t`Text`}
                  value={text}
                  onChange={setText}
                  variables={campaignVariables}
                  error={errorOf('text')}
                />
                <Preview text={text} />
                <FileInput
                  label={before?.media_url == null ? t`File` : t`Another file`}
                  placeholder={t`Choose a file to send along`}
                  clearable
                  clearButtonProps={{ 'aria-label': t`No file` }}
                  value={file}
                  onChange={setFile}
                  error={errorOf('media_url')}
                />
              </>
            ) : (
              <TemplateFields before={before?.template ?? null} errorOf={errorOf} />
            )}
          </Stack>
        </Section>
        <AudienceFields value={audience} onChange={setAudience} channel={chosen?.name} />
        <Section
          title={t`Quiet hours`}
          description={t`Nothing is sent between these times, where the recipient lives. Leave both empty for none.`}
        >
          <SimpleGrid cols={2} maw="20rem">
            <TextInput
              type="time"
              name="from"
              label={t`From`}
              defaultValue={before?.quiet_hours?.from ?? ''}
              error={errorOf('quiet_hours.from')}
            />
            <TextInput
              type="time"
              name="to"
              label={t`To`}
              defaultValue={before?.quiet_hours?.to ?? ''}
              error={errorOf('quiet_hours.to')}
            />
          </SimpleGrid>
        </Section>
        <Group>
          <Button type="submit" loading={pending}>
            {before ? t`Save` : t`Save as a draft`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface TemplateProps {
  before: Record<string, unknown> | null;
  errorOf(name: string): string | undefined;
}

function TemplateFields({ before, errorOf }: TemplateProps) {
  const { t } = useLingui();
  const variables = Array.isArray(before?.['variables']) ? before['variables'].map(String) : [];
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          name="template_name"
          label={t`Name of the template`}
          autoComplete="off"
          defaultValue={textOf(before?.['name'])}
          error={errorOf('template.name') ?? errorOf('template')}
        />
        <TextInput
          name="template_language"
          label={t`Language`}
          description={t`As the provider writes it, such as pt_BR.`}
          autoComplete="off"
          defaultValue={textOf(before?.['language'])}
          error={errorOf('template.language')}
        />
      </SimpleGrid>
      <Textarea
        name="template_variables"
        label={t`Variables`}
        description={t`One to a line, in the order of the template.`}
        autosize
        minRows={2}
        defaultValue={variables.join('\n')}
      />
    </>
  );
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

function templateOf(values: Record<string, string>) {
  return {
    name: values['template_name'] ?? '',
    language: values['template_language'] ?? '',
    variables: (values['template_variables'] ?? '').split('\n').filter((line) => line.trim() !== ''),
  };
}

function audienceOf(kept: Record<string, unknown> | undefined): Audience {
  const { q, country, subscribed, tags } = kept ?? {};
  return {
    ...(typeof q === 'string' ? { q } : {}),
    ...(typeof country === 'string' ? { country } : {}),
    ...(typeof subscribed === 'boolean' ? { subscribed } : {}),
    ...(Array.isArray(tags) ? { tags: tags.map(String) } : {}),
  };
}
