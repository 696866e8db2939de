import { Button } from '@mantine/core';
import { PenLine } from 'lucide-react';
import { useState } from 'react';
import { Confirm } from '../app/confirm.tsx';
import { refused } from '../app/toast.ts';
import type { Lock } from './presence.ts';
import { initialsOf } from '../inbox/conversation-words.ts';

/** Who else is answering, and how to take over. */
export function LockBanner({ lock }: { lock: Lock }) {
  const [asking, setAsking] = useState(false);
  const { other, lost } = lock;
  const takeOver = () => {
    if (lock.fresh()) setAsking(true);
    else lock.takeOver().catch(refused);
  };
  return (
    <div role="status" className="thread-lock" hidden={other === null}>
      {other !== null && (
        <>
          <span className="thread-initials" aria-hidden>
            {initialsOf(other)}
          </span>
          <PenLine size={15} aria-hidden />
          <span>{lost ? `${other} took over. Your text is kept.` : `${other} is replying.`}</span>
          <Button size="compact-xs" variant="default" onClick={takeOver}>
            Take over
          </Button>
        </>
      )}
      <Confirm
        title={asking ? `Take over from ${other ?? 'them'}?` : null}
        action="Take over"
        run={lock.takeOver}
        onClose={() => setAsking(false)}
      >
        They are writing right now. Their text stays with them, and they see that you took over.
      </Confirm>
    </div>
  );
}
