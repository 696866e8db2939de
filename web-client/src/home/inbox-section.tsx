import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { StandardView } from '../../../schema/views.ts';
import { Moment } from '../app/moment.tsx';
import { Section } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { trpc } from '../app/trpc.ts';
import { number } from '../app/words.ts';
import { contactName } from '../conversation/words.ts';
import { snippetOf } from '../inbox/conversation-words.ts';
import { countsQuery } from '../realtime/view-counts.ts';

/** So many of the agent's own conversations are shown; the rest is in the inbox. */
const most = 5;

/** How much there is in the views that concern the agent, and whose customer waits longest. */
export function InboxSection() {
  const { t } = useLingui();
  const counts = useQuery(countsQuery());
  const waiting = useQuery(
    trpc.views.conversations.queryOptions({
      view: 'mine',
      status: 'open',
      archived: false,
      sort: 'waiting',
      limit: most,
    }),
  );
  const views: [StandardView, string][] = [
    ['mine', t`Mine`],
    ['unassigned', t`Unassigned`],
    ['mentions', t`Mentions`],
    ['open', t`All open`],
  ];
  return (
    <Section title={t`Your inbox`}>
      <QueryState query={counts} rows={2}>
        {({ data }) => (
          <ul className="home-figures">
            {views.map(([view, label]) => (
              <li key={view}>
                <Link to="/inbox" search={view === 'open' ? {} : { view }}>
                  <span className="home-figure">{number.format(data[view])}</span>
                  <span>{label}</span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      <h3 className="home-heading">{t`Yours that wait longest`}</h3>
      <QueryState query={waiting} rows={3}>
        {({ data }) => {
          // Those where nobody waits come after them.
          const rows = data.filter(({ waiting_since }) => waiting_since !== null);
          if (rows.length === 0)
            return (
              <Text c="dimmed">
                <Trans>Nobody waits for you.</Trans>
              </Text>
            );
          return (
            <ul className="home-list">
              {rows.map((row) => (
                <li key={row.id}>
                  <Link to="/inbox" search={{ view: 'mine', open: row.id }}>
                    <span className="home-name">{contactName(row.contact)}</span>
                    <span className="home-more">{snippetOf(row)}</span>
                    <span className="home-time">
                      <Moment at={row.waiting_since ?? row.last_message_at} />
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          );
        }}
      </QueryState>
    </Section>
  );
}
