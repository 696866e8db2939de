import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { serverNow } from '../app/clock.ts';
import { refused } from '../app/toast.ts';
import { trpc } from '../app/trpc.ts';
import { takeBack } from './held.ts';
import type { MessageEntry } from './message-entry.tsx';
import { useThreadContext } from './thread-context.ts';

/** A message that waits a little before it is sent: how long, and what can still be done. */
export function HeldState({ entry }: { entry: MessageEntry }) {
  const { t } = useLingui();
  const { conversation, composer } = useThreadContext();
  const left = useSecondsUntil(entry.held_until);
  const flush = useMutation(trpc.conversations.flushHeld.mutationOptions({ onError: refused }));
  const [undoing, setUndoing] = useState(false);
  const undo = () => {
    setUndoing(true);
    void takeBack(conversation.id, entry, composer.current).finally(() => setUndoing(false));
  };
  const busy = flush.isPending || flush.isSuccess || undoing;
  return (
    <div className="thread-held">
      <span role="timer">{left > 0 ? t`Sends in ${left} s` : t`Sending…`}</span>
      <Button
        size="compact-xs"
        variant="default"
        disabled={busy}
        onClick={() => flush.mutate({ conversation: conversation.id })}
      >
        <Trans>Send now</Trans>
      </Button>
      <Button size="compact-xs" variant="default" disabled={busy} onClick={undo}>
        <Trans>Undo</Trans>
      </Button>
    </div>
  );
}

function useSecondsUntil(at: string | null): number {
  const until = at === null ? 0 : Date.parse(at);
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((until - now) / 1000));
}
