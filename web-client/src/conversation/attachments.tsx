import { Trans, useLingui } from '@lingui/react/macro';
import { Button, CloseButton } from '@mantine/core';
import { CircleAlert, Paperclip } from 'lucide-react';
import type { useAttachments } from './use-attachments.ts';
import { sizeOf } from './words.ts';

/** The files beside the text, with how far each has come and what is wrong with it. */
export function Attachments({ files }: { files: ReturnType<typeof useAttachments> }) {
  const { t } = useLingui();
  if (files.list.length === 0) return null;
  return (
    <ul className="thread-attachments" aria-label={t`Attachments`}>
      {files.list.map(({ key, name, size, share, there, refusal }) => (
        <li key={key} data-refused={refusal !== null || undefined}>
          {refusal === null ? <Paperclip size={14} aria-hidden /> : <CircleAlert size={14} aria-hidden />}
          <span className="thread-filename">{name}</span>
          <span className="thread-small">
            {refusal ?? (there ? sizeOf(size) : `${Math.round(share * 100)} %`)}
          </span>
          {!there && refusal === null && <progress value={share} aria-label={t`Upload of ${name}`} />}
          {refusal !== null && (
            <Button size="compact-xs" variant="default" onClick={() => files.retry(key)}>
              <Trans>Retry</Trans>
            </Button>
          )}
          <CloseButton size="sm" aria-label={t`Remove ${name}`} onClick={() => files.remove(key)} />
        </li>
      ))}
    </ul>
  );
}
