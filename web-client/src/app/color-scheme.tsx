import { Menu, useMantineColorScheme } from '@mantine/core';
import { Moon, Sun, SunMoon } from 'lucide-react';

const schemes = [
  { value: 'auto', label: 'Colours of the system', icon: SunMoon },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const;

/** Entries of a menu that choose the colours; the browser remembers the choice. */
export function ColorScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Divider />
      <Menu.Label>Appearance</Menu.Label>
      {schemes.map(({ value, label, icon: Icon }) => (
        <Menu.Item
          key={value}
          role="menuitemradio"
          aria-checked={colorScheme === value}
          leftSection={<Icon size={16} aria-hidden />}
          rightSection={colorScheme === value ? '✓' : undefined}
          onClick={() => setColorScheme(value)}
          closeMenuOnClick={false}
        >
          {label}
        </Menu.Item>
      ))}
    </>
  );
}
