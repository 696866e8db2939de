import { defineConfig } from 'vite';

/** The web chat's widget: one classic script for other people's pages, with nothing beside it. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    outDir: 'dist/webchat',
    emptyOutDir: true,
    target: 'es2022',
    // Those that know light-dark(), which follows the page and can't be imitated.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: false,
    rolldownOptions: {
      input: 'src/webchat/widget.ts',
      output: { format: 'iife', entryFileNames: 'widget.js' },
    },
  },
});
