import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scopeNames } from '../../schema/scopes.ts';
import { createCompany } from '../../server/account/companies.ts';
import { createServices } from '../../server/app.ts';
import { createContact } from '../../server/contacts/service.ts';
import { createApiKey } from '../../server/keys/service.ts';
import { loadConfig } from '../../server/platform/config.ts';
import { createLog } from '../../server/platform/log.ts';
import { execute } from '../../server/platform/operation.ts';
import { systemContext } from '../../server/platform/system-context.ts';
import { createWebhookEndpoint } from '../../server/webhooks/service.ts';
import { Client } from '../support/client.ts';
import { expectHealthy } from '../support/healthy.ts';
import { KilledServer } from '../support/killed-server.ts';
import { ownerPassword } from '../support/page.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { reached } from '../support/reached.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { scaled } from '../support/scale.ts';
import { testSecret } from '../support/server.ts';
import { addSimulator } from '../support/simulator.ts';
import { verifyWebhook } from '../support/verify-webhook.ts';
import { loopbackAllowed } from '../support/webhooks.ts';

const minute = 60_000;
const records = scaled(20, 100);
/** What the clock of the server shows too much: 10 minutes either way, then back by an hour while it serves. */
const offsets = [10 * minute, -10 * minute, 0, -60 * minute];

const folder = mkdtempSync(path.join(tmpdir(), 'parlour-clock-'));
const clockFile = path.join(folder, 'clock');
let database: Awaited<ReturnType<typeof createTestDatabase>>;
/** Of this process, whose clock is right; it sends nothing. */
let services: Awaited<ReturnType<typeof createServices>>;
let server: KilledServer;
let receiver: Receiver;

beforeAll(async () => {
  database = await createTestDatabase();
  const settings = { ...loopbackAllowed, DEMO: '0', SECRET: testSecret, LOG_LEVEL: 'silent' };
  services = await createServices({
    config: loadConfig({ ...settings, DATA_DIR: folder }),
    databaseUrl: database.url,
    log: createLog('silent'),
  });
  receiver = await startReceiver();
  writeFileSync(clockFile, String(offsets[0]));
  server = await KilledServer.over(database.url, {
    ...settings,
    CLOCK_FILE: clockFile,
    NODE_OPTIONS: `--import=${new URL('../support/own-clock.mjs', import.meta.url).href}`,
  });
  server.start();
  await server.ready();
});

afterAll(async () => {
  server.stop();
  await services.stop();
  await receiver.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

it(
  'a process whose clock is wrong and jumps keeps the order, signs for now and does its jobs in time [D7]',
  async () => {
    const { company } = await createCompany(services, {
      name: 'Clocks',
      ownerEmail: 'clocks@example.com',
      ownerPassword,
    });
    const ctx = await systemContext(services, company);
    const { key } = await execute(createApiKey, ctx, {
      name: 'clocks',
      mode: 'live',
      scopes: [...scopeNames],
    });
    const { secret } = await execute(createWebhookEndpoint, ctx, {
      url: receiver.url,
      events: ['contact.created'],
    });
    await addSimulator(services, company);
    const api = new Client(server.url, key);
    const made: string[] = [];
    let worst = 0;
    for (const offset of offsets) {
      writeFileSync(clockFile, String(offset));
      for (let n = 0; n < records; n++) {
        // What happens within some milliseconds in two processes has no order.
        await wait(100);
        const fields = { name: `Clock ${n}`, phone: `+3519${60_000_000 + made.length}` };
        if (n % 2 === 0) made.push((await execute(createContact, ctx, fields)).id);
        else {
          const { body } = await api.post('/contacts', fields);
          made.push(body.data.id);
          worst = Math.max(worst, Math.abs(Date.parse(body.data.created_at) - Date.now()));
        }
      }
      const sent = await api.post('/messages', { contact: made.at(-1), text: 'Is it time?' });
      expect(sent.status, sent.text).toBe(201);
      const status = async () => (await api.get(`/messages/${sent.body.data.id}`)).body.data.status;
      await expect.poll(status, { timeout: 60_000 }).toMatch(/^(sent|delivered|read)$/);
      await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(made.length);
    }
    const ages = receiver.received.map(({ body, headers }) => {
      const signature = headers['x-service-signature'] ?? '';
      expect(verifyWebhook(body, signature, secret)).toBe(true);
      return Math.abs(Number(/t=(\d+)/.exec(signature)?.[1]) * 1_000 - Date.now());
    });
    const listed: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await api.get('/contacts', { limit: 100, ...(cursor ? { cursor } : {}) });
      listed.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.meta.next_cursor;
    }
    expect(listed).toEqual(made.toReversed());
    // Ids rise with the time as well.
    expect(made.toSorted()).toEqual(made);
    expect(worst).toBeLessThan(5_000);
    await expectHealthy(database.url);
    reached(
      'D7',
      `${offsets.length} clocks up to an hour off: ${made.length} records of two processes, 0.1 s apart, in order, ${ages.length} signatures verify, times at most ${worst} ms off`,
    );
  },
  scaled(300_000, 600_000),
);
