import { Trans, useLingui } from '@lingui/react/macro';
import { ActionIcon, Button, Group, Menu, ScrollArea, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useCan } from '../account/use-profile.ts';
import { refused } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { TagName } from '../tags/tag-name.tsx';
import { useAllTags } from '../tags/use-all-tags.ts';
import type { ContactRecord } from './contacts-page.tsx';

/** The tags of a contact, to add to and to take from. */
export function ContactTags({ contact }: { contact: ContactRecord }) {
  const { t } = useLingui();
  const manages = useCan()('contacts.manage');
  const held = new Set(contact.tags.map(({ id }) => id));
  const tags = useAllTags();
  const others = tags.filter(({ id, system }) => !system && !held.has(id));
  const change = useMutation(
    trpc.contacts.bulkTag.mutationOptions({
      onError: refused,
      onSuccess: () =>
        Promise.all([
          queryClient.invalidateQueries(trpc.contacts.pathFilter()),
          queryClient.invalidateQueries(trpc.tags.pathFilter()),
        ]),
    }),
  );
  const set = (tag: string, action: 'add' | 'remove') =>
    change.mutate({ contact_ids: [contact.id], tag, action });
  return (
    <Group gap="xs" role="group" aria-label={t`Tags`}>
      {contact.tags.length === 0 && (
        <Text c="dimmed">
          <Trans>No tags</Trans>
        </Text>
      )}
      {contact.tags.map((tag) => (
        <Group key={tag.id} gap={2} wrap="nowrap">
          <TagName tag={tag} />
          {manages && (
            <ActionIcon
              variant="subtle"
              size={24}
              aria-label={t`Take the tag ${tag.name} off`}
              onClick={() => set(tag.id, 'remove')}
            >
              <X size={14} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      ))}
      {manages && (
        <Menu withinPortal>
          <Menu.Target>
            <Button size="compact-sm" variant="default" leftSection={<Plus size={14} aria-hidden />}>
              <Trans>Add a tag</Trans>
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.length === 0 && (
              <Menu.Label>
                <Trans>There are no other tags.</Trans>
              </Menu.Label>
            )}
            <ScrollArea.Autosize mah="50vh">
              {others.map((tag) => (
                <Menu.Item key={tag.id} onClick={() => set(tag.id, 'add')}>
                  <TagName tag={tag} />
                </Menu.Item>
              ))}
            </ScrollArea.Autosize>
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}
