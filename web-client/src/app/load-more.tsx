import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';

/** What an infinite query tells of its next page. */
interface Paged {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage(options: { cancelRefetch: boolean }): Promise<unknown>;
}

/** The button below a list that goes on; it stays where it is, so the focus does too. */
export function LoadMore({ query }: { query: Paged }) {
  if (!query.hasNextPage) return null;
  return (
    <Group justify="center">
      <Button
        variant="default"
        loading={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage({ cancelRefetch: false })}
      >
        <Trans>Load more</Trans>
      </Button>
    </Group>
  );
}
