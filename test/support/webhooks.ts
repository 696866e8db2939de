import { expect } from 'vitest';
import type { WebhookEndpointCreate } from '../../schema/webhooks.ts';
import type { z } from 'zod';
import { appRouter } from '../../server/app-router.ts';
import { createContext } from '../../server/platform/context.ts';
import { newId } from '../../server/platform/ids.ts';
import { execute } from '../../server/platform/operation.ts';
import { systemContext } from '../../server/platform/system-context.ts';
import { createCallerFactory } from '../../server/platform/trpc.ts';
import { createWebhookEndpoint } from '../../server/webhooks/service.ts';
import type { TestCompany, TestServer } from './server.ts';

/** Settings under which receivers on the loopback interface are allowed. */
export const loopbackAllowed = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128', WEBHOOK_ALLOW_HTTP: '1' };

type Create = z.input<typeof WebhookEndpointCreate>;

/** An endpoint, made as the dashboard makes it. */
export async function createEndpoint(
  { app }: TestServer,
  company: Pick<TestCompany, 'id'>,
  input: Pick<Create, 'url'> & Partial<Create>,
) {
  return execute(createWebhookEndpoint, await systemContext(app, company.id), { events: ['*'], ...input });
}

/** So many events: contacts that are made over the API, one after another. */
export async function createContacts(company: Pick<TestCompany, 'client'>, count: number): Promise<void> {
  const api = await company.client();
  for (let n = 0; n < count; n++) await api.post('/contacts', { name: `Ana ${n}` });
}

/** The dashboard's tRPC calls of somebody with this role. */
export async function dashboard(
  { app }: TestServer,
  { id, owner }: Pick<TestCompany, 'id' | 'owner'>,
  role: string,
) {
  const { principal } = await systemContext(app, id);
  const user = { id: owner.id, email: owner.email, name: role };
  const person = { ...principal, kind: 'user' as const, id: owner.id, name: role, role, user };
  return createCallerFactory(appRouter)(createContext(app, person, newId()));
}
export type Dashboard = Awaited<ReturnType<typeof dashboard>>;

// eslint-disable-next-line typescript/no-explicit-any -- tests read columns of many types
export type Row = Record<string, any>;

/** Rows of a company's deliveries, as they are stored, in the order of the log. */
export async function deliveriesOf({ app }: TestServer, { id }: Pick<TestCompany, 'id'>) {
  const { rows } = await app.pool.query(
    'SELECT * FROM webhook_deliveries WHERE company_id = $1 ORDER BY sequence, endpoint_id',
    [id],
  );
  return rows as Row[];
}

/** Waits for so many deliveries of the company, each with so many attempts recorded. */
export async function settled(
  server: TestServer,
  company: Pick<TestCompany, 'id'>,
  { count = 1, attempts = 1 } = {},
): Promise<Row[]> {
  const done = async () =>
    (await deliveriesOf(server, company)).filter((row) => row['attempts'] >= attempts).length;
  await expect.poll(done, { timeout: 20_000, interval: 20 }).toBeGreaterThanOrEqual(count);
  return deliveriesOf(server, company);
}
