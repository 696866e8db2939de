import { beforeEach, describe, expect, it } from 'vitest';
import { appRouter } from '../server/app-router.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { createCallerFactory } from '../server/platform/trpc.ts';
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

const tables = ['webhook_endpoints', 'webhook_secrets', 'webhook_deliveries', 'webhook_attempts', 'events'];

async function dump(): Promise<string> {
  const parts = await Promise.all(
    tables.map((table) =>
      server().app.pool.query(`SELECT * FROM ${table} WHERE company_id = $1`, [company.id]),
    ),
  );
  return parts.map(({ rows }) => rows.map((row) => JSON.stringify(row)).join('\n')).join('\n');
}

describe('endpoints', () => {
  it('are created, changed and deleted; the secret is shown once and stored encrypted [W17]', async () => {
    const { data } = await owner.webhooks.create({ url: receiver.url, events: ['order.paid', 'order.paid'] });
    expect(data).toMatchObject({
      events: ['order.paid'],
      enabled: true,
      status: 'enabled',
      description: null,
    });
    expect(data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret, ...shown } = data;
    expect((await owner.webhooks.show({ endpoint: data.id })).data).toEqual(shown);
    const updated = await owner.webhooks.update({
      endpoint: data.id,
      events: ['order.paid', '*'],
      description: 'all',
    });
    expect(updated.data).toMatchObject({ events: ['*'], description: 'all', url: receiver.url });
    expect(await dump()).not.toContain(secret.slice(6, 30));
    await createContacts(company, 1);
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
    expect((await (await dashboard(server(), company, 'admin')).webhooks.list({})).data).toHaveLength(1);
    await expect((await dashboard(server(), company, 'agent')).webhooks.list({})).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
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
    await createContacts(company, 1);
    await settled(server(), company);
    await owner.webhooks.update({ endpoint: id, enabled: false });
    expect(await deliveriesOf(server(), company)).toMatchObject([{ status: 'discarded' }]);
    await expect(owner.webhooks.sendTest({ endpoint: id })).rejects.toMatchObject({ code: 'CONFLICT' });
    await createContacts(company, 3);
    // Until the dispatcher has passed them by.
    await createEndpoint(server(), company, { url: `${receiver.url}/other` });
    await createContacts(company, 1);
    receiver.answer(200);
    await expect.poll(() => receiver.received.some(({ path }) => path === '/hook/other')).toBe(true);
    const { data } = await owner.webhooks.update({ endpoint: id, enabled: true });
    expect(data).toMatchObject({ status: 'enabled', disabled_at: null, disabled_reason: null });
    await createContacts(company, 1);
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
  it('are replaced with 24 hours in which both sign [W4]', async () => {
    const first = await createEndpoint(server(), company, { url: receiver.url });
    const { data: second } = await owner.webhooks.rotateSecret({ endpoint: first.id });
    const verified = async (...secrets: string[]) => {
      const count = receiver.received.length;
      await createContacts(company, 1);
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

  it('keep at most ten that were replaced [W4]', async () => {
    const { id, secret } = await createEndpoint(server(), company, { url: receiver.url });
    let newest = secret;
    for (let n = 0; n < 13; n++) newest = (await owner.webhooks.rotateSecret({ endpoint: id })).data.secret;
    await createContacts(company, 1);
    const [request] = await receiver.until(1);
    const header = request!.headers['x-service-signature']!;
    expect(header.split(',')).toHaveLength(1 + 11);
    const now = server().clock.now().getTime();
    expect(verifyWebhook(request!.body, header, newest, now)).toBe(true);
    expect(verifyWebhook(request!.body, header, secret, now)).toBe(false);
  });

  it('verify by the Standard Webhooks headers too', async () => {
    const { secret } = await createEndpoint(server(), company, { url: receiver.url });
    await createContacts(company, 1);
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
    await createContacts(company, 1);
    await receiver.until(2);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/hook/other']);
  });
});
