import { Anchor, Button, Group, Modal, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { useCan } from '../account/use-profile.ts';
import { Confirm } from '../app/confirm.tsx';
import { done } from '../app/done.ts';
import { Empty } from '../app/empty.tsx';
import { Page } from '../app/page.tsx';
import { byCursor, type RecordColumn, RecordTable, rowsOf } from '../app/record-table.tsx';
import { SearchField } from '../app/search-field.tsx';
import { useSetSearch } from '../app/search.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { counted, number } from '../app/words.ts';
import { tagsRoute, type TagsSearch } from './routes.ts';
import { refreshTags, TagForm } from './tag-form.tsx';
import { TagName } from './tag-name.tsx';
import type { Tag } from './use-all-tags.ts';

/** Labels for contacts and conversations. */
export function TagsPage() {
  const { q, open } = tagsRoute.useSearch();
  const setSearch = useSetSearch<TagsSearch>();
  const manages = useCan()('tags.manage');
  const [deleting, setDeleting] = useState<Tag | null>(null);
  const query = useInfiniteQuery(
    trpc.tags.list.infiniteQueryOptions(
      { q, limit: 100 },
      { ...byCursor, placeholderData: keepPreviousData },
    ),
  );
  const remove = useMutation(trpc.tags.delete.mutationOptions());
  const edited = open === undefined ? undefined : rowsOf(query).find(({ id }) => id === open);
  const close = () => setSearch({ open: undefined });
  const add = manages && <Button onClick={() => setSearch({ open: 'new' }, 'push')}>New tag</Button>;
  return (
    <Page
      title="Tags"
      description="Labels for contacts and conversations. A new name counts everywhere at once."
      actions={add}
    >
      <search className="record-filters">
        <SearchField label="Name" value={q} onChange={(text) => setSearch({ q: text })} />
      </search>
      <RecordTable
        name="tags"
        caption="Tags"
        query={query}
        columns={columnsFor(manages, (id) => setSearch({ open: id }, 'push'), setDeleting)}
        keyOf={({ id }) => id}
        onClear={q === undefined ? undefined : () => setSearch({ q: undefined })}
        empty={
          <Empty title="No tags yet" action={add}>
            Tags put people and conversations into groups, such as “vip” or “wholesale”.
          </Empty>
        }
      />
      <Modal
        opened={open === 'new' || (edited !== undefined && !edited.system)}
        onClose={close}
        title={edited ? `Edit ${edited.name}` : 'New tag'}
      >
        <TagForm key={open} tag={edited ?? null} onClose={close} />
      </Modal>
      <Confirm
        title={deleting && `Delete the tag ${deleting.name}?`}
        action="Delete"
        onClose={() => setDeleting(null)}
        run={async () => {
          await remove.mutateAsync({ tag: deleting?.id ?? '' });
          await refreshTags();
          await queryClient.invalidateQueries(trpc.contacts.pathFilter());
          done('The tag is deleted.');
        }}
      >
        {deleting &&
          `It is taken off ${counted(deleting.contacts_count, 'contact')} and ${counted(deleting.conversations_count, 'conversation')}.`}
      </Confirm>
    </Page>
  );
}

function columnsFor(
  manages: boolean,
  onEdit: (id: string) => void,
  onDelete: (tag: Tag) => void,
): readonly RecordColumn<Tag>[] {
  return [
    { label: 'Tag', bare: true, cell: (tag) => <TagName tag={tag} /> },
    {
      label: 'Contacts',
      number: true,
      cell: ({ id, contacts_count }) => (
        <Anchor component={Link} to="/contacts" search={{ tag: id } as never} size="sm">
          {number.format(contacts_count)}
        </Anchor>
      ),
    },
    {
      label: 'Conversations',
      number: true,
      cell: ({ conversations_count }) => number.format(conversations_count),
    },
    {
      label: 'Actions',
      bare: true,
      cell: (tag) =>
        tag.system ? (
          <Text size="sm" c="dimmed" className="tag-lock">
            <Lock size={14} aria-hidden /> Parlour sets it by itself, so it can’t be changed
          </Text>
        ) : (
          manages && (
            <Group gap="xs" wrap="nowrap">
              <Button
                variant="default"
                size="compact-md"
                aria-label={`Edit ${tag.name}`}
                onClick={() => onEdit(tag.id)}
              >
                Edit
              </Button>
              <Button
                variant="default"
                size="compact-md"
                aria-label={`Delete ${tag.name}`}
                onClick={() => onDelete(tag)}
              >
                Delete…
              </Button>
            </Group>
          )
        ),
    },
  ];
}
