import { Trans, useLingui } from '@lingui/react/macro';
import { plural } from '@lingui/core/macro';
import { Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCan } from '../account/use-profile.ts';
import { Section } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { trpc } from '../app/trpc.ts';
import { inWords, number } from '../app/words.ts';
import { countries } from '../contacts/countries.ts';
import { TagName } from '../tags/tag-name.tsx';
import { useAllTags } from '../tags/use-all-tags.ts';

export interface Audience {
  q?: string;
  country?: string;
  subscribed?: boolean;
  tags?: string[];
}

interface Props {
  value: Audience;
  onChange(value: Audience): void;
  channel: string | undefined;
}

/** To whom: contacts that fit all that is given and have any of the tags. Beside it, how many that are. */
export function AudienceFields({ value, onChange, channel }: Props) {
  const { t } = useLingui();
  const seesTags = useCan()('inbox.access');
  const tags = useAllTags(seesTags);
  const set = (patch: { [K in keyof Audience]: Audience[K] | undefined }) => {
    const next = { ...value, ...patch };
    onChange(Object.fromEntries(Object.entries(next).filter(([, given]) => given !== undefined)));
  };
  return (
    <Section title={t`Audience`} description={t`Contacts that fit all of this. Nothing chosen: everybody.`}>
      <Stack gap="md">
        <TextInput
          label={t`Name, phone or e-mail`}
          autoComplete="off"
          value={value.q ?? ''}
          onChange={(event) => set({ q: event.currentTarget.value || undefined })}
        />
        <Group grow align="flex-start">
          <NativeSelect
            label={t`Country`}
            value={value.country ?? ''}
            data={[{ value: '', label: t`Any country` }, ...countries()]}
            onChange={(event) => set({ country: event.currentTarget.value || undefined })}
          />
          <NativeSelect
            label={t`Marketing`}
            description={t`Unsubscribed people are skipped in any case.`}
            inputWrapperOrder={['label', 'input', 'description']}
            value={value.subscribed === undefined ? '' : String(value.subscribed)}
            data={[
              { value: '', label: t`Subscribed or not` },
              { value: 'true', label: t`Subscribed` },
              { value: 'false', label: t`Unsubscribed` },
            ]}
            onChange={(event) => {
              const word = event.currentTarget.value;
              set({ subscribed: word === '' ? undefined : word === 'true' });
            }}
          />
        </Group>
        {tags.length > 0 && (
          <Checkbox.Group
            label={t`Has any of the tags`}
            value={value.tags ?? []}
            onChange={(chosen) => set({ tags: chosen.length === 0 ? undefined : chosen })}
          >
            <Group gap="md" mt="xs">
              {tags.map((tag) => (
                <Checkbox key={tag.id} value={tag.id} label={<TagName tag={tag} />} />
              ))}
            </Group>
          </Checkbox.Group>
        )}
        <Reach audience={value} channel={channel} />
      </Stack>
    </Section>
  );
}

/** A dry run on the server: how many would get it, why others would not, and a few of them. */
function Reach({ audience, channel }: { audience: Audience; channel: string | undefined }) {
  const { t } = useLingui();
  const [asked] = useDebouncedValue(audience, 300);
  const query = useQuery(
    trpc.campaigns.preview.queryOptions({ audience: asked, channel }, { placeholderData: keepPreviousData }),
  );
  return (
    <div className="audience" role="group" aria-label={t`Who would get it`}>
      <QueryState query={query} rows={2}>
        {({ data: { total, reachable, skipped, sample } }) => (
          <Stack gap="xs">
            <Text fw={600} aria-live="polite">
              <Trans>
                {plural(reachable, { one: '# contact', other: '# contacts' })} of {number.format(total)} would
                get it.
              </Trans>
            </Text>
            {Object.entries(skipped)
              .filter(([, count]) => count > 0)
              .map(([reason, count]) => (
                <Text key={reason} size="sm" c="dimmed">
                  <Trans>
                    {inWords(reason)}: {number.format(count)} skipped
                  </Trans>
                </Text>
              ))}
            {sample.length > 0 && (
              <ul>
                {sample.slice(0, 5).map(({ contact, name, address, skip_reason }) => (
                  <li key={contact}>
                    {[name ?? t`No name`, address].filter(Boolean).join(', ')}
                    {skip_reason !== null && ` (skipped: ${inWords(skip_reason).toLowerCase()})`}
                  </li>
                ))}
              </ul>
            )}
          </Stack>
        )}
      </QueryState>
    </div>
  );
}
