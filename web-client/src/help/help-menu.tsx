import { Trans, useLingui } from '@lingui/react/macro';
import { ActionIcon, Menu } from '@mantine/core';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { BookOpen, CircleHelp, FlaskConical, Keyboard, Signpost } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useCan } from '../account/use-profile.ts';
import type { Mode } from '../app/mode.ts';
import { currentCommands, useCommands } from '../keyboard/commands.ts';
import { takeFirstVisit } from './first-visit.ts';

const Tour = lazy(async () => ({ default: (await import('./tour.tsx')).Tour }));

/** Opens the list of keys. */
export function showShortcuts(): void {
  currentCommands()
    .find(({ id }) => id === 'cheat-sheet')
    ?.run?.();
}

/** Help, at the same place on every page. */
export function HelpMenu({ mode }: { mode: Mode }) {
  const { t } = useLingui();
  const can = useCan();
  const navigate = useNavigate();
  const [touring, setTouring] = useState(false);
  const inInbox = useRouterState({ select: ({ location }) => location.pathname === '/inbox' });
  useEffect(() => {
    if (inInbox && takeFirstVisit()) setTouring(true);
  }, [inInbox]);
  const tour = async () => {
    await navigate({ to: '/inbox' });
    setTouring(true);
  };
  const sample = () => void navigate({ to: '/inbox', search: { mode: 'test' } });
  const offersSample = mode === 'live' && can('inbox.access');
  const reference = () => void window.open('/docs', '_blank', 'noopener');
  useCommands([
    ...(can('inbox.access')
      ? [{ id: 'tour', title: t`Take the tour`, group: 'Help' as const, run: () => void tour() }]
      : []),
    ...(offersSample
      ? [{ id: 'sample', title: t`Try it with sample data`, group: 'Help' as const, run: sample }]
      : []),
    { id: 'reference', title: t`API reference`, group: 'Help', run: reference },
  ]);
  return (
    <>
      <Menu position="bottom-end" width={250} withinPortal>
        <Menu.Target>
          <ActionIcon id="help" variant="subtle" size="lg" aria-label={t`Help`}>
            <CircleHelp size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {can('inbox.access') && (
            <Menu.Item leftSection={<Signpost size={16} aria-hidden />} onClick={() => void tour()}>
              <Trans>Take the tour</Trans>
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Keyboard size={16} aria-hidden />} onClick={showShortcuts}>
            <Trans>Keyboard shortcuts</Trans>
          </Menu.Item>
          {offersSample && (
            <Menu.Item leftSection={<FlaskConical size={16} aria-hidden />} onClick={sample}>
              <Trans>Try it with sample data</Trans>
            </Menu.Item>
          )}
          <Menu.Item
            component="a"
            href="/docs"
            target="_blank"
            rel="noopener"
            leftSection={<BookOpen size={16} aria-hidden />}
          >
            <Trans>API reference</Trans>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>{touring && inInbox && <Tour onClose={() => setTouring(false)} />}</Suspense>
    </>
  );
}
