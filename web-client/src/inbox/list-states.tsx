import { Button, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Inbox, SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { RowSkeleton, rowHeight } from './rows.tsx';

/** Nothing for a moment, then rows without content. */
export function LoadingList() {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="rows-scroller" aria-busy="true" role="status" aria-label="Loading conversations">
      {shown && Array.from({ length: 12 }, (_, n) => <RowSkeleton key={n} start={n * rowHeight} />)}
    </div>
  );
}

/** @param narrowed something narrows the view @param fresh not even everything has anything */
export function EmptyList({ narrowed, fresh }: { narrowed: boolean; fresh: boolean }) {
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
        </>
      ) : (
        <>
          <Title order={2} size="h5">
            Nothing waiting. Nice.
          </Title>
          <Text c="dimmed" size="sm">
            This view has no conversation now.
          </Text>
          <Button
            variant="default"
            size="sm"
            renderRoot={(props) => <Link {...props} to="/inbox" search={{ view: 'all' }} />}
          >
            Show everything
          </Button>
        </>
      )}
    </Stack>
  );
}
