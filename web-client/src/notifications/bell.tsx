import { useLingui } from '@lingui/react/macro';
import { ActionIcon, Popover } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Bell as BellIcon } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { Mode } from '../app/mode.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { socket } from '../realtime/socket.ts';
import './bell.css';

const BellList = lazy(async () => ({ default: (await import('./bell-list.tsx')).BellList }));

const subscription = 'subscription { personal { type unreadNotifications } }';

interface Personal {
  personal: { type: string; unreadNotifications: number | null };
}

/** What one was told, and how much of it is new. The list is loaded when it is opened. */
export function Bell({ mode }: { mode: Mode }) {
  const { t } = useLingui();
  const [opened, setOpened] = useState(false);
  const { data } = useQuery(trpc.notifications.unreadCount.queryOptions({}));
  useEffect(() => {
    const ignore = () => {};
    return socket(mode).subscribe<Personal>(
      { query: subscription },
      { next: ({ data: news }) => hear(news?.personal ?? null), error: ignore, complete: ignore },
    );
  }, [mode]);
  const unread = data?.data.unread ?? 0;
  const label = unread === 0 ? t`Notifications` : t`Notifications, ${unread} unread`;
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width="min(24rem, calc(100vw - 1rem))"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          size="lg"
          className="bell"
          aria-label={label}
          onClick={() => setOpened((before) => !before)}
        >
          <BellIcon size={20} aria-hidden />
          {unread > 0 && (
            <span className="bell-count" aria-hidden="true">
              {unread > 99 ? '99+' : unread}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p="sm" aria-label={t`Notifications`}>
        <Suspense fallback={null}>{opened && <BellList />}</Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}

function hear(news: Personal['personal'] | null): void {
  if (!news || news.unreadNotifications === null) return;
  const unread = news.unreadNotifications;
  queryClient.setQueryData(trpc.notifications.unreadCount.queryKey({}), { data: { unread } });
  void queryClient.invalidateQueries(trpc.notifications.list.infiniteQueryFilter());
}
