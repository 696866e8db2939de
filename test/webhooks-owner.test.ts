import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { startServer, type TestServer } from './support/server.ts';
import { type Mailbox, startMailbox } from './support/smtp.ts';
import { createEndpoint, loopbackAllowed } from './support/webhooks.ts';

let mailbox: Mailbox & { close(): void };
let server: TestServer;
let receiver: Receiver;

beforeAll(async () => {
  mailbox = await startMailbox();
  receiver = await startReceiver();
  server = await startServer({ SMTP_URL: mailbox.url, ...loopbackAllowed });
});

afterAll(async () => {
  await server.close();
  await receiver.close();
  mailbox.close();
});

it('the Owner gets one mail when an endpoint is switched off, with its address and why', async () => {
  const company = await server.company('Shop');
  const { id } = await createEndpoint(server, company, { url: receiver.url });
  receiver.answer(410);
  const api = await company.client();
  for (let n = 0; n < 3; n++) await api.post('/contacts', { name: `Person ${n}` });
  const { pool } = server.app;
  const enabled = async () =>
    (await pool.query('SELECT enabled FROM webhook_endpoints WHERE id = $1', [id])).rows[0].enabled;
  await expect.poll(enabled).toBe(false);
  await expect.poll(() => mailbox.mails.length).toBe(1);
  const [mail] = mailbox.mails;
  expect(mail).toContain(`To: ${company.owner.email}`);
  expect(mail).toMatch(/^Subject: A webhook of Shop \d+ was switched off$/m);
  expect(mail).toContain(receiver.url);
  expect(mail).toContain('410');
  const { rows } = await pool.query('SELECT data FROM notifications WHERE company_id = $1', [company.id]);
  expect(rows).toEqual([
    { data: { topic: 'webhook.disabled', endpoint: id, url: receiver.url, reason: 'gone' } },
  ]);
});
