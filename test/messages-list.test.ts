import { beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../schema/messages.ts';
import { newId } from '../server/platform/ids.ts';
import type { Client } from './support/client.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addSimulator, deliver } from './support/simulator.ts';

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
      phone: `+3519170${String(++phones).padStart(5, '0')}`,
      ...more,
    })
  ).body.data;
const send = (body: object) => api.post('/messages', body);

describe('lists', () => {
  it('are newest first, filtered and paged', async () => {
    const contact = await person();
    const { conversation } = (await send({ contact: contact.id, text: 'one' })).body.data;
    const middle = new Date().toISOString();
    await send({ conversation, text: 'two' });
    await deliver(server().app, company.id, channel, { from: contact.phone, text: 'three' });
    const texts = async (query: Record<string, string>) =>
      (await api.get('/messages', query)).body.data.map(({ text }: Message) => text);
    await expect.poll(() => texts({ conversation })).toEqual(['three', 'two', 'one']);
    expect(await texts({ contact: contact.id, direction: 'inbound' })).toEqual(['three']);
    expect(await texts({ conversation, from: middle })).toEqual(['three', 'two']);
    expect(await texts({ conversation, to: middle })).toEqual(['one']);
    expect(await texts({ conversation, type: 'media' })).toEqual([]);
    expect(await texts({ conversation: newId() })).toEqual([]);
    const page = (await api.get('/messages', { conversation, limit: 2 })).body;
    expect(page.meta.has_more).toBe(true);
    expect(await texts({ conversation, limit: '2', cursor: page.meta.next_cursor })).toEqual(['one']);
    expect((await api.get(`/messages/${newId()}`)).status).toBe(404);
  });
});

describe('the reference of the sender', () => {
  it('is unique in a conversation; a second message with it names the first', async () => {
    const contact = await person();
    const first = (await send({ contact: contact.id, text: 'x', client_ref: 'r1' })).body.data;
    expect(first.client_ref).toBe('r1');
    const again = await send({ conversation: first.conversation, text: 'y', client_ref: 'r1' });
    expect(again.status).toBe(422);
    expect(again.body.error.details[0]).toMatchObject({
      param: 'client_ref',
      code: 'duplicate',
      existing: first.id,
    });
    const other = await person();
    expect((await send({ contact: other.id, text: 'x', client_ref: 'r1' })).status).toBe(201);
    const race = await Promise.all(
      Array.from({ length: 10 }, () =>
        send({ conversation: first.conversation, text: 'z', client_ref: 'r2' }),
      ),
    );
    expect(race.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 422),
    ]);
  });
});

describe('GraphQL', () => {
  it('sends, shows, lists and cancels', async () => {
    const contact = await person();
    const sent = await api.graphql(
      `mutation ($input: MessageSendInput!) {
        sendMessage(input: $input) { id conversation status text type author { type } media { url } heldUntil }
      }`,
      { input: { contact: contact.id, text: 'graph', holdSeconds: 60 } },
    );
    const message = sent.body.data.sendMessage;
    expect(message).toMatchObject({ status: 'held', text: 'graph', type: 'text', author: { type: 'api' } });
    const shown = await api.graphql(
      `{ message(message: "${message.id}") { id failure { code } replyTo { id } } }`,
    );
    expect(shown.body.data.message).toEqual({ id: message.id, failure: null, replyTo: null });
    const listed = await api.graphql(`{ messages(contact: "${contact.id}") { items { id } hasMore } }`);
    expect(listed.body.data.messages).toEqual({ items: [{ id: message.id }], hasMore: false });
    const cancelled = await api.graphql(`mutation { cancelMessage(message: "${message.id}") { status } }`);
    expect(cancelled.body.data.cancelMessage).toEqual({ status: 'cancelled' });
    const wrong = await api.graphql(`mutation { sendMessage(input: { text: "x" }) { id } }`);
    expect(wrong.body.errors[0].extensions).toMatchObject({
      code: 'validation_failed',
      param: 'conversation',
    });
  });
});
