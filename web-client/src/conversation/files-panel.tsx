import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { trpc } from '../app/trpc.ts';
import { useThreadContext } from './thread-context.ts';

/** The files of the conversation, newest first; each leads to the message that brought it. */
export function FilesPanel() {
  const { t } = useLingui();
  const { conversation, jump } = useThreadContext();
  const { data } = useQuery(trpc.conversations.files.queryOptions({ conversation: conversation.id }));
  if (!data) return null;
  if (data.data.length === 0)
    return (
      <Text size="sm" c="dimmed">
        <Trans>No files.</Trans>
      </Text>
    );
  return (
    <ul className="panel-files" aria-label={t`Files`}>
      {data.data.map(({ message, media: { url, kind, filename } }) => (
        <li key={message}>
          <button
            type="button"
            onClick={() => jump(message)}
            aria-label={t`Show ${filename}`}
            title={filename}
          >
            {kind === 'image' || kind === 'sticker' ? (
              <img src={url} alt="" loading="lazy" />
            ) : (
              <>
                <FileText size={20} aria-hidden />
                <span>{filename}</span>
              </>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}
