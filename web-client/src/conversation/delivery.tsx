import { t } from '@lingui/core/macro';
import { Check, CheckCheck, CircleAlert, Clock, type LucideIcon } from 'lucide-react';
import type { MessageStatus } from '../../../schema/entries.ts';

const looks: Partial<Record<MessageStatus, { icon: LucideIcon; words: string }>> = {
  held: {
    icon: Clock,
    get words() {
      return t`Waiting`;
    },
  },
  queued: {
    icon: Clock,
    get words() {
      return t`Sending`;
    },
  },
  sent: {
    icon: Check,
    get words() {
      return t`Sent`;
    },
  },
  delivered: {
    icon: CheckCheck,
    get words() {
      return t`Delivered`;
    },
  },
  read: {
    icon: CheckCheck,
    get words() {
      return t`Read`;
    },
  },
  failed: {
    icon: CircleAlert,
    get words() {
      return t`Not delivered`;
    },
  },
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
