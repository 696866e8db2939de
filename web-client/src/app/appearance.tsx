import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { type Preferences, usePreference } from '../account/preferences.ts';
import { chooseLanguage, currentLanguage, languageOf } from '../language/language.ts';
import './appearance.css';

const schemes: Readonly<Record<Preferences['theme'], MantineColorScheme>> = {
  system: 'auto',
  light: 'light',
  dark: 'dark',
  contrast: 'auto',
};

/**
 * Draws the page as the agent prefers; the browser remembers the language and light or dark for the first moment of
 * the next visit.
 */
export function Appearance() {
  const theme = usePreference('theme');
  const density = usePreference('density');
  const language = usePreference('language');
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    setColorScheme(schemes[theme]);
    document.documentElement.toggleAttribute('data-contrast', theme === 'contrast');
  }, [theme, setColorScheme]);
  useEffect(() => {
    document.documentElement.dataset['density'] = density;
  }, [density]);
  useEffect(() => {
    const known = languageOf(language ?? '');
    // Without its catalog the page speaks on as it does.
    if (known && known !== currentLanguage()) chooseLanguage(known).catch(() => undefined);
  }, [language]);
  return null;
}
