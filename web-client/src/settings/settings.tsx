import { useLingui } from '@lingui/react/macro';
import { Link, Outlet } from '@tanstack/react-router';
import { useProfile } from '../account/use-profile.ts';
import { settingsEntries } from './entries.ts';
import './settings.css';

/** Its pages, side by side, above the one that is open. */
export function Settings() {
  const { t } = useLingui();
  const { role } = useProfile();
  const visible = settingsEntries.filter(
    ({ roles }) => !roles || (role.key !== null && roles.includes(role.key)),
  );
  return (
    <>
      <nav className="settings-tabs" aria-label={t`Settings`}>
        {visible.map(({ to, label }) => (
          <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }}>
            {label}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  );
}
