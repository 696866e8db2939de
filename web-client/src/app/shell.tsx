import { Trans, useLingui } from '@lingui/react/macro';
import {
  ActionIcon,
  AppShell,
  Badge,
  Box,
  Burger,
  Group,
  Menu,
  NavLink,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useMatches, useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { CircleUserRound, FlaskConical, Keyboard as KeyboardIcon, LogOut, UserRound } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { AvailabilityMenu } from '../account/availability-menu.tsx';
import { useCan, useProfile } from '../account/use-profile.ts';
import { HelpMenu, showShortcuts } from '../help/help-menu.tsx';
import { Bell } from '../notifications/bell.tsx';
import { filtersOf, readSearch } from '../inbox/search.ts';
import { LanguageMenu } from '../language/language-menu.tsx';
import { Keyboard } from '../keyboard/keyboard.tsx';
import { Connection } from '../realtime/connection.tsx';
import { useConnectionState } from '../realtime/socket.ts';
import { InboxFeed } from '../realtime/inbox-feed.tsx';
import { unreadQuery } from '../realtime/list-cache.ts';
import { Face } from '../agents/face.tsx';
import { authStep } from '../sign-in/auth.ts';
import { Appearance } from './appearance.tsx';
import { ColorScheme } from './color-scheme.tsx';
import type { Mode } from './mode.ts';
import { showFavicon } from './favicon.ts';
import { navigation } from './navigation.ts';
import { useNewVersion } from './new-version.tsx';
import { useSessionEnded } from './session.ts';
import { SessionEnd } from './session-end.tsx';
import { modeOf, rootRoute } from './root-route.ts';
import { SkipLinks } from './skip-links.tsx';
import './shell.css';

const SignedOut = lazy(async () => ({ default: (await import('./signed-out.tsx')).SignedOut }));

/** The frame around every page. */
export function Shell() {
  const { t } = useLingui();
  const [opened, { toggle, close }] = useDisclosure();
  const mode = modeOf(useSearch({ from: rootRoute.id }));
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const fills = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.fills) });
  const ended = useSessionEnded();
  useNewVersion(useConnectionState() === 'live');
  useEffect(close, [pathname, close]);
  return (
    <>
      <SkipLinks />
      <AppShell
        header={{ height: mode === 'test' ? { base: 120, sm: 92 } : 56 }}
        navbar={{ width: fills ? 64 : 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
        padding={fills ? 0 : { base: 'md', sm: 'xl' }}
      >
        <AppShell.Header>
          {mode === 'test' && <ModeBar />}
          <Group h={56} px="md" justify="space-between" wrap="nowrap">
            <Group gap="sm" wrap="nowrap">
              <Burger
                opened={opened}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={opened ? t`Close the menu` : t`Open the menu`}
                aria-expanded={opened}
                aria-controls="navigation"
              />
              <img src={mode === 'test' ? '/icon-test.svg' : '/icon.svg'} alt="" width={28} height={28} />
              <Text fw={600} visibleFrom="xs">
                Parlour
              </Text>
            </Group>
            <Group gap="sm" wrap="nowrap">
              <Connection mode={mode} />
              <HelpMenu mode={mode} />
              <Bell mode={mode} />
              <UserMenu mode={mode} />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar id="navigation" p="xs" aria-label={t`Main`} data-rail={fills || undefined}>
          <Navigation pathname={pathname} />
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1}>
          <Box maw={fills ? undefined : '72rem'}>
            {/* Another mode is another set of records: its pages start anew. */}
            <Outlet key={mode} />
          </Box>
        </AppShell.Main>
      </AppShell>
      <Live mode={mode} />
      <Keyboard />
      <Appearance />
      <SessionEnd />
      <Favicon mode={mode} />
      {ended && (
        <Suspense>
          <SignedOut />
        </Suspense>
      )}
    </>
  );
}

/** Hears what happens in the inbox; on its page, for the list that is shown there. */
function Live({ mode }: { mode: Mode }) {
  const can = useCan();
  const filters = useRouterState({
    select: ({ location: { pathname, search } }) =>
      pathname === '/inbox' ? filtersOf(readSearch(search as Record<string, unknown>)) : {},
    structuralSharing: true,
  });
  return can('inbox.access') && <InboxFeed mode={mode} filters={filters} />;
}

/** The sign of the browser's tab. */
function Favicon({ mode }: { mode: Mode }) {
  const can = useCan();
  const { data: total = 0 } = useQuery({ ...unreadQuery(), enabled: can('inbox.access') });
  const unread = total > 0;
  useEffect(() => showFavicon(mode, unread), [mode, unread]);
  return null;
}

function UnreadBadge() {
  const { t } = useLingui();
  const { data: total = 0 } = useQuery(unreadQuery());
  return (
    total > 0 && (
      <Badge size="sm" miw={24} px={6} aria-label={t`${total} unread`} role="img">
        {total > 999 ? '999+' : total}
      </Badge>
    )
  );
}

function Navigation({ pathname }: { pathname: string }) {
  const can = useCan();
  const visible = navigation.filter(({ scope }) => scope === undefined || can(scope));
  return visible.map(({ to, label, icon: Icon, external }) => {
    const active = pathname === to || pathname.startsWith(`${to}/`);
    const look = {
      label,
      title: label,
      active,
      leftSection: <Icon size={18} aria-hidden />,
      rightSection: to === '/inbox' && <UnreadBadge />,
      'aria-current': active ? ('page' as const) : undefined,
    };
    return external ? (
      <NavLink key={to} {...look} component="a" href={to} target="_blank" rel="noopener" />
    ) : (
      <NavLink key={to} {...look} component={Link} to={to} />
    );
  });
}

function ModeBar() {
  const setMode = useSetMode();
  return (
    <div className="shell-mode" role="status">
      <span>
        <FlaskConical size={16} aria-hidden />
        <Trans>
          Test mode. Nothing here reaches customers and webhooks are not sent.{' '}
          <UnstyledButton fz="inherit" onClick={() => setMode('live')}>
            <Trans>Switch to live</Trans>
          </UnstyledButton>
        </Trans>
      </span>
    </div>
  );
}

function UserMenu({ mode }: { mode: Mode }) {
  const { t } = useLingui();
  const profile = useProfile();
  const setMode = useSetMode();
  const signOut = () => {
    const leave = () => location.assign('/sign-in');
    authStep('/sign-out').then(leave, leave);
  };
  return (
    <Menu position="bottom-end" width={270} withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" aria-label={t`Account of ${profile.name}`}>
          <Face of={profile.id} size={26}>
            <CircleUserRound size={22} aria-hidden />
          </Face>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Box px="sm" py="xs">
          <Text fw={600}>{profile.name}</Text>
          <Text size="sm" c="dimmed">
            {profile.role.name} · {profile.company.name}
          </Text>
        </Box>
        <Menu.Divider />
        <AvailabilityMenu />
        <Menu.Item component={Link} to="/settings/profile" leftSection={<UserRound size={16} aria-hidden />}>
          <Trans>Profile</Trans>
        </Menu.Item>
        <Menu.Item leftSection={<KeyboardIcon size={16} aria-hidden />} onClick={showShortcuts}>
          <Trans>Keyboard shortcuts</Trans>
        </Menu.Item>
        <Menu.Item
          leftSection={<FlaskConical size={16} aria-hidden />}
          onClick={() => setMode(mode === 'test' ? 'live' : 'test')}
        >
          {mode === 'test' ? t`Switch to live mode` : t`Switch to test mode`}
        </Menu.Item>
        <ColorScheme />
        <LanguageMenu />
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={16} aria-hidden />} onClick={signOut}>
          <Trans>Sign out</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function useSetMode(): (mode: Mode) => void {
  const navigate = useNavigate();
  return (mode) => void navigate({ to: '.', search: { mode: mode === 'test' ? mode : undefined } });
}
