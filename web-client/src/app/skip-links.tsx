import { useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { useMatches } from '@tanstack/react-router';
import type { MouseEvent } from 'react';

const inInbox = [
  {
    selector: '#conversations',
    get label() {
      return t`To the conversation list`;
    },
  },
  {
    selector: '[role=log]',
    get label() {
      return t`To the timeline`;
    },
  },
  {
    selector: '.thread-field',
    get label() {
      return t`To the composer`;
    },
  },
];

/** The first things that Tab reaches: past the navigation, and to the parts of the page that one works in. */
export function SkipLinks() {
  const { t } = useLingui();
  const inbox = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.fills) });
  const targets = [...(inbox ? inInbox : []), { selector: '#content', label: t`To the content` }];
  return (
    <nav aria-label={t`Skip to`} className="shell-skips">
      {targets.map(({ selector, label }) => (
        <a key={selector} className="shell-skip" href="#content" onClick={(event) => go(event, selector)}>
          {label}
        </a>
      ))}
    </nav>
  );
}

/** What is not there now gives way to the content. */
function go(event: MouseEvent, selector: string): void {
  event.preventDefault();
  const target =
    document.querySelector<HTMLElement>(selector) ?? document.querySelector<HTMLElement>('#content');
  target?.focus();
}
