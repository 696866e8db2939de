import { FileText } from 'lucide-react';
import type { MessageMedia } from '../../../schema/entries.ts';
import { sizeOf } from './words.ts';

/** A file in a message: seen or heard where that is possible, else to be opened. */
export function MediaPart({ media }: { media: MessageMedia }) {
  const { kind, url, filename, size } = media;
  switch (kind) {
    case 'image':
    case 'sticker':
      return (
        <a href={url} target="_blank" rel="noopener noreferrer" className="thread-image" data-kind={kind}>
          <img src={url} alt={filename} loading="lazy" />
        </a>
      );
    case 'audio':
      return <audio controls preload="none" src={url} aria-label={filename} className="thread-audio" />;
    case 'video':
      return <video controls preload="metadata" src={url} aria-label={filename} className="thread-video" />;
    case 'document':
      return (
        <a href={url} target="_blank" rel="noopener noreferrer" className="thread-file">
          <FileText size={20} aria-hidden />
          <span>
            <span className="thread-filename">{filename}</span>
            <span className="thread-small">{sizeOf(size)}</span>
          </span>
        </a>
      );
  }
}
