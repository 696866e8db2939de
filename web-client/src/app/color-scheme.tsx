import { Trans } from '@lingui/react/macro';
import { Menu } from '@mantine/core';
import { type Preferences, setPreference, usePreference } from '../account/preferences.ts';

/** Entries of a menu that choose the colours. */
export function ColorScheme() {
  return (
    <>
      <Menu.Divider />
      <Menu.RadioGroup
        value={usePreference('theme')}
        onChange={(value) => void setPreference('theme', value as Preferences['theme'])}
      >
        <Menu.RadioItem value="system">
          <Trans>Colours of the system</Trans>
        </Menu.RadioItem>
        <Menu.RadioItem value="light">
          <Trans>Light</Trans>
        </Menu.RadioItem>
        <Menu.RadioItem value="dark">
          <Trans>Dark</Trans>
        </Menu.RadioItem>
        <Menu.RadioItem value="contrast">
          <Trans>High contrast</Trans>
        </Menu.RadioItem>
      </Menu.RadioGroup>
    </>
  );
}
