import { Trans, useLingui } from '@lingui/react/macro';
import { plural, t } from '@lingui/core/macro';
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
import { number } from '../app/words.ts';
import { tagsRoute, type TagsSearch } from './routes.ts';
import { refreshTags, TagForm } from './tag-form.tsx';
import { TagName } from './tag-name.tsx';
import type { Tag } from './use-all-tags.ts';

/** Labels for contacts and conversations. */
export function TagsPage() {
  const { t } = useLingui();
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
  const add = manages && (
    <Button onClick={() => setSearch({ open: 'new' }, 'push')}>
      <Trans>New tag</Trans>
    </Button>
  );
  return (
    <Page
      title={t`Tags`}
      description={t`Labels for contacts and conversations. A new name counts everywhere at once.`}
      actions={add}
    >
      <search className="record-filters">
        <SearchField label={t`Name`} value={q} onChange={(text) => setSearch({ q: text })} />
      </search>
      <RecordTable
        name="tags"
        caption={t`Tags`}
        query={query}
        columns={columnsFor(manages, (id) => setSearch({ open: id }, 'push'), setDeleting)}
        keyOf={({ id }) => id}
        onClear={q === undefined ? undefined : () => setSearch({ q: undefined })}
        empty={
          <Empty title={t`No tags yet`} action={add}>
            <Trans>Tags put people and conversations into groups, such as “vip” or “wholesale”.</Trans>
          </Empty>
        }
      />
      <Modal
        opened={open === 'new' || (edited !== undefined && !edited.system)}
        onClose={close}
        title={edited ? t`Edit ${edited.name}` : t`New tag`}
      >
        <TagForm key={open} tag={edited ?? null} onClose={close} />
      </Modal>
      <Confirm
        title={deleting && t`Delete the tag ${deleting.name}?`}
        action={t`Delete`}
        onClose={() => setDeleting(null)}
        run={async () => {
          await remove.mutateAsync({ tag: deleting?.id ?? '' });
          await refreshTags();
          await queryClient.invalidateQueries(trpc.contacts.pathFilter());
          done(t`The tag is deleted.`);
        }}
      >
        {deleting &&
          t`It is taken off ${plural(deleting.contacts_count, { one: '# contact', other: '# contacts' })} and ${plural(deleting.conversations_count, { one: '# conversation', other: '# conversations' })}.`}
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
    { label: t`Tag`, bare: true, cell: (tag) => <TagName tag={tag} /> },
    {
      label: t`Contacts`,
      number: true,
      cell: ({ id, contacts_count }) => (
        <Anchor component={Link} to="/contacts" search={{ tag: id } as never} size="sm">
          {number.format(contacts_count)}
        </Anchor>
      ),
    },
    {
      label: t`Conversations`,
      number: true,
      cell: ({ conversations_count }) => number.format(conversations_count),
    },
    {
      label: t`Actions`,
      bare: true,
      cell: (tag) =>
        tag.system ? (
          <Text size="sm" c="dimmed" className="tag-lock">
            <Lock size={14} aria-hidden /> <Trans>Parlour sets it by itself, so it can’t be changed</Trans>
          </Text>
        ) : (
          manages && (
            <Group gap="xs" wrap="nowrap">
              <Button
                variant="default"
                size="compact-md"
                aria-label={t`Edit ${tag.name}`}
                onClick={() => onEdit(tag.id)}
              >
                <Trans>Edit</Trans>
              </Button>
              <Button
                variant="default"
                size="compact-md"
                aria-label={t`Delete ${tag.name}`}
                onClick={() => onDelete(tag)}
              >
                <Trans>Delete…</Trans>
              </Button>
            </Group>
          )
        ),
    },
  ];
}
