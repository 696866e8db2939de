import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Moment } from '../app/moment.tsx';
import { trpc } from '../app/trpc.ts';
import { useThreadContext } from './thread-context.ts';

const shown = 20;

const outcomes = {
  pending: 'waits',
  APPROVED: 'used',
  DISMISSED: 'dismissed',
  EXPIRED: 'expired',
} as const;

/** What became of earlier suggestions, and what AI did by itself. */
export function AiHistory() {
  const { id } = useThreadContext().conversation;
  const [opened, setOpened] = useState(false);
  const input = { conversation: id };
  const history = useQuery(trpc.ai.suggestionHistory.queryOptions(input, { enabled: opened, staleTime: 0 }));
  const insights = useQuery(trpc.ai.insights.queryOptions(input, { enabled: opened }));
  const done = insights.data?.data.ai_ops ?? [];
  const past = history.data?.data.slice(0, shown) ?? [];
  return (
    <details className="panel-history" onToggle={({ currentTarget: { open } }) => setOpened(open)}>
      <summary>
        <Trans>History</Trans>
      </summary>
      {history.data && past.length === 0 && done.length === 0 && (
        <p>
          <Trans>Nothing yet.</Trans>
        </p>
      )}
      <ul className="panel-lines">
        {past.map(({ label, status, at }, n) => (
          <li key={`s${n}`}>
            <span className="panel-first" dir="auto">
              {label}
            </span>
            <span className="panel-second">
              {outcomes[status]} · <Moment at={at} />
            </span>
          </li>
        ))}
        {done.map(({ text, at }, n) => (
          <li key={`o${n}`}>
            <span className="panel-first">{text}</span>
            <span className="panel-second">
              <Moment at={at} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
