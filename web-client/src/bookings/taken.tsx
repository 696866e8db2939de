import { Alert, Button } from '@mantine/core';
import type { Clash } from './look-around.ts';

interface Props extends Clash {
  /** Name of the agent. */
  agent: string;
  zone: string;
  onTake(free: Date): void;
  onClose?: () => void;
}

/** Says who is busy when, and offers the next time that is free. */
export function Taken({ agent, busy, free, zone, onTake, onClose }: Props) {
  const from = new Date(busy.starts_at);
  const time = new Intl.DateTimeFormat(undefined, { timeZone: zone, hour: '2-digit', minute: '2-digit' });
  const day = new Intl.DateTimeFormat(undefined, {
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
      title={`${agent} is busy ${time.format(from)}–${said(new Date(busy.ends_at))}.`}
      withCloseButton={onClose !== undefined}
      closeButtonLabel="Close this message"
      {...(onClose && { onClose })}
    >
      {free ? (
        <Button variant="default" onClick={() => onTake(free)}>
          {`Next free: ${said(free)}`}
        </Button>
      ) : (
        'There is no room in the next two weeks.'
      )}
    </Alert>
  );
}
