import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { appRouter } from '../server/app-router.ts';
import { runProgram } from '../server/cli/program.ts';
import type { Principal } from '../server/platform/context.ts';
import { createContext } from '../server/platform/context.ts';
import { newId } from '../server/platform/ids.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { createCallerFactory } from '../server/platform/trpc.ts';
import { tidyWebhooks } from '../server/webhooks/retention.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { verifyWebhook } from './support/verify-webhook.ts';
import { createEndpoint, deliveriesOf, loopbackAllowed, settled } from './support/webhooks.ts';

const server = useServer(loopbackAllowed);
const hour = 3_600_000;
let company: TestCompany;
let receiver: Receiver;
let owner: Awaited<ReturnType<typeof session>>;

beforeEach(async () => {
  company = await server().company();
  receiver = await startReceiver();
  owner = await session('owner');
  return () => receiver.close();
});

/** The dashboard's tRPC calls of somebody with this role. */
async function session(role: string) {
  const { app } = server();
  const { principal } = await systemContext(app, company.id);
  const person: Principal = {
    ...principal,
    kind: 'user',
    id: company.owner.id,
    name: role,
    role,
    user: { id: company.owner.id, email: company.owner.email, name: role },
  };
  return createCallerFactory(appRouter)(createContext(app, person, newId()));
}

async function createContacts(count: number) {
  const api = await company.client();
  for (let n = 0; n < count; n++) await api.post('/contacts', { name: `Ana ${n}` });
}

const tables = ['webhook_endpoints', 'webhook_secrets', 'webhook_deliveries', 'webhook_attempts', 'events'];

async function dump(): Promise<string> {
  const parts = await Promise.all(
    tables.map((table) => server().app.pool.query(`SELECT * FROM ${table} WHERE company_id = $1`, [company.id])),
  );
  return parts.map(({ rows }) => rows.map((row) => JSON.stringify(row)).join('\n')).join('\n');
}

describe('endpoints', () => {
  it('are created, changed and deleted; the secret is shown once and stored encrypted', async () => {
    const { data } = await owner.webhooks.create({ url: receiver.url, events: ['order.paid', 'order.paid'] });
    expect(data).toMatchObject({ events: ['order.paid'], enabled: true, status: 'enabled', description: null });
    expect(data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret, ...shown } = data;
    expect((await owner.webhooks.show({ endpoint: data.id })).data).toEqual(shown);
    const updated = await owner.webhooks.update({ endpoint: data.id, events: ['order.paid', '*'], description: 'all' });
    expect(updated.data).toMatchObject({ events: ['*'], description: 'all', url: receiver.url });
    expect(await dump()).not.toContain(secret.slice(6, 30));
    await createContacts(1);
    const [request] = await receiver.until(1);
    expect(verifyWebhook(request!.body, request!.headers['x-service-signature']!, secret)).toBe(true);
    expect((await owner.webhooks.list({})).data).toHaveLength(1);
    expect((await owner.webhooks.delete({ endpoint: data.id })).data).toEqual({ id: data.id, deleted: true });
    expect((await owner.webhooks.list({})).data).toEqual([]);
    expect(await deliveriesOf(server(), company)).toEqual([]);
  });

  it('are at most ten, also when many are asked for at once', async () => {
    const made = await Promise.allSettled(
      Array.from({ length: 13 }, () => owner.webhooks.create({ url: receiver.url, events: ['*'] })),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    for (const one of made)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'CONFLICT' });
  });

  it('are for the Owner, admins and the system, in live mode', async () => {
    const { id } = await createEndpoint(server(), company, { url: receiver.url });
    expect((await (await session('admin')).webhooks.list({})).data).toHaveLength(1);
    await expect((await session('agent')).webhooks.list({})).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const key = await company.client();
    const calls = ['webhooks.list', 'webhooks.show', 'deliveries.list'];
    for (const call of calls) expect((await key.trpc('query', call, { endpoint: id })).status).toBe(403);
    const other = await server().company();
    const ctx = await systemContext(server().app, other.id);
    const foreign = createCallerFactory(appRouter)(ctx);
    for (const call of [
      () => foreign.webhooks.show({ endpoint: id }),
      () => foreign.webhooks.update({ endpoint: id, enabled: false }),
      () => foreign.webhooks.update({ endpoint: id, url: 'no url' }),
      () => foreign.webhooks.rotateSecret({ endpoint: id }),
      () => foreign.webhooks.sendTest({ endpoint: id }),
      () => foreign.webhooks.delete({ endpoint: id }),
      () => foreign.webhooks.resendRange({ endpoint: id, from: '2026-01-01' }),
      () => foreign.deliveries.show({ delivery: id }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    [{ url: 'https://user@example.com/' }, 'url'],
    [{ url: 'ftp://example.com/' }, 'url'],
    [{ events: [] }, 'events'],
    [{ events: ['order.exploded'] }, 'events.0'],
    [{ events: ['webhook.ping'] }, 'events.0'],
    [{ skip_key: '01JQZ7K3M9V5T2XH8C4B6N0DFG' }, 'skip_key'],
    [{ description: 'x'.repeat(501) }, 'description'],
  ])('refuse %j', async (wrong, param) => {
    const input = { url: receiver.url, events: ['*'], ...wrong };
    await expect(owner.webhooks.create(input as never)).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
      cause: { param },
    });
  });

  it('that are switched off get nothing, and what happened meanwhile only when it is asked for', async () => {
    const { id } = await createEndpoint(server(), company, { url: receiver.url });
    receiver.answer(500);
    await createContacts(1);
    await settled(server(), company);
    await owner.webhooks.update({ endpoint: id, enabled: false });
    expect(await deliveriesOf(server(), company)).toMatchObject([{ status: 'discarded' }]);
    await expect(owner.webhooks.sendTest({ endpoint: id })).rejects.toMatchObject({ code: 'CONFLICT' });
    await createContacts(3);
    // Until the dispatcher has passed them by.
    await createEndpoint(server(), company, { url: `${receiver.url}/other` });
    await createContacts(1);
    receiver.answer(200);
    await expect.poll(() => receiver.received.some(({ path }) => path === '/hook/other')).toBe(true);
    const { data } = await owner.webhooks.update({ endpoint: id, enabled: true });
    expect(data).toMatchObject({ status: 'enabled', disabled_at: null, disabled_reason: null });
    await createContacts(1);
    const mine = () => receiver.received.filter(({ path }) => path === '/hook');
    await expect.poll(() => mine().length).toBe(2);
    const range = { endpoint: id, from: new Date(server().clock.now().getTime() - hour).toISOString() };
    expect((await owner.webhooks.resendRange({ ...range, preview: true })).data.resent).toBe(5);
    expect((await owner.webhooks.resendRange(range)).data.resent).toBe(5);
    await expect.poll(() => mine().length, { timeout: 10_000 }).toBe(7);
    expect(new Set(mine().map(({ event }) => event.id)).size).toBe(6);
  });
});

describe('secrets', () => {
  it('are replaced with 24 hours in which both sign', async () => {
    const first = await createEndpoint(server(), company, { url: receiver.url });
    const { data: second } = await owner.webhooks.rotateSecret({ endpoint: first.id });
    const verified = async (...secrets: string[]) => {
      const count = receiver.received.length;
      await createContacts(1);
      const request = (await receiver.until(count + 1))[count]!;
      const header = request.headers['x-service-signature']!;
      const now = server().clock.now().getTime();
      return {
        signatures: header.split(',').length - 1,
        good: secrets.map((secret) => verifyWebhook(request.body, header, secret, now)),
      };
    };
    expect(await verified(first.secret, second.secret)).toEqual({ signatures: 2, good: [true, true] });
    // A second time within the overlap.
    const { data: third } = await owner.webhooks.rotateSecret({ endpoint: first.id });
    const all = [first.secret, second.secret, third.secret];
    expect(await verified(...all)).toEqual({ signatures: 3, good: [true, true, true] });
    server().clock.advance(24 * hour + 1_000);
    expect(await verified(...all)).toEqual({ signatures: 1, good: [false, false, true] });
  });

  it('keep at most ten that were replaced', async () => {
    const { id, secret } = await createEndpoint(server(), company, { url: receiver.url });
    let newest = secret;
    for (let n = 0; n < 13; n++) newest = (await owner.webhooks.rotateSecret({ endpoint: id })).data.secret;
    await createContacts(1);
    const [request] = await receiver.until(1);
    const header = request!.headers['x-service-signature']!;
    expect(header.split(',')).toHaveLength(1 + 11);
    const now = server().clock.now().getTime();
    expect(verifyWebhook(request!.body, header, newest, now)).toBe(true);
    expect(verifyWebhook(request!.body, header, secret, now)).toBe(false);
  });

  it('verify by the Standard Webhooks headers too', async () => {
    const { secret } = await createEndpoint(server(), company, { url: receiver.url });
    await createContacts(1);
    const [{ headers, body }] = (await receiver.until(1)) as [Receiver['received'][number]];
    const { createHmac } = await import('node:crypto');
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const expected = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
  });
});

describe('a test', () => {
  it('is sent to this endpoint alone and is the one event without live activity', async () => {
    const { id } = await createEndpoint(server(), company, { url: receiver.url, events: ['order.paid'] });
    await createEndpoint(server(), company, { url: `${receiver.url}/other` });
    const { data } = await owner.webhooks.sendTest({ endpoint: id });
    const [request] = await receiver.until(1);
    expect(request?.event).toMatchObject({ type: 'webhook.ping', livemode: false, company: company.id });
    expect(request?.headers['x-service-delivery']).toBe(data.id);
    await createContacts(1);
    await receiver.until(2);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/hook/other']);
  });
});

describe('deliveries', () => {
  it('are listed with filters, page by page and as a live tail', async () => {
    const { id } = await createEndpoint(server(), company, { url: receiver.url });
    await createContacts(5);
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

  it('show the bytes and every attempt; what the receiver said only to the Owner', async () => {
    await createEndpoint(server(), company, { url: receiver.url });
    receiver.answer((response) => response.writeHead(422, { 'X-Said': 'no' }).end('not today\0'));
    await createContacts(1);
    const [row] = await settled(server(), company);
    const shown = (await owner.deliveries.show({ delivery: row!['id'] })).data;
    expect(shown.body).toBe(receiver.received[0]?.body.toString());
    expect(shown.log).toMatchObject([
      {
        number: 1,
        trigger: 'schedule',
        response_status: 422,
        response_body: 'not today\uFFFD',
        response_headers: { 'x-said': 'no' },
        error: 'status',
      },
    ]);
    const admin = (await (await session('admin')).deliveries.show({ delivery: row!['id'] })).data;
    expect(admin.log).toMatchObject([{ response_status: 422, response_body: null, response_headers: null }]);
  });

  it('are sent again with the same id and bytes and a new signature, and start their schedule anew', async () => {
    const { secret } = await createEndpoint(server(), company, { url: receiver.url });
    await createContacts(1);
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

  it('are sent again by range: what did not arrive, or all; 30 days at most', async () => {
    const { id } = await createEndpoint(server(), company, { url: receiver.url });
    await createContacts(2);
    await settled(server(), company, { count: 2 });
    receiver.answer(500);
    await createContacts(2);
    await settled(server(), company, { count: 4 });
    receiver.answer(200);
    await server().app.pool.query(
      `UPDATE webhook_deliveries SET status = 'exhausted', next_attempt_at = NULL WHERE company_id = $1 AND status = 'retrying'`,
      [company.id],
    );
    const now = server().clock.now().getTime();
    const from = new Date(now - hour).toISOString();
    expect((await owner.webhooks.resendRange({ endpoint: id, from })).data).toEqual({ endpoint: id, resent: 2 });
    await receiver.until(6);
    await expect
      .poll(async () => (await deliveriesOf(server(), company)).every(({ status }) => status === 'succeeded'))
      .toBe(true);
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
    await createContacts(1);
    await settled(server(), company);
    const at = (days: number) => new Date(server().clock.now().getTime() + days * 24 * hour);
    await tidyWebhooks(server().app.pool, at(29));
    expect(await deliveriesOf(server(), company)).toHaveLength(1);
    await tidyWebhooks(server().app.pool, at(31));
    expect(await deliveriesOf(server(), company)).toHaveLength(0);
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
      expect(made).toEqual({ code: 0, value: { id: expect.any(String), secret: expect.stringMatching(/^whsec_/) } });
      const { id, secret } = made.value;
      await createContacts(1);
      const [request] = await receiver.until(1);
      const now = server().clock.now().getTime();
      expect(verifyWebhook(request!.body, request!.headers['x-service-signature']!, secret, now)).toBe(true);
      const [delivery] = await settled(server(), company);
      expect(await run('resend', delivery!['id'])).toEqual({ code: 0, value: { resent: 1 } });
      await receiver.until(2);
      await wait(50);
      const { value } = await run('list', '--company', company.id);
      expect(value).toMatchObject([{ id, url: receiver.url, events: ['contact.created', 'contact.deleted'] }]);
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
