import { Trans, useLingui } from '@lingui/react/macro';
import { BellOff, Clock, Eye, PenLine, Pin } from 'lucide-react';
import { memo } from 'react';
import { Face } from '../agents/face.tsx';
import { serverNow } from '../app/clock.ts';
import { Moment } from '../app/moment.tsx';
import type { Row } from '../realtime/apply-change.ts';
import { useEditor } from '../realtime/editing.ts';
import { ChannelIcon } from './channel-icon.tsx';
import { channelName, contactName } from '../conversation/words.ts';
import { initialsOf, reasonOf, snippetOf } from './conversation-words.ts';
import { PhoneNumber } from './phone-number.tsx';
import { numberFormat } from '../language/formats.ts';

interface Props {
  row: Row;
  /** What the agent has written in it and not sent. */
  draft: string | undefined;
  /** Place in the list, from 1. */
  position: number;
  /** -1 while nobody knows. */
  size: number;
  start: number;
  open: boolean;
  active: boolean;
  selected: boolean;
  /** It no longer belongs to the list. */
  left: boolean;
  /** Drawn again each minute: its times are relative. */
  minute: number;
}

const hues = 6;

export const ConversationRow = memo(function ConversationRow(props: Props) {
  const { row, draft, position, size, start, open, active, selected, left } = props;
  const name = contactName(row.contact);
  return (
    <div
      id={`conversation-${row.id}`}
      role="option"
      data-id={row.id}
      aria-selected={selected}
      aria-current={open || undefined}
      aria-posinset={position}
      aria-setsize={size}
      className="row"
      data-active={active || undefined}
      data-unread={row.unread_count > 0 || undefined}
      data-left={left || undefined}
      style={{ transform: `translateY(${start}px)` }}
    >
      <span className="row-mark" data-mark aria-hidden="true">
        <span className="row-avatar" data-hue={hueOf(row.contact.id)}>
          {initialsOf(name)}
        </span>
        <span className="row-check" />
      </span>
      <span className="row-main">
        <span className="row-line">
          <span className="row-name">
            {row.contact.name === null && row.contact.phone !== null ? (
              <PhoneNumber value={row.contact.phone} />
            ) : (
              name
            )}
          </span>
          <span className="row-time">
            <Moment at={row.last_message_at} />
          </span>
        </span>
        <span className="row-line">
          <span className="row-snippet" data-draft={(draft !== undefined && !open) || undefined}>
            {snippetOf(row, open ? undefined : draft)}
          </span>
          {row.unread_count > 0 && (
            <span className="row-unread">
              <span aria-hidden="true">{row.unread_count > 99 ? '99+' : row.unread_count}</span>
              <span className="visually-hidden">
                <Trans>{row.unread_count} unread</Trans>
              </span>
            </span>
          )}
        </span>
        <span className="row-line row-facts">
          <span className="row-channel">
            <ChannelIcon kind={row.channel} />
            <span className="visually-hidden">{channelName(row.channel)}</span>
          </span>
          {left ? <span className="row-reason">{reasonOf(row)}</span> : <Facts row={row} />}
        </span>
      </span>
    </div>
  );
});

function Facts({ row }: { row: Row }) {
  const { t } = useLingui();
  const { id, tags, waiting_since, pinned, muted, followed, status, assignee } = row;
  const editor = useEditor(id);
  return (
    <>
      {status === 'closed' && (
        <span className="row-fact">
          <Trans>Closed</Trans>
        </span>
      )}
      {editor !== null ? (
        <span className="row-tag row-editor">
          <PenLine size={12} aria-hidden /> {t`${editor} is replying`}
        </span>
      ) : (
        waiting_since !== null &&
        status === 'open' && (
          <span className="row-fact row-waiting">
            <Clock size={12} aria-hidden /> {t`waiting ${waitedFor(waiting_since)}`}
          </span>
        )
      )}
      {tags.slice(0, 2).map(({ id, name, color }) => (
        <span key={id} className="row-tag">
          <span className="row-dot" style={{ background: color }} />
          {name}
        </span>
      ))}
      {tags.length > 2 && <span className="row-fact">+{tags.length - 2}</span>}
      <span className="row-end">
        {pinned && <Mark icon={Pin} label={t`Pinned`} />}
        {followed && <Mark icon={Eye} label={t`Followed`} />}
        {muted && <Mark icon={BellOff} label={t`Muted`} />}
        {assignee !== null && (
          <span className="row-assignee" title={t`Assigned to ${assignee.name}`}>
            <Face of={assignee.email} size={18}>
              <span aria-hidden="true">{initialsOf(assignee.name)}</span>
            </Face>
            <span className="visually-hidden">
              <Trans>Assigned to {assignee.name}</Trans>
            </span>
          </span>
        )}
      </span>
    </>
  );
}

function Mark({ icon: Icon, label }: { icon: typeof Pin; label: string }) {
  return (
    <span title={label}>
      <Icon size={13} aria-hidden />
      <span className="visually-hidden">{label}</span>
    </span>
  );
}

const minutes = numberFormat({ style: 'unit', unit: 'minute', unitDisplay: 'short' });
const hours = numberFormat({ style: 'unit', unit: 'hour', unitDisplay: 'short' });
const days = numberFormat({ style: 'unit', unit: 'day', unitDisplay: 'short' });

function waitedFor(since: string): string {
  const waited = Math.max(1, (serverNow() - Date.parse(since)) / 60_000);
  if (waited < 60) return minutes.format(Math.floor(waited));
  return waited < 48 * 60 ? hours.format(Math.floor(waited / 60)) : days.format(Math.floor(waited / 1440));
}

/** The same contact has the same colour everywhere. */
function hueOf(id: string): number {
  return [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7) % hues;
}
