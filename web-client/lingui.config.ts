import { formatter } from '@lingui/format-po';

/** Messages are written in English in the code; the catalogs have the other languages. */
export default {
  rootDir: import.meta.dirname,
  sourceLocale: 'en',
  locales: ['en', 'es', 'pt-BR', 'ar'],
  catalogs: [
    { path: '<rootDir>/src/locales/{locale}', include: ['<rootDir>/src'], exclude: ['**/src/webchat/**'] },
  ],
  // Without places: a catalog changes when its texts do.
  format: formatter({ origins: false }),
  orderBy: 'message',
};
