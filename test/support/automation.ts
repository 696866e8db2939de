import { expect } from 'vitest';
import type { CompanyUpdate } from '../../schema/company.ts';
import type { z } from 'zod';
import { updateCompany } from '../../server/account/company.ts';
import { receive } from '../../server/messages/work.ts';
import { execute } from '../../server/platform/operation.ts';
import { systemContext } from '../../server/platform/system-context.ts';
import type { Client } from './client.ts';
import type { TestServer } from './server.ts';

type Settings = z.input<typeof CompanyUpdate>;

/** Changes settings as an admin does in the dashboard. */
export async function configure({ app }: TestServer, companyId: string, settings: Settings): Promise<void> {
  await execute(updateCompany, await systemContext(app, companyId), settings);
}

let ids = 0;

/** A customer writes on the simulator; in the inbox when it returns. */
export async function write(
  { app }: TestServer,
  { companyId, channelId }: { companyId: string; channelId: string },
  from: string,
  text: string,
  more: { automatic?: boolean } = {},
): Promise<void> {
  const messages = [{ from, text, providerId: `wrote-${++ids}`, ...more }];
  await receive(app, { companyId, channelId, payload: { messages } });
}

/** The only conversation of the contact with this number. */
export async function threadOf(api: Client, phone: string) {
  const contact = (await api.get('/contacts', { phone })).body.data[0]?.id;
  const { data } = (await api.get('/conversations', { contact })).body;
  expect(data).toHaveLength(1);
  return data[0];
}

/** What the house has written by itself in a conversation, oldest first. */
export async function saidByItself(api: Client, conversation: string): Promise<string[]> {
  const { data } = (await api.get('/messages', { conversation, direction: 'outbound', limit: 100 })).body;
  return data
    .filter(({ author }: { author: { type: string } }) => author.type === 'automation')
    .map(({ text }: { text: string }) => text)
    .reverse();
}

/** Waits until no job of automation is left to do, at most 3 minutes. */
export async function idle({ app }: TestServer): Promise<void> {
  const left = async () => {
    const { rows } = await app.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM jobs.job
       WHERE name LIKE 'automation.%' AND name NOT IN ('automation.sweep', 'automation.close')
         AND state IN ('created', 'retry', 'active')`,
    );
    return rows[0]?.n;
  };
  await expect.poll(left, { timeout: 180_000, interval: 50 }).toBe(0);
}
