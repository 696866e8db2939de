import { Trans, useLingui } from '@lingui/react/macro';
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { TRPCClientError } from '@trpc/client';
import { Failure, failureOf } from './failure.ts';
import { FailureAlert } from './failure-alert.tsx';

/** In place of a page that could not be shown. The rest of the application goes on. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const { t } = useLingui();
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
        {known.code === 'forbidden' ? t`Not for your role` : t`This page can’t be shown`}
      </Title>
      {ours ? (
        <FailureAlert failure={known} retry={again} />
      ) : (
        <>
          <Text>
            <Trans>Something in it broke. Reloading may help, for instance after an update.</Trans>
          </Text>
          <Anchor component="button" type="button" onClick={() => location.reload()}>
            <Trans>Reload</Trans>
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
        <Trans>Not found</Trans>
      </Title>
      <Text>
        <Trans>There is no such page, or it belongs to another company.</Trans>
      </Text>
      <Anchor component={Link} to="/">
        <Trans>To the start</Trans>
      </Anchor>
    </Stack>
  );
}
