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
        <Menu.RadioItem value="system">Colours of the system</Menu.RadioItem>
        <Menu.RadioItem value="light">Light</Menu.RadioItem>
        <Menu.RadioItem value="dark">Dark</Menu.RadioItem>
        <Menu.RadioItem value="contrast">High contrast</Menu.RadioItem>
      </Menu.RadioGroup>
    </>
  );
}
