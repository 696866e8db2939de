import { Anchor, Stack, Text, Title } from '@mantine/core';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { TRPCClientError } from '@trpc/client';
import { Failure, failureOf } from './failure.ts';
import { FailureAlert } from './failure-alert.tsx';

/** In place of a page that could not be shown. The rest of the application goes on. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const known = failureOf(error);
  const ours = known.code !== 'offline' || error instanceof Failure || error instanceof TRPCClientError;
  const again = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Stack gap="md" p="md">
      <Title order={1} size="h2">
        {known.code === 'forbidden' ? 'Not for your role' : 'This page can’t be shown'}
      </Title>
      {ours ? (
        <FailureAlert failure={known} retry={again} />
      ) : (
        <>
          <Text>Something in it broke. Reloading may help, for instance after an update.</Text>
          <Anchor component="button" type="button" onClick={() => location.reload()}>
            Reload
          </Anchor>
        </>
      )}
    </Stack>
  );
}

export function PageNotFound() {
  return (
    <Stack gap="md" p="md">
      <Title order={1} size="h2">
        Not found
      </Title>
      <Text>There is no such page, or it belongs to another company.</Text>
      <Anchor component={Link} to="/">
        To the start
      </Anchor>
    </Stack>
  );
}
