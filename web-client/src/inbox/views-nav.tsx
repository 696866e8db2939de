import { Trans, useLingui } from '@lingui/react/macro';
import { ActionIcon, Menu, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ViewCounts } from '../../../schema/views.ts';
import { countsQuery } from '../realtime/view-counts.ts';
import { useSavedViews } from './saved-views.ts';
import { type InboxSearch, searchOfSaved, type View, viewNames, views } from './search.ts';
import { currentLocale } from '../language/language.ts';
import { numberFormat } from '../language/formats.ts';

const first: readonly View[] = ['mine', 'unassigned', 'open'];
const further = viewNames.filter((view) => !first.includes(view));

/** The server counts no further. */
const most = 10_000;

/** Places to look from, with how much is there as the server counts; those that were saved too. */
export function ViewsNav({ search }: { search: InboxSearch }) {
  const { t } = useLingui();
  const { data: counts } = useQuery(countsQuery());
  const { own, shared } = useSavedViews();
  const saved = [...own, ...shared].find(({ id }) => id === search.saved);
  const current = search.saved === undefined ? (search.view ?? 'open') : null;
  const hidden = current === null || further.includes(current);
  const label = saved?.name ?? (current === null ? t`Saved view` : views[current].label);
  const item = (to: (now: InboxSearch) => InboxSearch, chosen: boolean, children: ReactNode, key: string) => (
    <Menu.Item
      key={key}
      renderRoot={(props) => (
        <Link
          {...props}
          from="/inbox"
          to="/inbox"
          search={to}
          activeOptions={whole}
          aria-current={chosen ? 'page' : undefined}
        />
      )}
    >
      {children}
    </Menu.Item>
  );
  const savedItem = ({ id, name, filters, shared: isShared }: (typeof own)[number]) =>
    item(
      ({ open }) => ({ ...searchOfSaved(id, filters), open }),
      id === search.saved,
      <span className="view-item">
        <span>{name}</span>
        {isShared && (
          <span title={t`Shared with the company`}>
            <Users size={14} aria-hidden />
            <span className="visually-hidden">
              <Trans>Shared with the company</Trans>
            </span>
          </span>
        )}
      </span>,
      id,
    );
  return (
    <nav className="list-views" aria-label={t`Views`}>
      {first.map((view) => (
        <Link
          key={view}
          from="/inbox"
          to="/inbox"
          search={viewSearch(view)}
          activeOptions={whole}
          aria-current={view === current ? 'page' : undefined}
        >
          {views[view].label} <Count of={view} counts={counts?.data} />
        </Link>
      ))}
      <Menu position="bottom-end" withinPortal width={250}>
        <Menu.Target>
          {hidden ? (
            <UnstyledButton className="list-more" data-current>
              <span className="visually-hidden">
                <Trans>More views, now:</Trans>{' '}
              </span>
              <span>{label}</span> <ChevronDown size={14} aria-hidden />
            </UnstyledButton>
          ) : (
            <ActionIcon
              className="list-more"
              variant="subtle"
              color="gray"
              size={28}
              aria-label={t`More views`}
            >
              <ChevronDown size={16} aria-hidden />
            </ActionIcon>
          )}
        </Menu.Target>
        <Menu.Dropdown className="views-menu">
          {further.map((view) =>
            item(
              viewSearch(view),
              view === current,
              <span className="view-item">
                <span>{views[view].label}</span>
                <Count of={view} counts={counts?.data} />
              </span>,
              view,
            ),
          )}
          {own.length > 0 && (
            <Menu.Label>
              <Trans>Your views</Trans>
            </Menu.Label>
          )}
          {own.map(savedItem)}
          {shared.length > 0 && (
            <Menu.Label>
              <Trans>Shared by others</Trans>
            </Menu.Label>
          )}
          {shared.map(savedItem)}
        </Menu.Dropdown>
      </Menu>
    </nav>
  );
}

function Count({ of, counts }: { of: View; counts: ViewCounts | undefined }) {
  const count = of in (counts ?? {}) ? counts?.[of as keyof ViewCounts] : undefined;
  if (count === undefined) return null;
  const words = count >= most ? `${short.format(most)}+` : short.format(count);
  return (
    <span className="view-count" title={count.toLocaleString(currentLocale())}>
      {words}
    </span>
  );
}

const short = numberFormat({ notation: 'compact', maximumFractionDigits: 1 });

/** A link is current by itself only where the whole address is its own. */
const whole = { exact: true } as const;

/** Another view keeps what is open and sought, and the order, but no filters. */
function viewSearch(view: View) {
  return ({ open, q, sort }: InboxSearch): InboxSearch => ({
    view: view === 'open' ? undefined : view,
    open,
    q,
    sort,
  });
}
