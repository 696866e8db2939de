import { expect } from 'vitest';
import type { WebhookEndpointCreate } from '../../schema/webhooks.ts';
import type { z } from 'zod';
import { execute } from '../../server/platform/operation.ts';
import { systemContext } from '../../server/platform/system-context.ts';
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

/** Rows of a company's deliveries, as they are stored, in the order of the log. */
export async function deliveriesOf({ app }: TestServer, { id }: Pick<TestCompany, 'id'>) {
  const { rows } = await app.pool.query(
    'SELECT * FROM webhook_deliveries WHERE company_id = $1 ORDER BY sequence, endpoint_id',
    [id],
  );
  return rows as Record<string, any>[];
}

/** Waits for so many deliveries of the company, each with so many attempts recorded. */
export async function settled(
  server: TestServer,
  company: Pick<TestCompany, 'id'>,
  { count = 1, attempts = 1 } = {},
): Promise<Record<string, any>[]> {
  const done = async () =>
    (await deliveriesOf(server, company)).filter((row) => row['attempts'] >= attempts).length;
  await expect.poll(done, { timeout: 20_000, interval: 20 }).toBeGreaterThanOrEqual(count);
  return deliveriesOf(server, company);
}
