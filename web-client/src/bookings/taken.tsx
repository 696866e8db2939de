import { useLingui } from '@lingui/react/macro';
import { Alert, Button } from '@mantine/core';
import type { Clash } from './look-around.ts';
import { dateFormat } from '../language/formats.ts';

interface Props extends Clash {
  /** Name of the agent. */
  agent: string;
  zone: string;
  onTake(free: Date): void;
  onClose?: () => void;
}

/** Says who is busy when, and offers the next time that is free. */
export function Taken({ agent, busy, free, zone, onTake, onClose }: Props) {
  const { t } = useLingui();
  const from = new Date(busy.starts_at);
  const time = dateFormat({ timeZone: zone, hour: '2-digit', minute: '2-digit' });
  const day = dateFormat({
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  });
  // The day is said where it is another one.
  const said = (at: Date) =>
    day.format(at) === day.format(from) ? time.format(at) : `${day.format(at)}, ${time.format(at)}`;
  return (
    <Alert
      role="alert"
      color="red"
      title={t`${agent} is busy ${time.format(from)}–${said(new Date(busy.ends_at))}.`}
      withCloseButton={onClose !== undefined}
      closeButtonLabel={t`Close this message`}
      {...(onClose && { onClose })}
    >
      {free ? (
        <Button variant="default" onClick={() => onTake(free)}>
          {t`Next free: ${said(free)}`}
        </Button>
      ) : (
        t`There is no room in the next two weeks.`
      )}
    </Alert>
  );
}
