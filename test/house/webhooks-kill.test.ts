import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { createCompany } from '../../server/account/companies.ts';
import { createServices } from '../../server/app.ts';
import { createContact } from '../../server/contacts/service.ts';
import { loadConfig } from '../../server/platform/config.ts';
import { createLog } from '../../server/platform/log.ts';
import { execute } from '../../server/platform/operation.ts';
import { systemContext } from '../../server/platform/system-context.ts';
import { createWebhookEndpoint } from '../../server/webhooks/service.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { reached } from '../support/reached.ts';
import { full, scaled } from '../support/scale.ts';
import { startReceiver } from '../support/receiver.ts';
import { verifyWebhook } from '../support/verify-webhook.ts';
import { loopbackAllowed } from '../support/webhooks.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'parlour-webhooks-kill-'));
const children: ChildProcess[] = [];
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const child of children) child.kill('SIGKILL');
});

const total = scaled(400, 10_000);
const rounds = scaled(6, 50);

it(
  `processes killed over and over while ${total} events go out lose none, and repeat with the same id and bytes [W1]`,
  async () => {
    const database = await createTestDatabase();
    const env = {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      DEMO: '0',
      PORT: '0',
      SECRET: 'the secret of the tests, long enough to be one',
      LOG_LEVEL: 'silent',
      ...loopbackAllowed,
    };
    // Writes the events and sends nothing itself.
    const services = { config: loadConfig(env), databaseUrl: database.url, log: createLog('silent') };
    const app = await createServices(services);
    const account = {
      name: 'Killed',
      ownerEmail: 'killed@example.com',
      ownerPassword: 'correct horse battery',
    };
    const ctx = await systemContext(app, (await createCompany(app, account)).company);
    const receiver = await startReceiver();
    receiver.answer((response) => setTimeout(() => response.writeHead(200).end(), 20));
    const input = { url: receiver.url, events: ['contact.created'] };
    const { secret } = await execute(createWebhookEndpoint, ctx, input);

    const start = async (): Promise<ChildProcess> => {
      const main = path.resolve(import.meta.dirname, '../../server/main.ts');
      const child = spawn(process.execPath, [main, '--json', 'serve'], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      await new Promise((resolve) => child.stdout.once('data', resolve));
      return child;
    };
    let left = total;
    const write = async () => {
      for (; left > 0; left--) await execute(createContact, ctx, { name: `event ${left}` });
    };
    let kills = 0;
    for (; kills < rounds; kills++) {
      // Two at a time, so that one takes over what the other held.
      const [first, second] = await Promise.all([start(), start()]);
      if (kills === 1) void write();
      await wait(100 + Math.random() * 300);
      first.kill('SIGKILL');
      await wait(50 + Math.random() * 200);
      second.kill('SIGKILL');
    }
    await start();
    const distinct = () => new Set(receiver.received.map(({ event }) => event.id)).size;
    await expect.poll(distinct, { timeout: scaled(60_000, 300_000) }).toBe(total);
    const bytes = new Map<string, Buffer>();
    for (const { event, body, headers } of receiver.received) {
      const known = bytes.get(event.id);
      if (known) expect(body.equals(known)).toBe(true);
      else bytes.set(event.id, body);
      expect(verifyWebhook(body, headers['x-service-signature'] ?? '', secret)).toBe(true);
    }
    const unfinished = `SELECT 1 FROM webhook_deliveries WHERE status <> 'succeeded'`;
    await expect.poll(async () => (await app.pool.query(unfinished)).rowCount, { timeout: 30_000 }).toBe(0);
    const repeats = receiver.received.length - total;
    if (full) expect(repeats).toBeLessThanOrEqual(total * 0.02);
    reached('W1', `${total} events, ${kills * 2} kills: 0 lost, ${repeats} repeats with the same bytes`);
    await receiver.close();
    await app.stop();
    for (const child of children) child.kill('SIGKILL');
    await database.drop();
  },
  scaled(240_000, 1_200_000),
);
