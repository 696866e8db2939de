import { Trans, useLingui } from '@lingui/react/macro';
import { ActionIcon, Anchor, Group, Modal, Text } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { MessageMedia } from '../../../schema/entries.ts';

interface Props {
  images: readonly MessageMedia[];
  /** Id of the one that is looked at first. */
  start: string;
  onClose(): void;
}

/** The pictures of a thread, one at a time as large as the screen; the arrow keys turn the page. */
export function Lightbox({ images, start, onClose }: Props) {
  const { t } = useLingui();
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      images.findIndex(({ id }) => id === start),
    ),
  );
  const image = images[at];
  if (!image) return null;
  const go = (step: 1 | -1) => setAt((now) => Math.min(images.length - 1, Math.max(0, now + step)));
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowRight') go(1);
    else if (key === 'ArrowLeft') go(-1);
  };
  return (
    <Modal opened onClose={onClose} fullScreen title={image.filename} onKeyDown={onKeyDown}>
      <figure className="thread-lightbox">
        <img src={image.url} alt={image.filename} />
      </figure>
      <Group justify="center" gap="md" mt="sm">
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={t`Previous picture`}
          disabled={at === 0}
          onClick={() => go(-1)}
        >
          <ChevronLeft size={18} aria-hidden className="mirrored" />
        </ActionIcon>
        <Text size="sm" role="status">
          {t`${at + 1} of ${images.length}`}
        </Text>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={t`Next picture`}
          disabled={at === images.length - 1}
          onClick={() => go(1)}
        >
          <ChevronRight size={18} aria-hidden className="mirrored" />
        </ActionIcon>
        <Anchor href={image.url} target="_blank" rel="noopener noreferrer" size="sm">
          <Trans>Open the file</Trans>
        </Anchor>
      </Group>
    </Modal>
  );
}
