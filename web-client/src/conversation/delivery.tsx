import { Check, CheckCheck, CircleAlert, Clock, type LucideIcon } from 'lucide-react';
import type { MessageStatus } from '../../../schema/entries.ts';

const looks: Partial<Record<MessageStatus, { icon: LucideIcon; words: string }>> = {
  held: { icon: Clock, words: 'Waiting' },
  queued: { icon: Clock, words: 'Sending' },
  sent: { icon: Check, words: 'Sent' },
  delivered: { icon: CheckCheck, words: 'Delivered' },
  read: { icon: CheckCheck, words: 'Read' },
  failed: { icon: CircleAlert, words: 'Not delivered' },
};

/** What became of a message, as a sign and in words. */
export function Delivery({ status }: { status: MessageStatus }) {
  const look = looks[status];
  if (!look) return null;
  const { icon: Icon, words } = look;
  return (
    <span className="thread-delivery" data-status={status}>
      <Icon size={14} aria-hidden /> {words}
    </span>
  );
}
