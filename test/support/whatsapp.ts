import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Client } from './client.ts';
import { startServer, type TestCompany, type TestServer } from './server.ts';
import { type Dashboard, dashboard, loopbackAllowed } from './webhooks.ts';
import {
  appSecret,
  businessAccountId,
  phoneNumberId,
  signature,
  token,
  verifyToken,
  webhookBody,
  WhatsappStandIn,
} from './whatsapp-stand-in.ts';

export const credentials = { access_token: token, app_secret: appSecret, verify_token: verifyToken };
export const config = { phone_number_id: phoneNumberId, business_account_id: businessAccountId };

/** A company with a WhatsApp channel, and what stands in for Meta. */
export interface Whatsapp {
  meta: WhatsappStandIn;
  server: TestServer;
  company: TestCompany;
  api: Client;
  owner: Dashboard;
  channel: string;
}

/** A server for the tests of a file, and a company of its own for each test. */
export function useWhatsapp(): () => Whatsapp {
  let meta: WhatsappStandIn;
  let server: TestServer;
  let current: Whatsapp | undefined;
  beforeAll(async () => {
    meta = await WhatsappStandIn.start();
    server = await startServer({ WHATSAPP_API_URL: meta.url, ...loopbackAllowed });
  });
  afterAll(async () => {
    await server.close();
    await meta.stop();
  });
  beforeEach(async () => {
    meta.answer = () => null;
    const company = await server.company();
    const owner = await dashboard(server, company, 'owner');
    const made = await owner.channels.create({ kind: 'whatsapp', name: 'WhatsApp', config, credentials });
    current = { meta, server, company, api: await company.client(), owner, channel: made.data.id };
    meta.calls.length = 0;
  });
  return () => {
    if (!current) throw new Error('The server is not started yet.');
    return current;
  };
}

/** Calls a channel's webhook as Meta does, unless other headers are given. */
export function post(
  { server, channel }: Whatsapp,
  body: string,
  headers: Record<string, string> = { 'X-Hub-Signature-256': signature(body) },
  to = channel,
) {
  return fetch(`${server.url}/channels/${to}/webhook`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
}

export async function receive(at: Whatsapp, value: Parameters<typeof webhookBody>[0]): Promise<void> {
  expect((await post(at, webhookBody(value))).status).toBe(200);
}

export async function messagesOf({ api }: Whatsapp, query: Record<string, string> = {}) {
  return (await api.get('/messages', query)).body.data as Record<string, unknown>[];
}

/** The customer's message with this text, once it is there. */
export async function arrived(at: Whatsapp, text: string): Promise<Record<string, unknown>> {
  const found = async () =>
    (await messagesOf(at, { direction: 'inbound' })).find((one) => one['text'] === text);
  await expect.poll(found, { timeout: 20_000 }).toBeTruthy();
  return (await found())!;
}
