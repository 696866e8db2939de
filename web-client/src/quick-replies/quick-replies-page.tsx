import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Paperclip } from 'lucide-react';
import { useState } from 'react';
import { useCan } from '../account/use-profile.ts';
import { Confirm } from '../app/confirm.tsx';
import { done } from '../app/done.ts';
import { Empty } from '../app/empty.tsx';
import { Moment } from '../app/moment.tsx';
import { Page } from '../app/page.tsx';
import { byCursor, type RecordColumn, RecordTable, rowsOf } from '../app/record-table.tsx';
import { SearchField } from '../app/search-field.tsx';
import { useSetSearch } from '../app/search.ts';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';
import { number } from '../app/words.ts';
import { QuickReplyForm } from './quick-reply-form.tsx';
import { quickRepliesRoute, type QuickRepliesSearch } from './routes.ts';
import './quick-replies.css';

export type QuickReply = inferOutput<typeof trpc.quickReplies.list>['data'][number];

/** Saved answers, which agents put in by typing a slash and the shortcut. */
export function QuickRepliesPage() {
  const { q, open } = quickRepliesRoute.useSearch();
  const setSearch = useSetSearch<QuickRepliesSearch>();
  const manages = useCan()('quick-replies.manage');
  const [deleting, setDeleting] = useState<QuickReply | null>(null);
  const query = useInfiniteQuery(
    trpc.quickReplies.list.infiniteQueryOptions(
      { q, limit: 50 },
      { ...byCursor, placeholderData: keepPreviousData },
    ),
  );
  const remove = useMutation(trpc.quickReplies.delete.mutationOptions());
  const edited = open === undefined ? undefined : rowsOf(query).find(({ id }) => id === open);
  const close = () => setSearch({ open: undefined });
  const add = manages && <Button onClick={() => setSearch({ open: 'new' }, 'push')}>New quick reply</Button>;
  return (
    <Page
      title="Quick replies"
      description="Saved answers. In a conversation, type / and the shortcut."
      actions={add}
    >
      <search className="record-filters">
        <SearchField label="Shortcut, title or text" value={q} onChange={(text) => setSearch({ q: text })} />
      </search>
      <RecordTable
        caption="Quick replies"
        query={query}
        columns={columnsFor((id) => setSearch({ open: id }, 'push'), setDeleting)}
        keyOf={({ id }) => id}
        onClear={q === undefined ? undefined : () => setSearch({ q: undefined })}
        empty={
          <Empty title="No quick replies yet" action={add}>
            Save what you write every day: opening hours, how to return something, a kind greeting.
          </Empty>
        }
      />
      <Modal
        opened={open === 'new' || edited !== undefined}
        onClose={close}
        size="lg"
        title={edited ? `Edit /${edited.shortcut}` : 'New quick reply'}
      >
        <QuickReplyForm key={open} reply={edited ?? null} onClose={close} />
      </Modal>
      <Confirm
        title={deleting && `Delete the quick reply /${deleting.shortcut}?`}
        action="Delete"
        onClose={() => setDeleting(null)}
        run={async () => {
          await remove.mutateAsync({ quick_reply: deleting?.id ?? '' });
          await queryClient.invalidateQueries(trpc.quickReplies.pathFilter());
          done('The quick reply is deleted.');
        }}
      >
        What was sent with it stays.
      </Confirm>
    </Page>
  );
}

function columnsFor(
  onEdit: (id: string) => void,
  onDelete: (reply: QuickReply) => void,
): readonly RecordColumn<QuickReply>[] {
  return [
    {
      label: 'Reply',
      bare: true,
      cell: ({ shortcut, title, text, media }) => (
        <Stack gap={2}>
          <Text fw={600} component="div">
            <span className="reply-shortcut">/{shortcut}</span> {title}
          </Text>
          <Text size="sm" c="dimmed" className="reply-text">
            {media !== null && <Paperclip size={14} aria-label="With a file" />} {text}
          </Text>
        </Stack>
      ),
    },
    { label: 'Category', cell: ({ category }) => category },
    { label: 'Used', number: true, cell: ({ usage_count }) => number.format(usage_count) },
    { label: 'Changed', cell: ({ updated_at }) => <Moment at={updated_at} /> },
    {
      label: 'Actions',
      bare: true,
      cell: (reply) => (
        <Group gap="xs" wrap="nowrap">
          <Button
            variant="default"
            size="compact-md"
            aria-label={`Edit ${reply.shortcut}`}
            onClick={() => onEdit(reply.id)}
          >
            Edit
          </Button>
          <Button
            variant="default"
            size="compact-md"
            aria-label={`Delete ${reply.shortcut}`}
            onClick={() => onDelete(reply)}
          >
            Delete…
          </Button>
        </Group>
      ),
    },
  ];
}
