import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Client } from './client.ts';
import { startServer, type TestCompany, type TestServer } from './server.ts';
import { smtpPassword, SmtpStandIn, smtpUser } from './smtp-stand-in.ts';
import { type Dashboard, dashboard, loopbackAllowed } from './webhooks.ts';

export const webhookSecret = 'webhook-secret-of-the-tests';
export const shop = 'shop@example.com';
export const config = { address: shop, from_name: 'The Shop' };

/** A company with an e-mail channel, and the server that its mail goes to. */
export interface Email {
  smtp: SmtpStandIn;
  server: TestServer;
  company: TestCompany;
  api: Client;
  owner: Dashboard;
  channel: string;
  /** Waits until no mail is left to be read. */
  settled(): Promise<void>;
}

export function credentialsFor(smtp: SmtpStandIn) {
  return {
    smtp_host: '127.0.0.1',
    smtp_port: smtp.port,
    smtp_encryption: 'none',
    smtp_user: smtpUser,
    smtp_password: smtpPassword,
    webhook_secret: webhookSecret,
  };
}

/** A server for the tests of a file, and a company of its own for each test. */
export function useEmail(variables: Record<string, string> = {}): () => Email {
  let smtp: SmtpStandIn;
  let server: TestServer;
  let current: Email | undefined;
  beforeAll(async () => {
    smtp = await SmtpStandIn.start();
    server = await startServer({ ...loopbackAllowed, ...variables });
  });
  afterAll(async () => {
    await server.close();
    await smtp.stop();
  });
  beforeEach(async () => {
    smtp.answer = () => null;
    smtp.password = smtpPassword;
    const company = await server.company();
    const owner = await dashboard(server, company, 'owner');
    const credentials = credentialsFor(smtp);
    const settled = () => expect.poll(() => waiting(server), { timeout: 20_000 }).toBe(0);
    const made = await owner.channels.create({ kind: 'email', name: 'Mail', config, credentials });
    current = { smtp, server, company, api: await company.client(), owner, channel: made.data.id, settled };
    smtp.taken.length = 0;
    smtp.steps.length = 0;
  });
  return () => {
    if (!current) throw new Error('The server is not started yet.');
    return current;
  };
}

async function waiting({ app }: TestServer): Promise<number | undefined> {
  const { rows } = await app.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM jobs.job
     WHERE name = 'email.received' AND state IN ('created', 'retry', 'active')`,
  );
  return rows[0]?.n;
}

export function signature(body: Buffer | string, secret = webhookSecret, at = new Date()): string {
  const time = Math.floor(at.getTime() / 1_000);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')}`;
}

/** Posts a mail to the channel's webhook, as whatever receives it does. */
export function post(
  { server, channel }: Pick<Email, 'server' | 'channel'>,
  raw: Buffer | string,
  headers: Record<string, string> = { 'X-Service-Signature': signature(raw) },
  to = channel,
) {
  return fetch(`${server.url}/channels/${to}/webhook`, {
    method: 'POST',
    body: typeof raw === 'string' ? raw : new Uint8Array(raw),
    headers: { 'Content-Type': 'message/rfc822', ...headers },
  });
}

export async function receive(at: Email, raw: Buffer | string): Promise<void> {
  expect((await post(at, raw)).status).toBe(200);
}

let letters = 0;

/** A mail of a customer; headers that are given take the place of the usual ones, and null leaves one out. */
export function letter(body: string, headers: Record<string, string | null> = {}): string {
  const all: Record<string, string | null> = {
    From: 'Ana Sousa <ana@example.org>',
    To: shop,
    Subject: 'Where is my order?',
    'Message-ID': `<${process.pid}.${++letters}@example.org>`,
    Date: new Date().toUTCString(),
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    ...headers,
  };
  const lines = Object.entries(all).filter(([, value]) => value !== null);
  return `${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`;
}

/** A mail of several parts, each with its headers. */
export function mixed(parts: string[], headers: Record<string, string | null> = {}): string {
  const body = parts.map((part) => `--outer\r\n${part}\r\n`).join('');
  return letter(`${body}--outer--\r\n`, { 'Content-Type': 'multipart/mixed; boundary=outer', ...headers });
}

export function file(name: string, type: string, bytes: Buffer, more = ''): string {
  const content = bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  const head = `Content-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"`;
  return `${head}\r\nContent-Transfer-Encoding: base64${more}\r\n\r\n${content}`;
}

export async function messagesOf({ api }: Email, query: Record<string, string> = {}) {
  return (await api.get('/messages', query)).body.data as Record<string, unknown>[];
}

/** The customer's message with this text, once it is there. */
export async function arrived(at: Email, text: string): Promise<Record<string, unknown>> {
  const found = async () =>
    (await messagesOf(at, { direction: 'inbound' })).find((one) => one['text'] === text);
  await expect.poll(found, { timeout: 20_000 }).toBeTruthy();
  return (await found())!;
}

export function statusOf({ api }: Email) {
  return async (id: string) => (await api.get(`/messages/${id}`)).body.data;
}

export async function reaches(at: Email, id: string, status: string): Promise<void> {
  await expect.poll(async () => (await statusOf(at)(id)).status, { timeout: 20_000 }).toBe(status);
}

export async function send({ api }: Email, body: object): Promise<string> {
  const answer = await api.post('/messages', body);
  expect(answer.status).toBe(201);
  return answer.body.data.id;
}
