import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Inbox, SearchX } from 'lucide-react';
import { useProfile } from '../account/use-profile.ts';
import { countsQuery } from '../realtime/view-counts.ts';
import { RowSkeleton, rowHeight } from './rows.tsx';

/** Rows without content. */
export function LoadingList() {
  return (
    <div className="rows-scroller" aria-busy="true" role="status" aria-label="Loading conversations">
      {Array.from({ length: 12 }, (_, n) => (
        <RowSkeleton key={n} start={n * rowHeight} />
      ))}
    </div>
  );
}

/** @param narrowed something narrows the view */
export function EmptyList({ narrowed }: { narrowed: boolean }) {
  const { data: counts } = useQuery(countsQuery());
  const fresh = counts !== undefined && counts.data.open + counts.data.closed + counts.data.archived === 0;
  // Which of two sentences it is depends on it.
  if (counts === undefined && !narrowed) return null;
  const Icon = narrowed ? SearchX : Inbox;
  return (
    <Stack className="list-empty" align="center" gap="xs">
      <Icon size={36} strokeWidth={1.5} aria-hidden />
      {narrowed ? (
        <>
          <Title order={2} size="h5">
            No match
          </Title>
          <Text c="dimmed" size="sm">
            No conversation fits what you are looking for.
          </Text>
          <Button
            variant="default"
            size="sm"
            renderRoot={(props) => (
              <Link {...props} to="/inbox" search={(now) => ({ view: now.view, open: now.open })} />
            )}
          >
            Clear filters
          </Button>
        </>
      ) : fresh ? (
        <>
          <Title order={2} size="h5">
            No conversations yet
          </Title>
          <Text c="dimmed" size="sm">
            They appear here by themselves, as soon as a customer writes on one of your channels.
          </Text>
          <FirstSteps />
        </>
      ) : (
        <>
          <Title order={2} size="h5">
            Nothing waiting. Nice.
          </Title>
          <Text c="dimmed" size="sm">
            No conversation is in this view now.
          </Text>
          <Button
            variant="default"
            size="sm"
            renderRoot={(props) => <Link {...props} to="/inbox" search={{ view: 'all' }} />}
          >
            All conversations
          </Button>
        </>
      )}
    </Stack>
  );
}

/** How the first conversation comes about, for whoever may set up channels. */
function FirstSteps() {
  const manages = ['owner', 'admin'].includes(useProfile().role.key ?? '');
  if (!manages)
    return (
      <Text c="dimmed" size="sm">
        An admin connects channels in the settings.
      </Text>
    );
  return (
    <>
      <Button size="sm" renderRoot={(props) => <Link {...props} to="/settings/channels" />}>
        Connect a channel
      </Button>
      <Text c="dimmed" size="sm">
        A simulator channel is one too: with it you send yourself a test message.
      </Text>
    </>
  );
}
