import { Trans, useLingui } from '@lingui/react/macro';
import { Modal, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ConversationLink } from '../app/conversation-link.tsx';
import { LoadMore } from '../app/load-more.tsx';
import { Moment } from '../app/moment.tsx';
import { QueryState } from '../app/query-state.tsx';
import { trpc } from '../app/trpc.ts';
import { inWords } from '../app/words.ts';
import { type Metric, titles } from './units.ts';

export interface Behind {
  metric: Metric;
  from: string;
  to: string;
  agent?: string | undefined;
  tag?: string | undefined;
  campaign?: string | undefined;
  rating?: number | undefined;
}

/** The conversations that a figure is made of. */
export function BehindDialog({ behind, onClose }: { behind: Behind; onClose(): void }) {
  const { t } = useLingui();
  const title = titles[behind.metric];
  const given = Object.fromEntries(
    Object.entries(behind).filter(([, value]) => value !== undefined),
  ) as unknown as Behind & Record<'agent' | 'tag' | 'campaign', string>;
  const found = useInfiniteQuery(
    trpc.reports.conversations.infiniteQueryOptions(
      { limit: 25, ...given, rating: behind.rating },
      { getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined },
    ),
  );
  return (
    <Modal opened onClose={onClose} size="lg" title={t`${title}: conversations`}>
      <QueryState query={found} rows={6}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0)
            return (
              <Text>
                <Trans>No conversation is behind this number.</Trans>
              </Text>
            );
          return (
            <Stack gap="md">
              <ul className="report-behind">
                {rows.map(({ id, contact, last_message, last_message_at, status }) => (
                  <li key={id}>
                    <Text fw={600} component="div">
                      <ConversationLink id={id}>
                        {contact.name ?? contact.phone ?? contact.email ?? t`Somebody`}
                      </ConversationLink>
                    </Text>
                    <Text size="sm" lineClamp={1}>
                      {last_message?.snippet ?? t`No message`}
                    </Text>
                    <Text size="sm" c="dimmed">
                      {inWords(status)}, <Moment at={last_message_at} />
                    </Text>
                  </li>
                ))}
              </ul>
              <LoadMore query={found} />
            </Stack>
          );
        }}
      </QueryState>
    </Modal>
  );
}
