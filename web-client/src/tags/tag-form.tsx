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

const colours = [
  { value: '#64748B', label: 'Slate' },
  { value: '#B91C1C', label: 'Red' },
  { value: '#C2410C', label: 'Orange' },
  { value: '#A16207', label: 'Amber' },
  { value: '#15803D', label: 'Green' },
  { value: '#0E7490', label: 'Teal' },
  { value: '#1D4ED8', label: 'Blue' },
  { value: '#7E22CE', label: 'Purple' },
  { value: '#BE185D', label: 'Pink' },
];

const ratio = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

export function refreshTags(): Promise<unknown> {
  return queryClient.invalidateQueries(trpc.tags.pathFilter());
}

/** Name and colour of a tag, with how it will look. */
export function TagForm({ tag, onClose }: { tag: Tag | null; onClose(): void }) {
  const [name, setName] = useState(tag?.name ?? '');
  const [color, setColor] = useState(tag?.color.toUpperCase() ?? '#64748B');
  const create = useMutation(trpc.tags.create.mutationOptions());
  const update = useMutation(trpc.tags.update.mutationOptions());
  const { onSubmit, pending, errorOf, failure } = useSubmit(async () => {
    if (tag) await update.mutateAsync({ tag: tag.id, name, color });
    else await create.mutateAsync({ name, color });
    await refreshTags();
    await queryClient.invalidateQueries(trpc.contacts.pathFilter());
    done('The tag is saved.');
    onClose();
  }, ['name', 'color']);
  const own = colours.some(({ value }) => value === color);
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <TextInput
          name="name"
          label="Name"
          autoComplete="off"
          maxLength={50}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errorOf('name')}
        />
        <Radio.Group name="color" label="Colour" value={color} onChange={setColor} error={errorOf('color')}>
          <Group gap="md" mt="xs">
            {(own ? colours : [...colours, { value: color, label: 'Its own' }]).map(({ value, label }) => (
              <Radio key={value} value={value} label={<TagName tag={{ name: label, color: value }} />} />
            ))}
          </Group>
        </Radio.Group>
        <TextInput
          className="tag-colour"
          type="color"
          label="Another colour"
          value={color.toLowerCase()}
          onChange={(event) => setColor(event.currentTarget.value.toUpperCase())}
        />
        <Group gap="xs" aria-live="off">
          <Text size="sm" c="dimmed">
            It looks like this:
          </Text>
          <TagName tag={{ name: name.trim() === '' ? 'Name' : name, color }} />
          <Text size="sm" c="dimmed">
            {`Contrast ${ratio.format(inkOn(color).contrast)} : 1`}
          </Text>
        </Group>
        <Button type="submit" loading={pending}>
          Save
        </Button>
      </Stack>
    </form>
  );
}
