import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { type Preferences, usePreference } from '../account/preferences.ts';
import './appearance.css';

const schemes: Readonly<Record<Preferences['theme'], MantineColorScheme>> = {
  system: 'auto',
  light: 'light',
  dark: 'dark',
  contrast: 'auto',
};

/** Draws the page as the agent prefers; the browser remembers light or dark for the first moment of the next visit. */
export function Appearance() {
  const theme = usePreference('theme');
  const density = usePreference('density');
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    setColorScheme(schemes[theme]);
    document.documentElement.toggleAttribute('data-contrast', theme === 'contrast');
  }, [theme, setColorScheme]);
  useEffect(() => {
    document.documentElement.dataset['density'] = density;
  }, [density]);
  return null;
}
