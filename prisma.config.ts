import { defineConfig } from 'prisma/config';

// `prisma generate` needs no database. The URL is only for Prisma's own commands, run by hand against a
// database that DATABASE_URL names; the server migrates through server/platform/migrate.ts.
export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
  ...(process.env.DATABASE_URL ? { datasource: { url: process.env.DATABASE_URL } } : {}),
});
