import { beforeAll, describe, expect, it } from 'vitest';
import { Message } from '../schema/messages.ts';
import { newId } from '../server/platform/ids.ts';
import type { Client } from './support/client.ts';
import { picture } from './support/files.ts';
import { eventsOf, timelineOf } from './support/log.ts';
import { uploadTo } from './support/media.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addSimulator, deliver, receivedTexts, settled } from './support/simulator.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let channel: string;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  channel = (await addSimulator(server().app, company.id)).id;
});

let phones = 0;
const person = async (more: object = {}): Promise<{ id: string; phone: string }> =>
  (
    await api.post('/contacts', {
      name: 'Ana Sousa',
      phone: `+3519120${String(++phones).padStart(5, '0')}`,
      ...more,
    })
  ).body.data;
const send = (body: object) => api.post('/messages', body);
const show = async (id: string): Promise<Message> =>
  Message.parse((await api.get(`/messages/${id}`)).body.data);

describe('a message to a contact', () => {
  it('opens a conversation, is sent, delivered and read, and tells so', async () => {
    const contact = await person();
    const answer = await send({ contact: contact.id, text: 'Hello Ana' });
    expect(answer.status).toBe(201);
    const message = Message.parse(answer.body.data);
    expect(message).toMatchObject({
      contact: contact.id,
      channel: 'simulator',
      direction: 'outbound',
      type: 'text',
      text: 'Hello Ana',
      status: 'queued',
      author: { type: 'api', email: company.owner.email },
      failure: null,
      held_until: null,
      sent_at: null,
    });
    await expect.poll(async () => (await show(message.id)).status, { timeout: 10_000 }).toBe('read');
    const read = await show(message.id);
    expect(read.sent_at && read.delivered_at && read.read_at).toBeTruthy();
    const events = await eventsOf(server().app, message.conversation);
    expect(events.map(({ type }) => type)).toEqual([
      'conversation.created',
      'message.sent',
      'message.delivered',
      'message.read',
    ]);
    expect(events[1]?.data).toMatchObject({
      object: { id: message.id, status: 'sent' },
      previous: { status: 'queued' },
    });
    const conversation = (await api.get(`/conversations/${message.conversation}`)).body.data;
    expect(conversation).toMatchObject({
      last_message: { id: message.id, snippet: 'Hello Ana', status: 'read', direction: 'outbound' },
      unread_count: 0,
      first_response_at: null,
    });
  });

  it('goes on in the same conversation, reopens one closed lately, and opens another after that', async () => {
    const contact = await person();
    const first = (await send({ contact: contact.id, text: '1' })).body.data.conversation;
    expect((await send({ contact: contact.id, text: '2' })).body.data.conversation).toBe(first);
    await api.post(`/conversations/${first}/close`);
    expect((await send({ contact: contact.id, text: '3' })).body.data.conversation).toBe(first);
    expect((await api.get(`/conversations/${first}`)).body.data.status).toBe('open');
    await settled(server().app, company.id);
    await api.post(`/conversations/${first}/close`);
    await server().app.pool.query(
      "UPDATE conversations SET closed_at = now() - interval '73 hours' WHERE id = $1",
      [first],
    );
    expect((await send({ contact: contact.id, text: '4' })).body.data.conversation).not.toBe(first);
  });

  it('is one of twenty at once, in one conversation', async () => {
    const contact = await person();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => send({ contact: contact.id, text: `at once ${n}` })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.data.conversation)).size).toBe(1);
  });

  it('can name its channel', async () => {
    const contact = await person();
    await addSimulator(server().app, company.id, { name: 'Second' });
    const answer = await send({ contact: contact.id, text: 'x', channel: 'second' });
    expect(answer.status).toBe(201);
    const unknown = await send({ contact: contact.id, text: 'x', channel: 'pigeon' });
    expect(unknown.body.error.details[0]).toMatchObject({ param: 'channel', code: 'channel_unavailable' });
  });
});

describe('sends of one conversation', () => {
  it('follow each other in the order they were created', async () => {
    const contact = await person();
    const { conversation } = (await send({ contact: contact.id, text: 'order 0' })).body.data;
    for (let n = 1; n < 15; n++) await send({ conversation, text: `order ${n}` });
    await settled(server().app, company.id);
    const texts = (await receivedTexts(server().app, company.id)).filter((text) =>
      String(text).startsWith('order '),
    );
    expect(texts).toEqual(Array.from({ length: 15 }, (_, n) => `order ${n}`));
  });
});

describe('an answer', () => {
  it('ends the waiting and marks the thread as read', async () => {
    const { phone, id } = await person();
    await deliver(server().app, company.id, channel, { from: phone, text: 'Hi?' });
    await expect
      .poll(async () => (await api.get('/conversations', { contact: id })).body.data.length)
      .toBe(1);
    const [thread] = (await api.get('/conversations', { contact: id })).body.data;
    expect(thread).toMatchObject({ unread_count: 1, first_response_at: null });
    expect(thread.waiting_since).not.toBeNull();
    const question = (await api.get('/messages', { conversation: thread.id })).body.data[0];
    const answer = (await send({ conversation: thread.id, text: 'Yes', reply_to: question.id })).body.data;
    expect(answer.reply_to).toEqual({
      id: question.id,
      snippet: 'Hi?',
      author: { type: 'contact', name: 'Ana Sousa', email: null },
    });
    const after = (await api.get(`/conversations/${thread.id}`)).body.data;
    expect(after).toMatchObject({
      unread_count: 0,
      waiting_since: null,
      first_response_at: answer.created_at,
    });
    const entries = await timelineOf(api, thread.id);
    expect(entries.map(({ kind, text }) => text ?? kind)).toEqual(['Yes', 'Hi?', 'event']);
  });
});

describe('what a message holds', () => {
  it('a file, with a caption', async () => {
    const contact = await person();
    const { data: file } = (await uploadTo(api, await picture('png'), 'a.png', 'image/png')).body;
    const message = (await send({ contact: contact.id, media_url: file.url, text: 'Look' })).body.data;
    expect(message).toMatchObject({
      type: 'media',
      text: 'Look',
      media: { id: file.id, url: file.url, kind: 'image' },
    });
    const [entry] = await timelineOf(api, message.conversation);
    expect(entry).toMatchObject({ media: { url: file.url } });
    const { rows } = await server().app.pool.query('SELECT expires_at FROM media WHERE id = $1', [file.id]);
    expect(rows).toEqual([{ expires_at: null }]);
    const foreign = await (
      await (await server().company()).client()
    ).post('/messages', {
      contact: contact.id,
      media_url: file.url,
    });
    expect(foreign.status).toBe(422);
  });

  it('a template', async () => {
    const contact = await person();
    const template = { name: 'order_update', language: 'en', variables: { first: 'Ana', '2': 'x' } };
    const message = (await send({ contact: contact.id, template })).body.data;
    expect(message).toMatchObject({ type: 'template', text: null, template });
    const list = { ...template, variables: ['a', 'b'] };
    expect((await send({ contact: contact.id, template: list })).body.data.template).toEqual(list);
  });

  it('a product, written out', async () => {
    const contact = await person();
    const { url } = (await uploadTo(api, await picture('png'), 'lamp.png', 'image/png')).body.data;
    const id = newId();
    await server().app.pool.query(
      `INSERT INTO products (company_id, id, name, price, currency, status, image_url, description)
       VALUES ($1, $2, 'Lamp', 8900, 'EUR', 'active', $3, 'Oak')`,
      [company.id, id, url],
    );
    const message = (await send({ contact: contact.id, product: id })).body.data;
    expect(message).toMatchObject({
      type: 'product',
      product: id,
      text: 'Lamp\n€89.00\nOak',
      media: { url },
    });
    await server().app.pool.query("UPDATE products SET status = 'archived' WHERE id = $1", [id]);
    const archived = await send({ contact: contact.id, product: id });
    expect(archived.body.error.details[0]).toMatchObject({ param: 'product', code: 'not_allowed' });
  });

  it('an order of the same contact, written out', async () => {
    const [contact, other] = [await person(), await person()];
    const id = newId();
    await server().app.pool.query(
      `INSERT INTO orders (company_id, id, number, contact_id, status, currency, subtotal, total, placed_at, tracking)
       VALUES ($1, $2, 41, $3, 'shipped', 'EUR', 3600, 3600, now(), '{"carrier": "CTT", "number": "X1"}')`,
      [company.id, id, contact.id],
    );
    await server().app.pool.query(
      `INSERT INTO order_items (company_id, id, order_id, position, name, quantity, unit_price, total)
       VALUES ($1, $2, $3, 0, 'Mug', 2, 1800, 3600)`,
      [company.id, newId(), id],
    );
    const message = (await send({ contact: contact.id, order: id })).body.data;
    expect(message).toMatchObject({
      type: 'order',
      order: id,
      text: 'Order 41: on its way\n2 × Mug  €36.00\nTotal €36.00\nCTT X1',
    });
    const wrong = await send({ contact: other.id, order: id });
    expect(wrong.body.error.details[0]).toMatchObject({ param: 'order', code: 'not_allowed' });
  });

  it('a quick reply, filled in and counted', async () => {
    const contact = await person({ name: 'Zoë Braun' });
    const saved = (
      await api.post('/quick-replies', {
        shortcut: 'hello',
        text: 'Hi {{contact.first_name|there}}, {{agent.name}} here. Order {{order.number|–}}',
      })
    ).body.data;
    const message = (await send({ contact: contact.id, quick_reply: saved.id })).body.data;
    expect(message.type).toBe('text');
    expect(message.text).toMatch(/^Hi Zoë, Owner .* here\. Order –$/);
    const own = (await send({ contact: contact.id, quick_reply: saved.id, text: 'Mine' })).body.data;
    expect(own.text).toBe('Mine');
    const [listed] = (await api.get('/quick-replies', { q: 'hello' })).body.data;
    expect(listed.usage_count).toBe(2);
  });
});
