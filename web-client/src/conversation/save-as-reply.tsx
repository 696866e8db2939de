import { Modal } from '@mantine/core';
import { QuickReplyForm } from '../quick-replies/quick-reply-form.tsx';

/** Keeps what was said as a quick reply. */
export function SaveAsReply({ text, onClose }: { text: string; onClose(): void }) {
  return (
    <Modal opened onClose={onClose} title="New quick reply" size="lg">
      <QuickReplyForm reply={null} text={text} onClose={onClose} />
    </Modal>
  );
}
