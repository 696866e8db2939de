import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../server/platform/embedded-postgres.ts';
import { migrate } from '../../server/platform/migrate.ts';
import { dropDatabase } from './drop-database.ts';

export type TestPostgres = {
  /** Connects as somebody who may create databases. */
  adminUrl: string;
  /** All databases of this run start with it. */
  prefix: string;
  template: string;
};

declare module 'vitest' {
  // eslint-disable-next-line typescript/consistent-type-definitions
  export interface ProvidedContext {
    postgres: TestPostgres;
  }
}

async function openServer(): Promise<{ url: string; close: () => Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL'] || process.env['DATABASE_URL'];
  if (given) return { url: given, close: async () => {} };
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'parlour-test-'));
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '400',
  };
  const server = await startEmbeddedPostgres({ dataDir, settings });
  return {
    url: server.url,
    async close() {
      await server.stop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function dropDatabases(adminUrl: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
    [prefix],
  );
  await client.end();
  for (const { datname } of rows) await dropDatabase(adminUrl, datname);
}

/** One PostgreSQL for the whole run, with one migrated database that test files copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openServer();
  const prefix = `parlour_test_${randomBytes(4).toString('hex')}_`;
  const template = `${prefix}template`;
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`CREATE DATABASE ${template} TEMPLATE template0 ENCODING 'UTF8'`);
  await client.end();
  const templateUrl = new URL(server.url);
  templateUrl.pathname = `/${template}`;
  await migrate({ databaseUrl: templateUrl.href });
  project.provide('postgres', { adminUrl: server.url, prefix, template });
  return async () => {
    await dropDatabases(server.url, prefix);
    await server.close();
  };
}
