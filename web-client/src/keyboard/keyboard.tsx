import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { preference } from '../account/preferences.ts';
import { useCan } from '../account/use-profile.ts';
import { navigation } from '../app/navigation.ts';
import { type Command, currentCommands, useCommands } from './commands.ts';
import { keyName, KeySequence } from './keys.ts';
import { undoLast } from './undo.tsx';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const CheatSheet = lazy(async () => ({ default: (await import('./cheat-sheet.tsx')).CheatSheet }));

/** What follows `G`. Places without a letter are in the palette alone. */
const letters: Readonly<Record<string, string>> = {
  '/inbox': 'I',
  '/home': 'H',
  '/contacts': 'C',
  '/products': 'P',
  '/orders': 'O',
  '/bookings': 'B',
  '/quick-replies': 'Q',
  '/campaigns': 'M',
  '/tags': 'T',
  '/developers': 'D',
  '/settings': 'S',
};

/** Listens for the keys of all commands, and shows the palette and the list of shortcuts. */
export function Keyboard() {
  const { t } = useLingui();
  const [open, setOpen] = useState<'palette' | 'cheat-sheet' | null>(null);
  const close = () => setOpen(null);
  useCommands([
    ...useGoTo(),
    {
      id: 'palette',
      title: t`Find a command`,
      group: 'General',
      keys: ['Mod+K'],
      everywhere: true,
      run: () => setOpen('palette'),
    },
    {
      id: 'cheat-sheet',
      title: t`Keyboard shortcuts`,
      group: 'General',
      keys: ['?'],
      run: () => setOpen('cheat-sheet'),
    },
    { id: 'undo', title: t`Undo the last action`, group: 'General', keys: ['Z'], run: undoLast },
  ]);
  useEffect(listen, []);
  return (
    <Suspense>
      {open === 'palette' && <Palette onClose={close} />}
      {open === 'cheat-sheet' && <CheatSheet onClose={close} />}
    </Suspense>
  );
}

function useGoTo(): Command[] {
  const can = useCan();
  const navigate = useNavigate();
  return navigation
    .filter(({ scope }) => scope === undefined || can(scope))
    .map(({ to, label, external }) => ({
      id: `go ${to}`,
      title: label,
      group: 'Go to',
      ...(letters[to] === undefined ? {} : { keys: [`G ${letters[to]}`] }),
      run: () => (external ? void window.open(to, '_blank', 'noopener') : void navigate({ to })),
    }));
}

function listen(): () => void {
  const sequence = new KeySequence();
  const mac = /mac|iphone|ipad/i.test(navigator.userAgent);
  const hear = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const key = keyName(event, mac);
    if (key === null) return;
    const commands = heardBy(event.target);
    const named = (keys: string) => commands.find((command) => command.keys?.includes(keys));
    const pressed = sequence.press(
      key,
      event.timeStamp,
      (keys) => named(keys) !== undefined,
      (first) => commands.some((command) => command.keys?.some((keys) => keys.startsWith(`${first} `))),
    );
    const command = pressed === null ? undefined : named(pressed);
    if (!command) return;
    event.preventDefault();
    if (command.reason === undefined && (!event.repeat || command.repeats)) command.run?.();
  };
  addEventListener('keydown', hear);
  return () => removeEventListener('keydown', hear);
}

/** Single keys are for where nothing else wants them: not in fields, menus and dialogs. */
function heardBy(target: EventTarget | null): Command[] {
  const commands = currentCommands().filter(({ run }) => run !== undefined);
  const busy =
    document.querySelector('[aria-modal="true"]') !== null ||
    (target instanceof Element &&
      target.closest('input, textarea, select, [contenteditable], [role="menu"], [data-own-keys]') !== null);
  if (busy) return commands.filter(({ everywhere }) => everywhere);
  return preference('singleKeys')
    ? commands
    : commands.filter(({ keys }) => keys?.some((key) => key.startsWith('Mod+')));
}
