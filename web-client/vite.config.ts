import path from 'node:path';
import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env['PARLOUR_URL'] ?? 'http://127.0.0.1:4000';
const proxied = [
  '/api',
  '/app',
  '/auth',
  '/csv',
  '/docs',
  '/graphql',
  '/media',
  '/trpc',
  '/readyz',
  '/version',
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    // The English texts stay in the code (`message`): one catalog less to wait for.
    lingui({ cwd: import.meta.dirname, macroTransform: { macro: { descriptorFields: 'message' } } }),
    react(),
  ],
  // The server puts a new one into every page; style elements that scripts make carry it.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // Those that know light-dark().
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true,
    // Nothing in the page itself: its policy allows files alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        app: path.join(import.meta.dirname, 'index.html'),
        'sign-in': path.join(import.meta.dirname, 'sign-in.html'),
        explorer: path.join(import.meta.dirname, 'explorer.html'),
      },
    },
  },
  server: {
    proxy: Object.fromEntries(proxied.map((prefix) => [prefix, { target: server, ws: true }])),
  },
});
