import { beforeAll, describe, expect, it } from 'vitest';
import { Channel } from '../schema/channels.ts';
import { simulator } from '../server/channels/simulator.ts';
import { presentChannel } from '../server/channels/present.ts';
import { createChannel, listChannels, updateChannel } from '../server/channels/service.ts';
import { simulatorOutbox } from '../server/messages/simulate.ts';
import { receive } from '../server/messages/work.ts';
import type { AppError } from '../server/platform/errors.ts';
import { newId } from '../server/platform/ids.ts';
import { execute } from '../server/platform/operation.ts';
import { systemContext } from '../server/platform/system-context.ts';
import type { Client } from './support/client.ts';
import { eventsOf } from './support/log.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addSimulator, settled } from './support/simulator.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let phones = 0;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

const system = (id = company.id) => systemContext(server().app, id);
const newContact = async (): Promise<string> =>
  (await api.post('/contacts', { phone: `+3519160${String(++phones).padStart(5, '0')}` })).body.data.id;

describe('channels', () => {
  it('are managed in the dashboard: no key may', async () => {
    for (const [kind, name] of [
      ['query', 'list'],
      ['mutation', 'create'],
      ['mutation', 'update'],
    ] as const) {
      expect((await api.trpc(kind, `channels.${name}`, {})).status).toBe(403);
    }
    const answer = await api.graphql('{ channels { id } }');
    expect(answer.body.errors[0].extensions.code).toBe('forbidden');
  });

  it('are created, the first one as default, and changed', async () => {
    const own = await server().company();
    const ctx = await system(own.id);
    const first = await execute(createChannel, ctx, { kind: 'simulator', name: 'One' });
    const second = await execute(createChannel, ctx, { kind: 'whatsapp', name: 'Two', reopen_hours: null });
    expect(Channel.parse(presentChannel(first, server().app))).toMatchObject({
      kind: 'simulator',
      name: 'One',
      status: 'active',
      is_default: true,
      reopen_hours: 72,
    });
    expect(presentChannel(second, server().app)).toMatchObject({ is_default: false, reopen_hours: null });
    await execute(updateChannel, ctx, {
      channel: second.id,
      is_default: true,
      name: 'Three',
      status: 'disabled',
    });
    const all = await execute(listChannels, ctx, {});
    expect(all.map(({ name, isDefault, status }) => [name, isDefault, status])).toEqual([
      ['One', false, 'active'],
      ['Three', true, 'disabled'],
    ]);
  });

  it.each([
    [{ kind: 'pigeon', name: 'x' }, 'kind', 'enum'],
    [{ kind: 'simulator' }, 'name', 'required'],
    [{ kind: 'simulator', name: 'x'.repeat(31) }, 'name', 'max'],
    [{ kind: 'simulator', name: 'x', config: { delays: { read: -1 } } }, 'config.delays.read', 'format'],
    [{ kind: 'simulator', name: 'x', reopen_hours: -1 }, 'reopen_hours', 'min'],
  ])('refuse %j', async (input, param, code) => {
    const refusal = await execute(createChannel, await system(), input).catch((error: AppError) => error);
    expect(refusal).toMatchObject({ code: 'validation_failed', details: [{ param, code }] });
  });

  it('have names of their own', async () => {
    const ctx = await system((await server().company()).id);
    const { id } = await execute(createChannel, ctx, { kind: 'simulator', name: 'Shop' });
    const refusal = await execute(createChannel, ctx, { kind: 'email', name: 'SHOP' }).catch(
      (error: AppError) => error,
    );
    expect(refusal).toMatchObject({ details: [{ param: 'name', code: 'duplicate', existing: id }] });
    const unknown = await execute(updateChannel, ctx, { channel: newId() }).catch((error: AppError) => error);
    expect(unknown).toMatchObject({ code: 'not_found' });
  });
});

describe('the simulator', () => {
  it('keeps what customers received, and reports after its delays', async () => {
    await addSimulator(server().app, company.id, {
      name: 'Slow',
      config: { delays: { delivered: 1_000, read: 2_500 } },
    });
    const contact = await newContact();
    const { id } = (await api.post('/messages', { contact, channel: 'Slow', text: 'hi' })).body.data;
    await settled(server().app, company.id);
    const message = (await api.get(`/messages/${id}`)).body.data;
    const after = (at: string) => Date.parse(at) - Date.parse(message.sent_at);
    expect(after(message.delivered_at)).toBeGreaterThan(500);
    expect(after(message.read_at)).toBeGreaterThan(2_000);
    const kept = (await simulatorOutbox(server().app, company.id)).find((one) => one.message === id);
    expect(kept).toMatchObject({ channel: 'Slow', type: 'text', text: 'hi', outcome: 'read', media: null });
  });
});

/** A message that its provider has accepted and will say nothing more about. */
async function accepted(): Promise<{
  id: string;
  conversation: string;
  providerId: string;
  channelId: string;
}> {
  const contact = await newContact();
  const { id, conversation } = (await api.post('/messages', { contact, channel: 'Silent', text: 'x' })).body
    .data;
  await expect
    .poll(async () => (await api.get(`/messages/${id}`)).body.data.status, { timeout: 10_000 })
    .toBe('sent');
  const { rows } = await server().app.pool.query(
    'SELECT provider_id, channel_id FROM messages WHERE id = $1',
    [id],
  );
  return { id, conversation, providerId: rows[0].provider_id, channelId: rows[0].channel_id };
}

describe('reports of a provider', () => {
  const later = 600_000;
  beforeAll(async () => {
    const config = { delays: { sent: later, delivered: later, read: later } };
    await addSimulator(server().app, company.id, { name: 'Silent', config });
  });

  const at = {
    sent: '2030-01-01T00:00:01.000Z',
    delivered: '2030-01-01T00:00:02.000Z',
    read: '2030-01-01T00:00:03.000Z',
  };
  type Status = keyof typeof at | 'failed';
  const report = async (one: Awaited<ReturnType<typeof accepted>>, ...statuses: Status[]) => {
    for (const status of statuses) {
      await receive(server().app, {
        companyId: company.id,
        channelId: one.channelId,
        payload: {
          statuses: [
            {
              providerId: one.providerId,
              reference: one.id,
              status,
              at: status === 'failed' ? at.read : at[status],
            },
          ],
        },
      });
    }
    return (await api.get(`/messages/${one.id}`)).body.data;
  };

  it.each([
    ['sent', 'delivered', 'read'],
    ['sent', 'read', 'delivered'],
    ['delivered', 'sent', 'read'],
    ['delivered', 'read', 'sent'],
    ['read', 'sent', 'delivered'],
    ['read', 'delivered', 'sent'],
  ] as Status[][])('in the order %s, %s, %s end in the same state', async (...order) => {
    const one = await accepted();
    const message = await report(one, ...order, ...order);
    expect(message).toMatchObject({ status: 'read', read_at: at.read, failure: null });
    expect(message.delivered_at).not.toBeNull();
    const types = (await eventsOf(server().app, one.conversation)).map(({ type }) => type);
    expect(types.filter((type) => type === 'message.read')).toHaveLength(1);
    expect((await api.get(`/conversations/${one.conversation}`)).body.data.last_message.status).toBe('read');
  });

  it('of a failure count before delivery, not after', async () => {
    const failed = await report(await accepted(), 'failed', 'delivered', 'read');
    expect(failed).toMatchObject({
      status: 'failed',
      failure: { code: 'undeliverable' },
      delivered_at: null,
    });
    const delivered = await report(await accepted(), 'delivered', 'failed');
    expect(delivered).toMatchObject({ status: 'delivered', failure: null });
  });

  it('fifty at once change a message once', async () => {
    const one = await accepted();
    await Promise.all(Array.from({ length: 50 }, () => report(one, 'delivered')));
    const types = (await eventsOf(server().app, one.conversation)).map(({ type }) => type);
    expect(types.filter((type) => type === 'message.delivered')).toHaveLength(1);
  });
});

describe('a worker that dies in the middle of a send', () => {
  /** As a kill leaves it: the call was begun, and nobody knows how it ended. */
  const interrupt = async (id: string, conversationId: string) => {
    await server().app.pool.query(
      `UPDATE messages SET status = 'queued', provider_id = NULL, sent_at = NULL, delivered_at = NULL, read_at = NULL,
         attempts = 1, attempted_at = clock_timestamp() - interval '1 minute' WHERE id = $1`,
      [id],
    );
    await server().app.jobs.enqueue('messages.send', { companyId: company.id, conversationId });
  };
  const copies = async (id: string) =>
    (await simulatorOutbox(server().app, company.id)).filter((one) => one.message === id).length;

  it('sends again under the same reference: the customer gets one message', async () => {
    const { id, conversation } = await accepted();
    await interrupt(id, conversation);
    await expect
      .poll(async () => (await api.get(`/messages/${id}`)).body.data.status, { timeout: 10_000 })
      .toBe('sent');
    expect(await copies(id)).toBe(1);
  });

  it('where the provider knows no reference it is not sent again, and says so; a late report settles it [M1]', async () => {
    const { id, conversation, channelId, providerId } = await accepted();
    simulator.capabilities.reference = false;
    try {
      await interrupt(id, conversation);
      await expect
        .poll(async () => (await api.get(`/messages/${id}`)).body.data.status, { timeout: 10_000 })
        .toBe('failed');
    } finally {
      simulator.capabilities.reference = true;
    }
    const message = (await api.get(`/messages/${id}`)).body.data;
    expect(message.failure).toMatchObject({
      code: 'provider_error',
      message: expect.stringMatching(/not known/),
    });
    expect(await copies(id)).toBe(1);
    await receive(server().app, {
      companyId: company.id,
      channelId,
      payload: {
        statuses: [{ providerId, reference: id, status: 'delivered', at: new Date().toISOString() }],
      },
    });
    expect((await api.get(`/messages/${id}`)).body.data).toMatchObject({
      status: 'delivered',
      failure: null,
    });
  });

  it('keeps the others waiting for their turn', async () => {
    const { id, conversation } = await accepted();
    await server().app.pool.query(
      "UPDATE messages SET status = 'queued', provider_id = NULL, sent_at = NULL, attempted_at = clock_timestamp() WHERE id = $1",
      [id],
    );
    const next = (await api.post('/messages', { conversation, text: 'after' })).body.data;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await api.get(`/messages/${next.id}`)).body.data.status).toBe('queued');
    const status = async () => (await api.get(`/messages/${next.id}`)).body.data.status;
    await expect.poll(status, { timeout: 15_000 }).toBe('sent');
    expect((await api.get(`/messages/${id}`)).body.data.status).toBe('sent');
  });
});
