import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Moment } from '../app/moment.tsx';
import { useThreadContext } from './thread-context.ts';
import { authorName, contactName } from './words.ts';

/** When it began, was answered and closed, and how it was found. */
export function LifecyclePanel() {
  const { t } = useLingui();
  const { conversation } = useThreadContext();
  const { created_at, first_response_at, waiting_since, closed_at, closed_by, rating, rating_comment } =
    conversation;
  const rows: [string, ReactNode][] = [
    [t`Started`, <Moment key="at" at={created_at} />],
    ...row(t`First answer`, first_response_at),
    ...row(t`Waiting since`, waiting_since),
    ...row(t`Closed`, closed_at),
  ];
  if (closed_by) rows.push([t`Closed by`, authorName(closed_by, contactName(conversation.contact))]);
  if (rating !== null) rows.push([t`Rating`, t`${rating} of 5`]);
  if (rating_comment !== null) rows.push([t`Comment`, rating_comment]);
  return (
    <dl className="panel-facts">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function row(label: string, at: string | null): [string, ReactNode][] {
  return at === null ? [] : [[label, <Moment key="at" at={at} />]];
}
