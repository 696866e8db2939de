import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../server/platform/ids.ts';
import type { Client } from './support/client.ts';
import { eventsOf } from './support/log.ts';
import { scaled } from './support/scale.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addSimulator, deliver, receivedTexts, settled } from './support/simulator.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let channel: string;
let phones = 0;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  channel = (await addSimulator(server().app, company.id)).id;
});

/** A conversation with a new contact. */
const thread = async (): Promise<{ id: string; contact: string; phone: string }> => {
  const phone = `+3519130${String(++phones).padStart(5, '0')}`;
  const contact = (await api.post('/contacts', { name: 'Ana', phone })).body.data.id;
  const id = (await api.post('/messages', { contact, text: `hello ${phones}` })).body.data.conversation;
  await settled(server().app, company.id);
  return { id, contact, phone };
};
const hold = async (conversation: string, text: string, seconds = 300) =>
  (await api.post('/messages', { conversation, text, hold_seconds: seconds })).body.data;
const conversation = async (id: string) => (await api.get(`/conversations/${id}`)).body.data;
const status = async (id: string) => (await api.get(`/messages/${id}`)).body.data.status;
const received = async (texts: string[]) =>
  (await receivedTexts(server().app, company.id)).filter((text) => texts.includes(String(text)));

/** As if AI had written it. */
const holdForAi = async (id: string, text: string) => {
  const message = await hold(id, text);
  await server().app.pool.query(
    "UPDATE messages SET held_origin = 'ai', author_type = 'ai', ai_generated = true WHERE id = $1",
    [message.id],
  );
  return message;
};

describe('a held message', () => {
  it('waits, shows in the conversation, and tells nobody', async () => {
    const { id } = await thread();
    const before = (await eventsOf(server().app, id)).length;
    const first = await hold(id, 'held 1', 200);
    const second = await hold(id, 'held 2', 100);
    expect(first).toMatchObject({ status: 'held' });
    expect((await conversation(id)).held).toEqual({ count: 2, send_at: second.held_until });
    expect((await conversation(id)).last_message).toMatchObject({ id: second.id, status: 'held' });
    expect(await eventsOf(server().app, id)).toHaveLength(before);
    expect(await received(['held 1', 'held 2'])).toEqual([]);
  });

  it('is sent when its time has come, by itself', async () => {
    const { id } = await thread();
    const message = await hold(id, 'soon', 1);
    await expect.poll(() => status(message.id), { timeout: 10_000 }).toBe('read');
    expect(await received(['soon'])).toEqual(['soon']);
    expect((await conversation(id)).held).toBeNull();
    expect((await api.get(`/messages/${message.id}`)).body.data.held_until).toBeNull();
  });

  it('can be cancelled while it is held, and only then', async () => {
    const { id } = await thread();
    const message = await hold(id, 'never');
    const cancelled = await api.delete(`/messages/${message.id}`);
    expect(cancelled.status).toBe(200);
    expect(cancelled.body.data).toMatchObject({ id: message.id, status: 'cancelled', held_until: null });
    expect((await conversation(id)).held).toBeNull();
    const again = await api.delete(`/messages/${message.id}`);
    expect([again.status, again.body.error.code]).toEqual([409, 'conflict']);
    expect((await api.delete(`/messages/${newId()}`)).status).toBe(404);
    expect((await api.post(`/conversations/${id}/flush-held`)).body.data).toEqual({ flushed: false });
    expect(await received(['never'])).toEqual([]);
  });

  it('is sent now by flush-held, in the order of creation', async () => {
    const { id } = await thread();
    const texts = ['flush 1', 'flush 2', 'flush 3'];
    for (const text of texts) await hold(id, text);
    expect((await api.post(`/conversations/${id}/flush-held`)).body.data).toEqual({ flushed: true });
    expect((await api.post(`/conversations/${id}/flush-held`)).body.data).toEqual({ flushed: false });
    await settled(server().app, company.id);
    expect(await received(texts)).toEqual(texts);
  });

  it('leaves with others that are not held in the order they were created', async () => {
    const { id } = await thread();
    await hold(id, 'mixed 1');
    await api.post('/messages', { conversation: id, text: 'mixed 2' });
    await api.post(`/conversations/${id}/flush-held`);
    await settled(server().app, company.id);
    expect(new Set(await received(['mixed 1', 'mixed 2']))).toEqual(new Set(['mixed 1', 'mixed 2']));
  });
});

describe('what AI holds', () => {
  it('is cancelled when a person answers', async () => {
    const { id } = await thread();
    const ai = await holdForAi(id, 'from ai');
    const human = await hold(id, 'from me');
    expect([await status(ai.id), await status(human.id)]).toEqual(['cancelled', 'held']);
    expect((await conversation(id)).held).toEqual({ count: 1, send_at: human.held_until });
    const { rows } = await server().app.pool.query('SELECT cancel_reason FROM messages WHERE id = $1', [
      ai.id,
    ]);
    expect(rows).toEqual([{ cancel_reason: 'superseded_by_agent' }]);
  });

  it('is cancelled when the customer writes again; what a person holds stays', async () => {
    const { id, phone } = await thread();
    const human = await hold(id, 'mine');
    const ai = await holdForAi(id, 'from ai');
    await deliver(server().app, company.id, channel, { from: phone, text: 'One more thing' });
    await expect.poll(() => status(ai.id)).toBe('cancelled');
    expect(await status(human.id)).toBe('held');
    const { rows } = await server().app.pool.query('SELECT cancel_reason FROM messages WHERE id = $1', [
      ai.id,
    ]);
    expect(rows).toEqual([{ cancel_reason: 'superseded_by_inbound' }]);
  });

  it('is cancelled by closing; what a person holds is sent', async () => {
    const { id } = await thread();
    const human = await hold(id, 'before closing');
    await holdForAi(id, 'ai before closing');
    await api.post(`/conversations/${id}/close`);
    await expect.poll(() => status(human.id), { timeout: 10_000 }).toBe('read');
    expect(await received(['before closing', 'ai before closing'])).toEqual(['before closing']);
    expect((await conversation(id)).status).toBe('closed');
  });
});

describe('flush-held', () => {
  it('fired 50 times at once sends each batch once, round after round [M3]', async () => {
    const { id } = await thread();
    const all: string[] = [];
    for (let round = 0; round < scaled(20, 100); round++) {
      const texts = [`round ${round} a`, `round ${round} b`];
      all.push(...texts);
      for (const text of texts) await hold(id, text);
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => api.post(`/conversations/${id}/flush-held`)),
      );
      expect(answers.every(({ status: code }) => code === 200)).toBe(true);
      expect(answers.filter(({ body }) => body.data.flushed)).toHaveLength(1);
    }
    await settled(server().app, company.id);
    expect(await received(all)).toEqual(all);
  });

  it('and the timer at the same time send once', async () => {
    const { id } = await thread();
    const texts = Array.from({ length: 10 }, (_, n) => `timer ${n}`);
    for (const text of texts) await hold(id, text, 1);
    for (let n = 0; n < 30; n++) await api.post(`/conversations/${id}/flush-held`);
    await settled(server().app, company.id);
    expect(await received(texts)).toEqual(texts);
  });
});
