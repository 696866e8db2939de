import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { PenLine } from 'lucide-react';
import { useState } from 'react';
import { Face } from '../agents/face.tsx';
import { Confirm } from '../app/confirm.tsx';
import { refused } from '../app/toast.ts';
import type { Lock } from './presence.ts';
import { initialsOf } from '../inbox/conversation-words.ts';

/** Who else is answering, and how to take over. */
export function LockBanner({ lock }: { lock: Lock }) {
  const { t } = useLingui();
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
          <Face of={other} size={24}>
            <span className="thread-initials" aria-hidden>
              {initialsOf(other)}
            </span>
          </Face>
          <PenLine size={15} aria-hidden />
          <span>{lost ? t`${other} took over. Your text is kept.` : t`${other} is replying.`}</span>
          <Button size="compact-xs" variant="default" onClick={takeOver}>
            <Trans>Take over</Trans>
          </Button>
        </>
      )}
      <Confirm
        title={asking ? t`Take over from ${other ?? t`them`}?` : null}
        action={t`Take over`}
        run={lock.takeOver}
        onClose={() => setAsking(false)}
      >
        <Trans>
          They are writing right now. Their text stays with them, and they see that you took over.
        </Trans>
      </Confirm>
    </div>
  );
}
