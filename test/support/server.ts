import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Grant } from '../../schema/scopes.ts';
import { scopeNames } from '../../schema/scopes.ts';
import { createApp, type RunningApp } from '../../server/app.ts';
import { createCompany } from '../../server/account/companies.ts';
import { systemContext } from '../../server/platform/system-context.ts';
import { createApiKey } from '../../server/keys/service.ts';
import { loadConfig } from '../../server/platform/config.ts';
import type { Clock } from '../../server/platform/clock.ts';
import { createLog, type Log } from '../../server/platform/log.ts';
import { execute } from '../../server/platform/operation.ts';
import { Client } from './client.ts';
import { createTestDatabase } from './postgres.ts';

/** A server of one's own over a database of one's own; what the tests talk to is what `npm start` starts. */
export interface TestServer {
  app: RunningApp;
  url: string;
  databaseUrl: string;
  clock: TestClock;
  /** A new company with its sandbox twin. */
  company(name?: string): Promise<TestCompany>;
  close(): Promise<void>;
}

export interface TestCompany {
  id: string;
  owner: { id: string; email: string };
  /** A client with a new key; all scopes and live unless asked otherwise. */
  client(options?: KeyOptions): Promise<Client>;
  key(options?: KeyOptions): Promise<{ id: string; key: string }>;
}

interface KeyOptions {
  mode?: 'live' | 'test';
  scopes?: readonly Grant[];
  expires_at?: string;
  user?: string;
  name?: string;
}

/** The real time, moved by as much as a test wants. */
export class TestClock implements Clock {
  #offset = 0;

  now(): Date {
    return new Date(Date.now() + this.#offset);
  }

  advance(milliseconds: number): void {
    this.#offset += milliseconds;
  }
}

/** What servers of the tests are started with. */
export const testSecret = 'the secret of the tests, long enough to be one';

let companies = 0;

/** @param sharedUrl database of another server, to be its second process */
export async function startServer(
  variables: Record<string, string> = {},
  sharedUrl?: string,
  log?: Log,
): Promise<TestServer> {
  const database =
    sharedUrl === undefined ? await createTestDatabase() : { url: sharedUrl, drop: async () => {} };
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parlour-data-'));
  const config = loadConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    DEMO: '0',
    SECRET: testSecret,
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '1000000',
    ...variables,
  });
  const clock = new TestClock();
  const app = await createApp({
    config,
    databaseUrl: database.url,
    log: log ?? createLog(config.logLevel),
    clock,
  });
  const { url } = await app.listen();
  return {
    app,
    url,
    databaseUrl: database.url,
    clock,
    company: (name = 'Company') => createTestCompany(app, url, `${name} ${++companies}`),
    async close() {
      await app.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts a server before the tests of a file and stops it after them. */
export function useServer(variables: Record<string, string> = {}, log?: Log): () => TestServer {
  let server: TestServer | undefined;
  beforeAll(async () => {
    server = await startServer(variables, undefined, log);
  });
  afterAll(async () => {
    await server?.close();
  });
  return () => {
    if (!server) throw new Error('The server is not started yet.');
    return server;
  };
}

async function createTestCompany(app: RunningApp, url: string, name: string): Promise<TestCompany> {
  const email = `owner-${companies}-${process.pid}@example.com`;
  const { company, owner } = await createCompany(app, {
    name,
    ownerEmail: email,
    ownerPassword: 'correct horse battery',
  });
  const key = async ({
    mode = 'live',
    scopes = scopeNames,
    name: keyName = 'tests',
    ...rest
  }: KeyOptions = {}) => {
    const ctx = await systemContext(app, company);
    return execute(createApiKey, ctx, { name: keyName, mode, scopes: [...scopes], ...rest });
  };
  return {
    id: company,
    owner: { id: owner, email },
    key,
    client: async (options) => new Client(url, (await key(options)).key),
  };
}
