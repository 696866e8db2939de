import { createServices } from '../../server/app.ts';
import { createApiKey } from '../../server/keys/service.ts';
import { loadConfig } from '../../server/platform/config.ts';
import { createLog } from '../../server/platform/log.ts';
import { execute } from '../../server/platform/operation.ts';
import { systemContext } from '../../server/platform/system-context.ts';
import { scopeNames } from '../../schema/scopes.ts';

/** The services, as the command line has them. */
export type House = Awaited<ReturnType<typeof createServices>>;

/** What every measured server is started with, so that one opens what another has sealed. */
export const benchSecret = 'the secret of the benchmark, long enough to be one';

/**
 * Does something with the services of the house, without a server, for what is asked of the dashboard alone.
 * @param dataDir folder for what the services keep beside the database
 */
export async function inHouse<T>(
  { databaseUrl, dataDir, variables = {} }: HousePlace,
  work: (app: House) => Promise<T>,
): Promise<T> {
  const config = loadConfig({
    DATA_DIR: dataDir,
    DEMO: '0',
    SECRET: benchSecret,
    LOG_LEVEL: 'error',
    ...variables,
  });
  const app = await createServices({ config, databaseUrl, log: createLog('error') });
  try {
    return await work(app);
  } finally {
    await app.stop();
  }
}

export interface HousePlace {
  databaseUrl: string;
  dataDir: string;
  variables?: Record<string, string>;
}

/** So many keys of a company that may do everything. */
export async function createKeys(app: House, company: string, count: number): Promise<string[]> {
  const keys: string[] = [];
  for (let n = 1; n <= count; n++) {
    const ctx = await systemContext(app, company);
    const asked = { name: `benchmark ${n}`, mode: 'live', scopes: [...scopeNames] };
    keys.push((await execute(createApiKey, ctx, asked)).key);
  }
  return keys;
}
