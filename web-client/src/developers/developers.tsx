import { useLingui } from '@lingui/react/macro';
import { Link, Outlet } from '@tanstack/react-router';
import { useProfile } from '../account/use-profile.ts';
import { developersEntries } from './entries.ts';
import '../settings/settings.css';
import './developers.css';

/** What developers need, side by side, above the page that is open. */
export function Developers() {
  const { t } = useLingui();
  const { role } = useProfile();
  const visible = developersEntries.filter(
    ({ roles }) => !roles || (role.key !== null && roles.includes(role.key)),
  );
  return (
    <>
      <nav className="settings-tabs" aria-label={t`Developers`}>
        {visible.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            activeProps={{ 'aria-current': 'page' }}
            activeOptions={{ exact: to === '/developers', includeSearch: false }}
          >
            {label}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  );
}
