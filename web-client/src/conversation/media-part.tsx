import { useLingui } from '@lingui/react/macro';
import { FileText, FileX } from 'lucide-react';
import { useState } from 'react';
import type { MessageMedia } from '../../../schema/entries.ts';
import { useThreadContext } from './thread-context.ts';
import { sizeOf } from './words.ts';

/** A file in a message: seen or heard where that is possible, else to be opened. */
export function MediaPart({ media }: { media: MessageMedia }) {
  const { t } = useLingui();
  const { showImage } = useThreadContext();
  const [broken, setBroken] = useState(false);
  const { id, kind, url, filename } = media;
  const fail = () => setBroken(true);
  if (broken) return <FileLink media={media} broken />;
  switch (kind) {
    case 'image':
    case 'sticker':
      return (
        <button
          type="button"
          className="thread-image"
          data-kind={kind}
          aria-label={t`Look at ${filename}`}
          onClick={() => showImage(id)}
        >
          <img src={url} alt={filename} loading="lazy" onError={fail} />
        </button>
      );
    case 'audio':
      return (
        <audio
          controls
          preload="none"
          src={url}
          aria-label={filename}
          className="thread-audio"
          onError={fail}
        />
      );
    case 'video':
      return (
        <video
          controls
          preload="metadata"
          src={url}
          aria-label={filename}
          className="thread-video"
          onError={fail}
        />
      );
    case 'document':
      return <FileLink media={media} />;
  }
}

function FileLink({ media, broken = false }: { media: MessageMedia; broken?: boolean }) {
  const { t } = useLingui();
  const { url, filename, size } = media;
  const Icon = broken ? FileX : FileText;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className="thread-file">
      <Icon size={20} aria-hidden />
      <span>
        <span className="thread-filename">{filename}</span>
        <span className="thread-small">{broken ? t`The file is damaged or gone.` : sizeOf(size)}</span>
      </span>
    </a>
  );
}
