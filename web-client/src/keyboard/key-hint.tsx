import { Kbd } from '@mantine/core';
import { Fragment } from 'react';

const mac = /mac|iphone|ipad/i.test(navigator.userAgent);

/** Keys as they are printed on the keyboard. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <span className="key-hint">
      {keys.split(' ').map((press, n) => (
        <Fragment key={press}>
          {n > 0 && ' then '}
          {press.split('+').map((key) => (
            <Kbd key={key} size="xs">
              {key === 'Mod' ? (mac ? '⌘' : 'Ctrl') : key}
            </Kbd>
          ))}
        </Fragment>
      ))}
    </span>
  );
}
