import { useLingui } from '@lingui/react/macro';
import { Modal } from '@mantine/core';
import { QuickReplyForm } from '../quick-replies/quick-reply-form.tsx';

/** Keeps what was said as a quick reply. */
export function SaveAsReply({ text, onClose }: { text: string; onClose(): void }) {
  const { t } = useLingui();
  return (
    <Modal opened onClose={onClose} title={t`New quick reply`} size="lg">
      <QuickReplyForm reply={null} text={text} onClose={onClose} />
    </Modal>
  );
}
