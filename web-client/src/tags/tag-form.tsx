import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { done } from '../app/done.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { queryClient, trpc } from '../app/trpc.ts';
import { useSubmit } from '../app/use-submit.ts';
import { inkOn } from './contrast.ts';
import { TagName } from './tag-name.tsx';
import type { Tag } from './use-all-tags.ts';
import { numberFormat } from '../language/formats.ts';

const colours = [
  {
    value: '#64748B',
    get label() {
      return t`Slate`;
    },
  },
  {
    value: '#B91C1C',
    get label() {
      return t`Red`;
    },
  },
  {
    value: '#C2410C',
    get label() {
      return t`Orange`;
    },
  },
  {
    value: '#A16207',
    get label() {
      return t`Amber`;
    },
  },
  {
    value: '#15803D',
    get label() {
      return t`Green`;
    },
  },
  {
    value: '#0E7490',
    get label() {
      return t`Teal`;
    },
  },
  {
    value: '#1D4ED8',
    get label() {
      return t`Blue`;
    },
  },
  {
    value: '#7E22CE',
    get label() {
      return t`Purple`;
    },
  },
  {
    value: '#BE185D',
    get label() {
      return t`Pink`;
    },
  },
];

const ratio = numberFormat({ maximumFractionDigits: 1 });

export function refreshTags(): Promise<unknown> {
  return queryClient.invalidateQueries(trpc.tags.pathFilter());
}

/** Name and colour of a tag, with how it will look. */
export function TagForm({ tag, onClose }: { tag: Tag | null; onClose(): void }) {
  const { t } = useLingui();
  const [name, setName] = useState(tag?.name ?? '');
  const [color, setColor] = useState(tag?.color.toUpperCase() ?? '#64748B');
  const create = useMutation(trpc.tags.create.mutationOptions());
  const update = useMutation(trpc.tags.update.mutationOptions());
  const { onSubmit, pending, errorOf, failure } = useSubmit(async () => {
    if (tag) await update.mutateAsync({ tag: tag.id, name, color });
    else await create.mutateAsync({ name, color });
    await refreshTags();
    await queryClient.invalidateQueries(trpc.contacts.pathFilter());
    done(t`The tag is saved.`);
    onClose();
  }, ['name', 'color']);
  const own = colours.some(({ value }) => value === color);
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <TextInput
          name="name"
          label={t`Name`}
          autoComplete="off"
          maxLength={50}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errorOf('name')}
        />
        <Radio.Group
          name="color"
          label={t`Colour`}
          value={color}
          onChange={setColor}
          error={errorOf('color')}
        >
          <Group gap="md" mt="xs">
            {(own ? colours : [...colours, { value: color, label: t`Its own` }]).map(({ value, label }) => (
              <Radio key={value} value={value} label={<TagName tag={{ name: label, color: value }} />} />
            ))}
          </Group>
        </Radio.Group>
        <TextInput
          className="tag-colour"
          type="color"
          label={t`Another colour`}
          value={color.toLowerCase()}
          onChange={(event) => setColor(event.currentTarget.value.toUpperCase())}
        />
        <Group gap="xs" aria-live="off">
          <Text size="sm" c="dimmed">
            <Trans>It looks like this:</Trans>
          </Text>
          <TagName tag={{ name: name.trim() === '' ? t`Name` : name, color }} />
          <Text size="sm" c="dimmed">
            {t`Contrast ${ratio.format(inkOn(color).contrast)} : 1`}
          </Text>
        </Group>
        <Button type="submit" loading={pending}>
          <Trans>Save</Trans>
        </Button>
      </Stack>
    </form>
  );
}
