import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventTypes } from '../schema/events.ts';
import { appRouter } from '../server/app-router.ts';
import { runProgram } from '../server/cli/program.ts';
import { openApiDocument } from '../server/http/openapi.ts';
import { tidyWebhooks } from '../server/webhooks/retention.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { verifyWebhook } from './support/verify-webhook.ts';
import {
  createContacts,
  createEndpoint,
  type Dashboard,
  dashboard,
  deliveriesOf,
  loopbackAllowed,
  settled,
} from './support/webhooks.ts';

const server = useServer(loopbackAllowed);
const hour = 3_600_000;
let company: TestCompany;
let receiver: Receiver;
let owner: Dashboard;

beforeEach(async () => {
  company = await server().company();
  receiver = await startReceiver();
  owner = await dashboard(server(), company, 'owner');
  return () => receiver.close();
});

describe('deliveries', () => {
  it('bring the latest event of a type to whoever wants to see one', async () => {
    const url = receiver.url;
    const { id } = await createEndpoint(server(), company, { url, events: ['order.paid'] });
    const none = owner.webhooks.sendLatest({ endpoint: id, type: 'contact.created' });
    await expect(none).rejects.toThrow('No event contact.created has happened in the last 30 days.');
    await createContacts(company, 2);
    const send = () => owner.webhooks.sendLatest({ endpoint: id, type: 'contact.created' });
    // Once the log is read as far as that.
    await expect
      .poll(() =>
        send().then(
          ({ data }) => data.type,
          () => null,
        ),
      )
      .toBe('contact.created');
    await receiver.until(1);
    expect(receiver.received[0]?.event.type).toBe('contact.created');
    const other = await dashboard(server(), await server().company(), 'owner');
    await expect(other.webhooks.sendLatest({ endpoint: id, type: 'contact.created' })).rejects.toThrow();
  });

  it('are listed with filters, page by page and as a live tail', async () => {
    const { id } = await createEndpoint(server(), company, { url: receiver.url });
    await createContacts(company, 5);
    await settled(server(), company, { count: 5 });
    const all = (await owner.deliveries.list({})).data;
    expect(all).toHaveLength(5);
    const first = await owner.deliveries.list({ limit: 3, endpoint: id, status: 'succeeded' });
    const rest = await owner.deliveries.list({
      limit: 3,
      endpoint: id,
      status: 'succeeded',
      cursor: first.meta.next_cursor ?? '',
    });
    expect([...first.data, ...rest.data]).toEqual(all);
    expect(rest.meta).toEqual({ has_more: false, next_cursor: null });
    const [newest, ...others] = all;
    expect((await owner.deliveries.list({ event: newest!.event })).data).toEqual([newest]);
    expect((await owner.deliveries.list({ type: 'order.paid' })).data).toEqual([]);
    const tail = await owner.deliveries.list({ after: others.at(-1)!.id });
    expect(tail.data).toEqual(all.slice(0, -1).reverse());
    expect((await owner.deliveries.list({ after: newest!.id })).data).toEqual([]);
  });

  it('show the bytes and every attempt; what the receiver said only to the Owner [W15]', async () => {
    await createEndpoint(server(), company, { url: receiver.url });
    receiver.answer((response) => response.writeHead(422, { 'X-Said': 'no' }).end('not today\0'));
    await createContacts(company, 1);
    const [row] = await settled(server(), company);
    const shown = (await owner.deliveries.show({ delivery: row!['id'] })).data;
    expect(shown.body).toBe(receiver.received[0]?.body.toString());
    expect(shown.log).toMatchObject([
      {
        number: 1,
        trigger: 'schedule',
        request_headers: {
          'X-Service-Signature': receiver.received[0]?.headers['x-service-signature'],
          'X-Service-Delivery': row!['id'],
        },
        response_status: 422,
        response_body: 'not today\uFFFD',
        response_headers: { 'x-said': 'no' },
        error: 'status',
      },
    ]);
    const admin = (
      await (await dashboard(server(), company, 'admin')).deliveries.show({ delivery: row!['id'] })
    ).data;
    expect(admin.log).toMatchObject([{ response_status: 422, response_body: null, response_headers: null }]);
  });

  it('are sent again with the same id and bytes and a new signature, and start their schedule anew [W10]', async () => {
    const { secret } = await createEndpoint(server(), company, { url: receiver.url });
    await createContacts(company, 1);
    const [row] = await settled(server(), company);
    server().clock.advance(10 * 24 * hour);
    receiver.answer(500);
    const { data } = await owner.deliveries.resend({ delivery: row!['id'] });
    expect(data).toMatchObject({ status: 'retrying', attempts: 1 });
    const [before, after] = await receiver.until(2);
    expect(after!.body.equals(before!.body)).toBe(true);
    expect(after!.headers).toMatchObject({
      'x-service-event-id': before!.headers['x-service-event-id'],
      'x-service-delivery': before!.headers['x-service-delivery'],
      'x-service-attempt': '2',
    });
    const now = server().clock.now().getTime();
    expect(verifyWebhook(after!.body, after!.headers['x-service-signature']!, secret, now)).toBe(true);
    const [again] = await settled(server(), company, { attempts: 2 });
    expect(again).toMatchObject({ status: 'retrying', attempts: 2, schedule_from: 1 });
    const gap = again!['next_attempt_at'].getTime() - again!['last_attempt_at'].getTime();
    expect(gap).toBeLessThan(10_000);
    const { log } = (await owner.deliveries.show({ delivery: row!['id'] })).data;
    expect(log.map(({ trigger }) => trigger)).toEqual(['schedule', 'manual']);
  });

  it('are sent again by range: what did not arrive, or all; 30 days at most [W10]', async () => {
    const { id } = await createEndpoint(server(), company, { url: receiver.url });
    await createContacts(company, 2);
    await settled(server(), company, { count: 2 });
    receiver.answer(500);
    await createContacts(company, 2);
    await settled(server(), company, { count: 4 });
    receiver.answer(200);
    await server().app.pool.query(
      `UPDATE webhook_deliveries SET status = 'exhausted', next_attempt_at = NULL WHERE company_id = $1 AND status = 'retrying'`,
      [company.id],
    );
    const now = server().clock.now().getTime();
    const from = new Date(now - hour).toISOString();
    const { data } = await owner.webhooks.resendRange({ endpoint: id, from });
    expect(data).toEqual({ endpoint: id, resent: 2, at: expect.any(String) });
    await receiver.until(6);
    await expect
      .poll(async () => (await deliveriesOf(server(), company)).every(({ status }) => status === 'succeeded'))
      .toBe(true);
    const progress = (await owner.webhooks.resendProgress({ endpoint: id, at: data.at })).data;
    expect(progress).toEqual({ waiting: 0, succeeded: 2, failed: 0 });
    expect((await owner.webhooks.resendRange({ endpoint: id, from, all: true })).data.resent).toBe(4);
    await receiver.until(10);
    expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(4);
    const early = new Date(now - 31 * 24 * hour).toISOString();
    for (const range of [{ from: early }, { from, to: early }])
      await expect(owner.webhooks.resendRange({ endpoint: id, ...range })).rejects.toMatchObject({
        code: 'UNPROCESSABLE_CONTENT',
      });
  });

  it('are kept 30 days', async () => {
    await createEndpoint(server(), company, { url: receiver.url });
    await createContacts(company, 1);
    await settled(server(), company);
    const at = (days: number) => new Date(server().clock.now().getTime() + days * 24 * hour);
    await tidyWebhooks(server().app.pool, at(29));
    expect(await deliveriesOf(server(), company)).toHaveLength(1);
    await tidyWebhooks(server().app.pool, at(31));
    expect(await deliveriesOf(server(), company)).toHaveLength(0);
  });
});

describe('the README', () => {
  it('has a verifier that accepts a delivery, and nothing that was changed or is old', async () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const code = /```js\n(import \{ createHmac[\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const folder = mkdtempSync(path.join(tmpdir(), 'parlour-readme-'));
    const file = path.join(folder, 'verify.mjs');
    writeFileSync(file, code);
    const { verifyWebhook: verify } = (await import(/* @vite-ignore */ file)) as {
      verifyWebhook: (body: Buffer, header: string, secret: string) => boolean;
    };
    rmSync(folder, { recursive: true });
    const { secret } = await createEndpoint(server(), company, { url: receiver.url });
    await createContacts(company, 1);
    const [request] = await receiver.until(1);
    const { body } = request!;
    // The clock of these tests has been moved: signed for the real time.
    const t = Math.floor(Date.now() / 1000);
    const signed = (at: number) =>
      `t=${at},v1=${createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex')}`;
    const header = request!.headers['x-service-signature'] ?? '';
    expect(header).toBe(signed(Number(/^t=(\d+)/.exec(header)?.[1])));
    expect(verify(body, signed(t), secret)).toBe(true);
    expect(verify(body, `${signed(t - 299)},v1=${'0'.repeat(64)}`, secret)).toBe(true);
    for (const [raw, wrong, key] of [
      [Buffer.concat([body, Buffer.from(' ')]), signed(t), secret],
      [body, signed(t - 302), secret],
      [body, signed(t + 302), secret],
      [body, signed(t), `${secret}x`],
      [body, signed(t).replace('v1=', 'v0='), secret],
      [body, signed(t).slice(0, -1), secret],
      [body, `t=${t},v1`, secret],
      [body, `t=${t},v1=${'é'.repeat(64)}`, secret],
      [body, '', secret],
    ] as const)
      expect(verify(raw, wrong, key), wrong).toBe(false);
  });
});

describe('the document', () => {
  it('describes the body of every event [W13]', async () => {
    const document = openApiDocument(appRouter) as unknown as { webhooks: Record<string, object> };
    expect(Object.keys(document.webhooks)).toEqual(eventTypes);
    const ajv = new Ajv.default({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema(document, 'document');
    const valid = (type: string, body: unknown) => {
      const at = `document#/webhooks/${type}/post/requestBody/content/application~1json/schema`;
      const check = ajv.compile({ $ref: at });
      return check(body) || JSON.stringify(check.errors);
    };
    for (const type of eventTypes) expect(valid(type, {})).not.toBe(true);
    await createEndpoint(server(), company, { url: receiver.url });
    const api = await company.client();
    const { id } = (await api.post('/contacts', { name: 'Ana' })).body.data;
    await api.patch(`/contacts/${id}`, { subscribed: false });
    await api.delete(`/contacts/${id}`);
    const requests = await receiver.until(4);
    for (const { event } of requests) expect(valid(event.type, event), event.type).toBe(true);
    const [first] = requests;
    expect(valid('contact.deleted', first!.event)).not.toBe(true);
    const odd = { ...first!.event, data: { object: { id: 'x', name: 5 } } };
    expect(valid('contact.created', odd)).not.toBe(true);
  });
});

describe('the command line', () => {
  it('creates, lists, resends and deletes', async () => {
    const names = ['DATABASE_URL', 'SECRET', 'LOG_LEVEL', ...Object.keys(loopbackAllowed)] as const;
    const before = names.map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, loopbackAllowed, {
      DATABASE_URL: server().databaseUrl,
      SECRET: 'the secret of the tests, long enough to be one',
      LOG_LEVEL: 'silent',
    });
    const run = async (...args: string[]) => {
      let text = '';
      const code = await runProgram(['--json', 'webhooks', ...args], (part) => (text += part));
      return { code, value: JSON.parse(text) };
    };
    try {
      const options = ['--company', company.id, '--url', receiver.url];
      const made = await run('create', ...options, '--events', 'contact.created, contact.deleted');
      expect(made).toEqual({
        code: 0,
        value: { id: expect.any(String), secret: expect.stringMatching(/^whsec_/) },
      });
      const { id, secret } = made.value;
      await createContacts(company, 1);
      const [request] = await receiver.until(1);
      const now = server().clock.now().getTime();
      expect(verifyWebhook(request!.body, request!.headers['x-service-signature']!, secret, now)).toBe(true);
      const [delivery] = await settled(server(), company);
      expect(await run('resend', delivery!['id'])).toEqual({ code: 0, value: { resent: 1 } });
      await receiver.until(2);
      const { value } = await run('list', '--company', company.id);
      expect(value).toMatchObject([
        { id, url: receiver.url, events: ['contact.created', 'contact.deleted'] },
      ]);
      expect((await run('create', ...options, '--events', 'nothing')).code).toBe(2);
      expect((await run('resend')).code).toBe(2);
      expect(await run('delete', id)).toEqual({ code: 0, value: { id, deleted: true } });
      expect((await run('delete', id)).code).toBe(1);
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });
});
