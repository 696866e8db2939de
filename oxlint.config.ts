import { defineConfig, type OxlintOverride } from 'oxlint';

/**
 * The domains, highest first: a service may import those below it, never those above.
 * ARCHITECTURE.md shows the same list; realtime and webhooks listen to events, so nobody calls them.
 */
export const domains = [
  'privacy',
  'webchat',
  'realtime',
  'webhooks',
  'ai',
  'campaigns',
  'automation',
  'email',
  'drafts',
  'views',
  'reports',
  'notifications',
  'messages',
  'quick-replies',
  'orders',
  'bookings',
  'conversations',
  'products',
  'media',
  'channels',
  'contacts',
  'tags',
  'teams',
  'invitations',
  'agents',
  'roles',
  'keys',
  'audit',
  'requests',
  'account',
];

type Ban = { regex: string; message: string; allowTypeImports?: boolean };

const cli: Ban = { regex: '/cli/', message: 'Only server/main.ts and the commands import server/cli.' };
const anyDomain: Ban = {
  regex: `/(${domains.join('|')})/`,
  message: 'Domains import this, it does not import domains.',
};
const http: Ban = { regex: '/http/|^express', message: 'HTTP stays in server/http.' };
const express: Ban = { regex: '^express', message: 'HTTP stays in server/http.' };
const transports = {
  regex:
    '^(@trpc/|@pothos/|graphql$|graphql-yoga|trpc-to-openapi)|/(router|graphql(-\\w+)?)\\.ts$|/platform/(trpc|graphql)\\.ts$',
  // present.ts is no transport: events carry the public record too.
  message: 'A service knows no transport: only router.ts and graphql.ts do.',
};

function folder(files: string[], ...bans: Ban[]): OxlintOverride {
  return { files, rules: { 'no-restricted-imports': ['error', { patterns: bans }] } };
}

function domain(name: string, index: number): OxlintOverride[] {
  const above = domains.slice(0, index);
  const bans = [http, cli];
  if (above.length > 0) {
    const regex = `^\\.\\./(${above.join('|')})/`;
    bans.push({ regex, message: `${name} may import only the domains below it (see oxlint.config.ts).` });
  }
  return [
    folder([`server/${name}/*.ts`], ...bans, transports),
    folder([`server/${name}/router.ts`, `server/${name}/graphql*.ts`], ...bans),
    // present.ts is read by both transports and knows neither.
    folder([`server/${name}/present.ts`], ...bans, { ...transports, regex: '^(@trpc/|@pothos/|graphql)' }),
  ];
}

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'promise', 'oxc'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  ignorePatterns: [
    'node_modules/**',
    'prisma/generated/**',
    'schema/sdk/generated/**',
    '**/dist/**',
    'coverage/**',
    '.data/**',
  ],
  rules: {
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'import/no-unassigned-import': 'off',
    'import/no-named-as-default-member': 'off',
    'max-lines': ['error', { max: 300 }],
    'no-console': 'error',
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    // What libraries call their own internals.
    'no-underscore-dangle': ['error', { allow: ['_def', '_zod', '_count'] }],
    'no-await-in-loop': 'off',
    'oxc/no-map-spread': 'off',
    // Spreading a string by code point is what we mean when we do it.
    'typescript/no-misused-spread': 'off',
    // The compiler sees to these better.
    'typescript/consistent-return': 'off',
    'typescript/unbound-method': 'off',
    'typescript/no-unsafe-enum-comparison': 'off',
    'typescript/require-array-sort-compare': 'off',
    'typescript/no-unnecessary-type-parameters': 'off',
    'no-shadow': 'off',
    'prefer-const': 'error',
    'unicorn/prefer-node-protocol': 'error',
    'promise/no-callback-in-promise': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/no-unnecessary-type-assertion': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/return-await': ['error', 'in-try-catch'],
    'typescript/restrict-template-expressions': 'off',
  },
  overrides: [
    folder(['schema/**/*.ts'], { regex: '^\\.\\./', message: 'schema/ imports nothing of ours but itself.' }),
    folder(['server/platform/*.ts'], anyDomain, http, cli, {
      regex: '^\\.\\./(http|app|app-router|graphql-schema)',
      message: 'server/platform is below everything in server/.',
    }),
    folder(['server/http/**/*.ts'], anyDomain, cli),
    folder(['server/*.ts'], express, cli),
    folder(['server/main.ts'], express),
    ...domains.flatMap(domain),
    folder(
      ['web-client/src/**/*.{ts,tsx}'],
      {
        regex: '/(prisma|test)/|/server/([^/]+/|(app|main|graphql-schema)\\.ts)',
        message: 'The dashboard imports schema/ and the type AppRouter, nothing else of the server.',
      },
      {
        regex: '/server/app-router\\.ts$',
        message: 'Import the type of AppRouter only.',
        allowTypeImports: true,
      },
    ),
    { files: ['*.config.ts', 'web-client/*.config.ts'], rules: { 'import/no-default-export': 'off' } },
    {
      files: ['test/**'],
      rules: {
        'typescript/no-non-null-assertion': 'off',
        'typescript/no-base-to-string': 'off',
        'no-console': 'off',
      },
    },
  ],
});
