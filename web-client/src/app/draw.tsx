import { MantineProvider } from '@mantine/core';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { InLanguage } from '../language/in-language.tsx';
import { startLanguage } from '../language/language.ts';
import { cssVariablesResolver, styleNonce, theme } from './theme.ts';

/** Draws a page into its document, in the language and the colours that hold. */
export function draw(page: ReactNode): void {
  const root = document.querySelector('#root');
  if (!root) throw new Error('The page has no root.');
  // The first thing that is drawn is in the right language.
  void startLanguage().then(() =>
    createRoot(root).render(
      <StrictMode>
        <InLanguage>
          <MantineProvider
            theme={theme}
            defaultColorScheme="auto"
            cssVariablesResolver={cssVariablesResolver}
            getStyleNonce={styleNonce}
          >
            {page}
          </MantineProvider>
        </InLanguage>
      </StrictMode>,
    ),
  );
}
