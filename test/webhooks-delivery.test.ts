import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { Event } from '../schema/events.ts';
import { execute } from '../server/platform/operation.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { waits } from '../server/webhooks/schedule.ts';
import { showWebhookEndpoint } from '../server/webhooks/service.ts';
import { Client } from './support/client.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { insertConversations } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { verifyWebhook } from './support/verify-webhook.ts';
import { createEndpoint, deliveriesOf, loopbackAllowed, settled } from './support/webhooks.ts';

const server = useServer(loopbackAllowed);
const second = 1_000;
const hour = 3_600_000;
let company: TestCompany;
let receiver: Receiver;

beforeEach(async () => {
  company = await server().company();
  receiver = await startReceiver();
  return () => receiver.close();
});

async function createContacts(count: number, of = company, name = 'Ana') {
  const api = await of.client();
  for (let n = 0; n < count; n++) await api.post('/contacts', { name: `${name} ${n}` });
}

async function endpoint(id: string) {
  return execute(showWebhookEndpoint, await systemContext(server().app, company.id), { endpoint: id });
}

describe('an event', () => {
  it('reaches the endpoint with the documented headers and a body that is the event', async () => {
    const { id, secret } = await createEndpoint(server(), company, { url: receiver.url });
    const api = await company.client();
    const { body } = await api.post('/contacts', { name: 'Ana' });
    const [request] = await receiver.until(1);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1',
      'x-service-event': 'contact.created',
      'x-service-event-id': request?.event.id,
      'x-service-attempt': '1',
      'webhook-id': request?.event.id,
    });
    expect(Event.parse(request?.event)).toMatchObject({
      type: 'contact.created',
      livemode: true,
      company: company.id,
      data: { object: body.data },
    });
    expect(request?.body.toString()).toBe(JSON.stringify(request?.event));
    expect(verifyWebhook(request!.body, request!.headers['x-service-signature']!, secret)).toBe(true);
    const [delivery] = await settled(server(), company);
    expect(delivery).toMatchObject({ endpoint_id: id, status: 'succeeded', attempts: 1, last_status: 200 });
    expect(request?.headers['x-service-delivery']).toBe(delivery?.['id']);
  });

  it('goes to the endpoints that ask for its type, and not to one that skips the key that caused it', async () => {
    const own = await company.key();
    const { url } = receiver;
    await createEndpoint(server(), company, { url: `${url}/created`, events: ['contact.created'] });
    await createEndpoint(server(), company, { url: `${url}/deleted`, events: ['contact.deleted'] });
    await createEndpoint(server(), company, { url: `${url}/skips`, skip_key: own.id });
    const api = await company.client();
    await new Client(server().url, own.key).post('/contacts', { name: 'by the skipped key' });
    await api.post('/contacts', { name: 'by another key' });
    await settled(server(), company, { count: 3 });
    const got = receiver.received.map(({ path, event }) => [path, event.data.object.name]).sort();
    expect(got).toEqual([
      ['/hook/created', 'by another key'],
      ['/hook/created', 'by the skipped key'],
      ['/hook/skips', 'by another key'],
    ]);
  });

  it('that was rolled back, or caused by a test key, is never sent', async () => {
    await createEndpoint(server(), company, { url: receiver.url });
    const [live, test] = [await company.client(), await company.client({ mode: 'test' })];
    for (let n = 0; n < 20; n++) {
      await test.post('/contacts', { name: `test ${n}` });
      await live.post('/contacts', { name: 'x', email: 'no address' });
    }
    await live.post('/contacts', { name: 'the only one', phone: '+351912000001' });
    await live.post('/contacts', { name: 'rolled back', phone: '+351912000001' });
    await receiver.until(1);
    await createContacts(1, company, 'last');
    await receiver.until(2);
    expect(receiver.received.map(({ event }) => event.data.object.name)).toEqual(['the only one', 'last 0']);
  });

  it('reaches no endpoint of another company', async () => {
    const companies = await Promise.all(Array.from({ length: 20 }, () => server().company()));
    for (const one of companies) await createEndpoint(server(), one, { url: `${receiver.url}/${one.id}` });
    await Promise.all(companies.map((one) => createContacts(10, one)));
    await receiver.until(200);
    const foreign = receiver.received.filter(({ path, event }) => !path.endsWith(event.company));
    expect(foreign).toEqual([]);
    for (const one of companies) {
      const sequences = receiver.received
        .filter(({ event }) => event.company === one.id)
        .map(({ event }) => event.sequence);
      expect(new Set(sequences).size).toBe(10);
    }
  });
});

describe('the schedule', () => {
  it('makes ten attempts in 75 h 35 min, each signed for its moment, all with the same bytes [W3, W5]', async () => {
    const { id, secret } = await createEndpoint(server(), company, { url: receiver.url });
    receiver.answer(503);
    await createContacts(1);
    for (let made = 1; made <= 10; made++) {
      await receiver.until(made);
      const [row] = await settled(server(), company, { attempts: made });
      const request = receiver.received[made - 1]!;
      const now = server().clock.now().getTime();
      expect(request.headers['x-service-attempt']).toBe(String(made));
      expect(request.body.equals(receiver.received[0]!.body)).toBe(true);
      expect(request.headers['x-service-event-id']).toBe(receiver.received[0]!.headers['x-service-event-id']);
      expect(verifyWebhook(request.body, request.headers['x-service-signature']!, secret, now)).toBe(true);
      // The first signature is of no use hours later.
      const first = receiver.received[0]!.headers['x-service-signature']!;
      if (made > 3) expect(verifyWebhook(request.body, first, secret, now)).toBe(false);
      if (made === 10) {
        expect(row).toMatchObject({ status: 'exhausted', next_attempt_at: null, last_status: 503 });
        break;
      }
      const gap = row!['next_attempt_at'].getTime() - row!['last_attempt_at'].getTime();
      const planned = waits[made]!;
      expect(gap).toBeGreaterThanOrEqual(planned * 0.9);
      // The attempt itself takes some milliseconds.
      expect(gap).toBeLessThanOrEqual(planned * 1.1 + 2 * second);
      if (made > 1) {
        server().clock.advance(gap - 60 * second);
        await wait(1_200);
        expect(receiver.received).toHaveLength(made);
      }
      server().clock.advance(Math.max(0, row!['next_attempt_at'].getTime() - server().clock.now().getTime()));
    }
    expect(await endpoint(id)).toMatchObject({ enabled: true, failureCount: 10 });
    const { rows } = await server().app.pool.query(
      'SELECT number, trigger, response_status, error FROM webhook_attempts WHERE company_id = $1 ORDER BY number',
      [company.id],
    );
    expect(rows).toHaveLength(10);
    expect(rows[9]).toEqual({ number: 10, trigger: 'schedule', response_status: 503, error: 'status' });
  }, 90_000);

  it.each([
    [200, 'succeeded', null],
    [201, 'succeeded', null],
    [204, 'succeeded', null],
    [301, 'retrying', 'redirect'],
    [307, 'retrying', 'redirect'],
    [400, 'retrying', 'status'],
    [404, 'retrying', 'status'],
    [429, 'retrying', 'status'],
    [500, 'retrying', 'status'],
    [503, 'retrying', 'status'],
    [410, 'discarded', 'status'],
    ['reset', 'retrying', 'reset'],
  ] as const)('after %s the delivery is %s [W6]', async (answer, status, error) => {
    const elsewhere = await startReceiver();
    receiver.answer((response) => {
      if (answer === 'reset') response.destroy();
      else response.writeHead(answer, { Location: elsewhere.url, 'Retry-After': '7200' }).end('said');
    });
    const { id } = await createEndpoint(server(), company, { url: receiver.url });
    await createContacts(1);
    await receiver.until(1);
    const [row] = await settled(server(), company);
    expect(row).toMatchObject({ status, last_error: error });
    if (status === 'retrying' && answer !== 'reset') {
      const gap = row!['next_attempt_at'].getTime() - row!['last_attempt_at'].getTime();
      expect(Math.round(gap / 1000 / 60)).toBe(120);
    }
    expect(elsewhere.received).toEqual([]);
    await expect.poll(async () => (await endpoint(id)).enabled, { timeout: 5_000 }).toBe(answer !== 410);
    if (answer === 410) expect(await endpoint(id)).toMatchObject({ disabledReason: 'gone' });
    await elsewhere.close();
  });
});

describe('within a conversation', () => {
  it('first attempts are made in order, and a retry holds up nothing', async () => {
    const api = await company.client();
    const [thread] = await insertConversations(server().app, company.id, 1);
    await createEndpoint(server(), company, {
      url: receiver.url,
      events: ['conversation.muted', 'conversation.unmuted'],
    });
    let refused = false;
    receiver.answer((response, { event }) => {
      const refuse = !refused && event.type === 'conversation.muted';
      refused ||= refuse;
      setTimeout(() => response.writeHead(refuse ? 500 : 200).end(), 10);
    });
    for (let n = 0; n < 10; n++) {
      await api.post(`/conversations/${thread}/mute`, {});
      await api.post(`/conversations/${thread}/unmute`);
    }
    await receiver.until(21);
    const firsts = receiver.received
      .filter(({ headers }) => headers['x-service-attempt'] === '1')
      .map(({ event }) => event.sequence);
    expect(firsts).toHaveLength(20);
    expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
  });
});

describe('a receiver that hangs', () => {
  it('delays no other [W9]', async () => {
    const hanging = await startReceiver();
    hanging.answer(() => {});
    await createEndpoint(server(), company, { url: hanging.url });
    await createEndpoint(server(), company, { url: receiver.url });
    const others = await Promise.all(Array.from({ length: 5 }, () => server().company()));
    for (const other of others) await createEndpoint(server(), other, { url: receiver.url });
    await createContacts(50);
    await Promise.all(others.map((other) => createContacts(10, other)));
    await receiver.until(100);
    expect(hanging.received.length).toBeLessThanOrEqual(4);
    const rows = await deliveriesOf(server(), company);
    expect(rows.filter(({ status }) => status === 'pending').length).toBeGreaterThanOrEqual(50);
    await hanging.close();
  });
});

describe('failures only', () => {
  it('for 120 hours switch the endpoint off; the Owner is told once; one success would have cleared it [W8]', async () => {
    const { id } = await createEndpoint(server(), company, { url: receiver.url });
    receiver.answer(500);
    const fail = async (count: number) => {
      const before = receiver.received.length;
      await createContacts(1);
      await receiver.until(before + 1);
      await expect.poll(async () => (await endpoint(id)).failureCount, { timeout: 5_000 }).toBe(count);
    };
    await fail(1);
    expect((await endpoint(id)).failingSince).toBeNull();
    // Only the second failure within 24 hours starts the clock.
    await fail(2);
    expect((await endpoint(id)).failingSince).not.toBeNull();
    receiver.answer(200);
    await createContacts(1);
    await expect.poll(async () => (await endpoint(id)).failureCount, { timeout: 5_000 }).toBe(0);
    expect(await endpoint(id)).toMatchObject({ failingSince: null, circuitOpenUntil: null });
    receiver.answer(500);
    await createContacts(1);
    await createContacts(1);
    await expect.poll(async () => (await endpoint(id)).failingSince, { timeout: 5_000 }).not.toBeNull();
    server().clock.advance(121 * hour);
    await expect.poll(async () => (await endpoint(id)).enabled, { timeout: 10_000 }).toBe(false);
    expect(await endpoint(id)).toMatchObject({ disabledReason: 'failing' });
    const rows = await deliveriesOf(server(), company);
    expect(rows.filter(({ status }) => status === 'pending' || status === 'retrying')).toEqual([]);
    const { rows: notices } = await server().app.pool.query(
      'SELECT user_id, kind, data FROM notifications WHERE company_id = $1',
      [company.id],
    );
    expect(notices).toEqual([
      {
        user_id: company.owner.id,
        kind: 'system',
        data: { topic: 'webhook.disabled', endpoint: id, url: receiver.url, reason: 'failing' },
      },
    ]);
    const before = receiver.received.length;
    await createContacts(2);
    await wait(1_500);
    expect(receiver.received).toHaveLength(before);
  }, 60_000);
});
