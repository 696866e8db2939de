import { Trans, useLingui } from '@lingui/react/macro';
import { Button, FileInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { quickReplyVariables } from '../../../schema/words.ts';
import { done } from '../app/done.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { queryClient, trpc } from '../app/trpc.ts';
import { upload } from '../app/upload.ts';
import { useSubmit } from '../app/use-submit.ts';
import { Preview } from './preview.tsx';
import type { QuickReply } from './quick-replies-page.tsx';
import { VariableText } from './variable-text.tsx';

const fields = ['shortcut', 'title', 'category', 'text', 'media_url'] as const;

interface Props {
  /** Null: a new one. */
  reply: QuickReply | null;
  /** What a new one begins with. */
  text?: string;
  onClose(): void;
}

/** A saved answer, with how a customer would read it. */
export function QuickReplyForm({ reply, text: begun = '', onClose }: Props) {
  const { t } = useLingui();
  const [text, setText] = useState(reply?.text ?? begun);
  const [file, setFile] = useState<File | null>(null);
  const create = useMutation(trpc.quickReplies.create.mutationOptions());
  const update = useMutation(trpc.quickReplies.update.mutationOptions());
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async ({ shortcut = '', title = '', category = '' }) => {
      const input = {
        shortcut: shortcut.trim().replace(/^\//, ''),
        text,
        title: title.trim() || null,
        category: category.trim() || null,
        ...(file ? { media_url: await upload(file) } : {}),
      };
      if (reply) await update.mutateAsync({ quick_reply: reply.id, ...input });
      else await create.mutateAsync(input);
      await queryClient.invalidateQueries(trpc.quickReplies.pathFilter());
      done(t`The quick reply is saved.`);
      onClose();
    },
    fields,
  );
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <TextInput
            name="shortcut"
            label={t`Shortcut`}
            leftSection="/"
            autoComplete="off"
            autoCapitalize="none"
            maxLength={51}
            data-autofocus
            defaultValue={reply?.shortcut}
            error={errorOf('shortcut')}
          />
          <TextInput
            name="title"
            label={t`Title`}
            autoComplete="off"
            maxLength={100}
            defaultValue={reply?.title ?? ''}
            error={errorOf('title')}
          />
          <TextInput
            name="category"
            label={t`Category`}
            autoComplete="off"
            maxLength={50}
            defaultValue={reply?.category ?? ''}
            error={errorOf('category')}
          />
        </SimpleGrid>
        <VariableText
          name="text"
          label={t`Text`}
          value={text}
          onChange={setText}
          variables={quickReplyVariables}
          error={errorOf('text')}
        />
        <Preview text={text} />
        <FileInput
          label={reply?.media ? t`Another file` : t`File`}
          placeholder={reply?.media?.filename ?? t`Choose a file to send along`}
          clearable
          clearButtonProps={{ 'aria-label': t`No file` }}
          value={file}
          onChange={setFile}
          error={errorOf('media_url')}
        />
        <Button type="submit" loading={pending}>
          <Trans>Save</Trans>
        </Button>
      </Stack>
    </form>
  );
}
