import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { DirectionProvider } from '@mantine/core';
import type { ReactNode } from 'react';

/** Everything below is drawn in the language that is on, and again when it changes; nothing is mounted anew. */
export function InLanguage({ children }: { children: ReactNode }) {
  return (
    <I18nProvider i18n={i18n}>
      <DirectionProvider>{children}</DirectionProvider>
    </I18nProvider>
  );
}
