import { lingui } from '@lingui/vite-plugin';
import { defineConfig } from 'vitest/config';

/** Faults are measured one at a time: in full, or with small figures to try them. */
const faults = process.env['FAULTS'] !== undefined;

function included(): string[] {
  if (process.env['E2E']) return ['test/e2e/**/*.test.ts'];
  // Besides programs of their own, tests that do more of the same here.
  return faults
    ? [
        'test/faults/*.test.ts',
        'test/house/*kill.test.ts',
        'test/messages-held.test.ts',
        'test/automation-assign.test.ts',
        'test/cut-transactions.test.ts',
        'test/invariants/pages.test.ts',
        'test/unit/keys.test.ts',
      ]
    : ['test/**/*.test.ts'];
}

export default defineConfig({
  // Parts of the dashboard are tested without a browser.
  plugins: [lingui({ configPath: 'web-client/lingui.config.ts', macroTransform: true })],
  resolve: {
    // graphql ships each module twice; the copies refuse each other's objects.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    // `npm test` opens a browser for the core alone.
    include: included(),
    exclude: [
      'test/bench/**',
      ...(faults ? [] : ['test/faults/**']),
      ...(process.env['E2E'] ? [] : ['test/e2e/!(core-*)']),
    ],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: faults ? 1 : 2,
    // What is waited for comes at once on an idle machine; on a busy one it comes all the same.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 300_000,
    hookTimeout: 180_000,
    server: { deps: { inline: [/@pothos/, /graphql-yoga/] } },
  },
});
