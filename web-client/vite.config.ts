import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

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

const zip = promisify(gzip);
const squeeze = promisify(brotliCompress);

/** Beside each file of text, its compressed forms: they go to those who take them, at no cost when asked for. */
const compressed: Plugin = {
  name: 'compressed',
  async writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter((file) => /\.(js|css|svg)$/.test(file))) {
      const file = path.join(dir, name);
      const source = await readFile(file);
      // Quality 9 is within some percent of the best, in a tenth of its time.
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
      await Promise.all([
        zip(source, { level: 9 }).then((small) => writeFile(`${file}.gz`, small)),
        squeeze(source, { params }).then((small) => writeFile(`${file}.br`, small)),
      ]);
    }
  },
};

/** Files that need each other may run before what they need is there: such a build would be a page that stays empty. */
const acyclic: Plugin = {
  name: 'acyclic',
  generateBundle(_options, bundle) {
    const done = new Set<string>();
    const follow = (name: string, way: readonly string[]) => {
      if (way.includes(name)) this.error([...way, name].join(' needs '));
      if (done.has(name)) return;
      const chunk = bundle[name];
      for (const needed of chunk?.type === 'chunk' ? chunk.imports : []) follow(needed, [...way, name]);
      done.add(name);
    };
    for (const name of Object.keys(bundle)) follow(name, []);
  },
};

const html = (name: string) => path.join(import.meta.dirname, `${name}.html`);

const beside = new Set<string>();

/** Whether one of the small pages beside the application may need a module, too. */
function besideApplication(module: string, context: Rolldown.ChunkingContext): boolean {
  const follow = (id: string) => {
    if (beside.has(id)) return;
    beside.add(id);
    for (const needed of context.getModuleInfo(id)?.importedIds ?? []) follow(needed);
  };
  for (const page of ['sign-in', 'explorer']) follow(html(page));
  return beside.has(module);
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    // The English texts stay in the code (`message`): one catalog less to wait for.
    lingui({ cwd: import.meta.dirname, macroTransform: { macro: { descriptorFields: 'message' } } }),
    react(),
    acyclic,
    compressed,
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
        app: html('index'),
        'sign-in': html('sign-in'),
        explorer: html('explorer'),
      },
      output: {
        // Not the names of all that share it.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          // Else there is a small file for each set of pages that share something, and a browser asks for six at a time.
          groups: [
            {
              name: (module, context) => (besideApplication(module, context) ? 'base' : null),
              tags: ['$initial'],
              entriesAware: true,
              entriesAwareMergeThreshold: 2_000,
              priority: 2,
            },
            // What nobody but the application starts with comes with it, whichever of its pages need it too.
            { name: 'app', tags: ['$initial'], priority: 1 },
            { name: 'icons', test: /lucide-react/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(proxied.map((prefix) => [prefix, { target: server, ws: true }])),
  },
});
