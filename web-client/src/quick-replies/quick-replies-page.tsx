import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
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
  const { t } = useLingui();
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
  const add = manages && (
    <Button onClick={() => setSearch({ open: 'new' }, 'push')}>
      <Trans>New quick reply</Trans>
    </Button>
  );
  return (
    <Page
      title={t`Quick replies`}
      description={t`Saved answers. In a conversation, type / and the shortcut.`}
      actions={add}
    >
      <search className="record-filters">
        <SearchField
          label={t`Shortcut, title or text`}
          value={q}
          onChange={(text) => setSearch({ q: text })}
        />
      </search>
      <RecordTable
        caption={t`Quick replies`}
        query={query}
        columns={columnsFor((id) => setSearch({ open: id }, 'push'), setDeleting)}
        keyOf={({ id }) => id}
        onClear={q === undefined ? undefined : () => setSearch({ q: undefined })}
        empty={
          <Empty title={t`No quick replies yet`} action={add}>
            <Trans>
              Save what you write every day: opening hours, how to return something, a kind greeting.
            </Trans>
          </Empty>
        }
      />
      <Modal
        opened={open === 'new' || edited !== undefined}
        onClose={close}
        size="lg"
        title={edited ? t`Edit /${edited.shortcut}` : t`New quick reply`}
      >
        <QuickReplyForm key={open} reply={edited ?? null} onClose={close} />
      </Modal>
      <Confirm
        title={deleting && t`Delete the quick reply /${deleting.shortcut}?`}
        action={t`Delete`}
        onClose={() => setDeleting(null)}
        run={async () => {
          await remove.mutateAsync({ quick_reply: deleting?.id ?? '' });
          await queryClient.invalidateQueries(trpc.quickReplies.pathFilter());
          done(t`The quick reply is deleted.`);
        }}
      >
        <Trans>What was sent with it stays.</Trans>
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
      label: t`Reply`,
      bare: true,
      cell: ({ shortcut, title, text, media }) => (
        <Stack gap={2}>
          <Text fw={600} component="div">
            <span className="reply-shortcut">/{shortcut}</span> {title}
          </Text>
          <Text size="sm" c="dimmed" className="reply-text">
            {media !== null && <Paperclip size={14} aria-label={t`With a file`} />} {text}
          </Text>
        </Stack>
      ),
    },
    { label: t`Category`, cell: ({ category }) => category },
    { label: t`Used`, number: true, cell: ({ usage_count }) => number.format(usage_count) },
    { label: t`Changed`, cell: ({ updated_at }) => <Moment at={updated_at} /> },
    {
      label: t`Actions`,
      bare: true,
      cell: (reply) => (
        <Group gap="xs" wrap="nowrap">
          <Button
            variant="default"
            size="compact-md"
            aria-label={t`Edit ${reply.shortcut}`}
            onClick={() => onEdit(reply.id)}
          >
            <Trans>Edit</Trans>
          </Button>
          <Button
            variant="default"
            size="compact-md"
            aria-label={t`Delete ${reply.shortcut}`}
            onClick={() => onDelete(reply)}
          >
            <Trans>Delete…</Trans>
          </Button>
        </Group>
      ),
    },
  ];
}
