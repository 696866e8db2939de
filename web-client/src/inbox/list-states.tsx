import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Inbox, SearchX } from 'lucide-react';
import { useProfile } from '../account/use-profile.ts';
import { countsQuery } from '../realtime/view-counts.ts';
import { RowSkeleton, rowHeight } from './rows.tsx';

/** Rows without content. */
export function LoadingList() {
  const { t } = useLingui();
  return (
    <div className="rows-scroller" aria-busy="true" role="status" aria-label={t`Loading conversations`}>
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
            <Trans>No match</Trans>
          </Title>
          <Text c="dimmed" size="sm">
            <Trans>No conversation fits what you are looking for.</Trans>
          </Text>
          <Button
            variant="default"
            size="sm"
            renderRoot={(props) => (
              <Link {...props} to="/inbox" search={(now) => ({ view: now.view, open: now.open })} />
            )}
          >
            <Trans>Clear filters</Trans>
          </Button>
        </>
      ) : fresh ? (
        <>
          <Title order={2} size="h5">
            <Trans>No conversations yet</Trans>
          </Title>
          <Text c="dimmed" size="sm">
            <Trans>
              They appear here by themselves, as soon as a customer writes on one of your channels.
            </Trans>
          </Text>
          <FirstSteps />
        </>
      ) : (
        <>
          <Title order={2} size="h5">
            <Trans>Nothing waiting. Nice.</Trans>
          </Title>
          <Text c="dimmed" size="sm">
            <Trans>No conversation is in this view now.</Trans>
          </Text>
          <Button
            variant="default"
            size="sm"
            renderRoot={(props) => <Link {...props} to="/inbox" search={{ view: 'all' }} />}
          >
            <Trans>All conversations</Trans>
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
        <Trans>An admin connects channels in the settings.</Trans>
      </Text>
    );
  return (
    <>
      <Button size="sm" renderRoot={(props) => <Link {...props} to="/settings/channels" />}>
        <Trans>Connect a channel</Trans>
      </Button>
      <Text c="dimmed" size="sm">
        <Trans>A simulator channel is one too: with it you send yourself a test message.</Trans>
      </Text>
    </>
  );
}
