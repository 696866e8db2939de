import { Trans, useLingui } from '@lingui/react/macro';
import { Anchor, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { Failure } from './failure.ts';
import { requestHref } from './request-log.ts';
import { useCountdown } from './use-countdown.ts';
import { Wait } from './wait.tsx';

/** Which request it was, to be copied, and looked up in the log by those who may. Nothing where no answer came. */
export function RequestReference({ failure: { code, requestId } }: { failure: Failure }) {
  const { t } = useLingui();
  const [copied, setCopied] = useState(false);
  if (requestId === null) return null;
  // Who is nobody has no log.
  const href = code === 'unauthenticated' ? null : requestHref(requestId);
  const copy = () => {
    navigator.clipboard.writeText(requestId).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <Text component="span" size="sm" className="wrapped">
      {code} ·{' '}
      {href === null ? (
        t`Request ${requestId}`
      ) : (
        <Anchor href={href} inherit td="underline">
          <Trans>Request {requestId}</Trans>
        </Anchor>
      )}{' '}
      <UnstyledButton fz="inherit" td="underline" onClick={copy}>
        {copied ? t`Copied` : t`Copy`}
      </UnstyledButton>
    </Text>
  );
}

/** A failure in a toast. */
export function FailureText({ failure }: { failure: Failure }) {
  return (
    <>
      <Text size="sm">{failure.message}</Text>
      <Wait seconds={useCountdown(failure)} />
      <RequestReference failure={failure} />
    </>
  );
}
