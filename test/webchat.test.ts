import { randomUUID } from 'node:crypto';
import type { Client as SocketClient } from 'graphql-ws';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { settled } from './support/settled.ts';
import { socketClient, Subscribed } from './support/subscribe.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addWebchat, type Change, changeFields, Visitor } from './support/webchat.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let channel: string;
const sockets = new Set<SocketClient>();

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  channel = await addWebchat(server(), company.id);
});

beforeEach(() => settled(server().app));

afterEach(async () => {
  for (const socket of sockets) await socket.dispose();
  sockets.clear();
  await expect.poll(() => server().app.feed.size, { timeout: 5_000 }).toBe(0);
});

async function newVisitor(body: Record<string, unknown> = {}, on = channel): Promise<Visitor> {
  const visitor = new Visitor(server().url, on);
  expect((await visitor.start(body)).status).toBe(201);
  return visitor;
}

function follow(visitor: Visitor, after?: string | null): Subscribed<Change> {
  const socket = visitor.socket();
  sockets.add(socket);
  const query = `subscription($after: ID) { webchat(after: $after) { ${changeFields} } }`;
  return new Subscribed<Change>(socket, 'webchat', query, { after: after ?? null });
}

const joined = (count = 1) => expect.poll(() => server().app.feed.size, { timeout: 10_000 }).toBe(count);
const textsOf = (changes: Change[]) => changes.flatMap(({ message }) => (message ? [message.text] : []));
const statusOf = async (id: string) => (await api.get(`/messages/${id}`)).body.data.status;

/** The visitor's conversation, as the company sees it. */
async function threadOf(text: string): Promise<{ id: string; contact: { id: string; name: string | null } }> {
  const { body } = await api.get('/conversations', { q: text, channel: 'webchat' });
  expect(body.data).toHaveLength(1);
  return body.data[0];
}

describe('a visitor', () => {
  it('writes, and is answered by whoever works there', async () => {
    const visitor = await newVisitor({ name: 'Inês', email: 'ines@example.com' });
    const changes = follow(visitor);
    await joined();
    const sent = await visitor.send('Is the lamp still there?');
    expect(sent).toMatchObject({ fromVisitor: true, text: 'Is the lamp still there?', status: 'received' });
    const thread = await threadOf('Is the lamp still there?');
    expect(thread).toMatchObject({ channel: 'webchat', unread_count: 1, contact: { name: 'Inês' } });
    const contact = (await api.get(`/contacts/${thread.contact.id}`)).body.data;
    expect(contact).toMatchObject({ email: 'ines@example.com', source: 'webchat' });

    const reply = (await api.post('/messages', { conversation: thread.id, text: 'It is.' })).body.data;
    await changes.until((items) => items.some(({ message }) => message?.id === reply.id));
    const answer = changes.items.find(({ message }) => message?.id === reply.id)?.message;
    expect(answer).toMatchObject({ fromVisitor: false, text: 'It is.', status: 'sent' });
    expect(answer?.author).not.toContain('API');
    expect(JSON.stringify(changes.items)).not.toContain(company.owner.email);

    expect((await visitor.session()).unread).toBe(1);
    await visitor.graphql('mutation($m: ID!) { webchatDelivered(message: $m) }', { m: reply.id });
    expect(await statusOf(reply.id)).toBe('delivered');
    const read = await visitor.graphql('mutation($m: ID!) { webchatRead(message: $m) }', { m: reply.id });
    expect(read.body.data.webchatRead).toBe(0);
    expect(await statusOf(reply.id)).toBe('read');
    await visitor.graphql('mutation($m: ID!) { webchatDelivered(message: $m) }', { m: reply.id });
    expect(await statusOf(reply.id)).toBe('read');
    expect(await visitor.session()).toMatchObject({ unread: 0, seen: true });
  });

  it('is one message however often it is sent, and one contact', async () => {
    const visitor = await newVisitor();
    const id = randomUUID();
    const all = await Promise.all(Array.from({ length: 5 }, () => visitor.send('Only once, please', id)));
    expect(new Set(all.map((message) => message.id)).size).toBe(1);
    const thread = await threadOf('Only once, please');
    expect((await api.get('/messages', { conversation: thread.id })).body.data).toHaveLength(1);
    expect((await visitor.session()).messages).toHaveLength(1);
    const others = await Promise.all(['a', 'b', 'c'].map((text) => visitor.send(text)));
    expect(new Set(others.map((message) => message.id)).size).toBe(3);
    expect((await api.get('/messages', { contact: thread.contact.id })).body.data).toHaveLength(4);
  });

  it('goes on in the same thread after a renewal, and pages back through it', async () => {
    const visitor = await newVisitor();
    for (const text of ['one', 'two', 'three']) await visitor.send(text);
    const renewed = new Visitor(server().url, channel);
    expect((await renewed.start({ token: visitor.token })).status).toBe(201);
    expect(renewed.token).not.toBe('');
    const newest = await renewed.session('(first: 2)');
    expect(newest).toMatchObject({ hasMore: true, messages: [{ text: 'two' }, { text: 'three' }] });
    const older = await renewed.session(`(first: 2, before: "${newest.messages[0]!.id}")`);
    expect(older).toMatchObject({ hasMore: false, messages: [{ text: 'one' }] });
  });

  it('resumes without gap or repetition', async () => {
    const visitor = await newVisitor();
    await visitor.send('before');
    await settled(server().app);
    const { sequence } = await visitor.session();
    const first = follow(visitor, sequence);
    await joined();
    for (const text of ['r1', 'r2', 'r3']) await visitor.send(text);
    const logged = (items: Change[]) => items.filter((item) => item.sequence !== null && item.message);
    await first.until((items) => logged(items).length >= 3);
    const last = logged(first.items).at(-1)!.sequence;
    first.stop();
    await joined(0);
    for (const text of ['r4', 'r5']) await visitor.send(text);
    const second = follow(visitor, last);
    await joined();
    await visitor.send('r6');
    await second.until((items) => logged(items).length >= 3);
    expect(textsOf(logged(first.items))).toEqual(['r1', 'r2', 'r3']);
    expect(textsOf(logged(second.items))).toEqual(['r4', 'r5', 'r6']);
  });

  it('and an agent see each other typing and reading', async () => {
    const visitor = await newVisitor();
    await visitor.send('typing test');
    const thread = await threadOf('typing test');
    const changes = follow(visitor);
    await joined();
    await api.post(`/conversations/${thread.id}/presence`, { action: 'claim', typing: true });
    await changes.until((items) => items.some(({ typing }) => typing?.active === true));
    await api.post(`/conversations/${thread.id}/presence`, { action: 'release' });
    await changes.until((items) => items.some(({ typing }) => typing?.active === false));
    await api.post(`/conversations/${thread.id}/read`);
    await changes.until((items) => items.some(({ type }) => type === 'seen'));

    const { client } = socketClient(server().url, String(api.key));
    sockets.add(client);
    const timeline = new Subscribed<{ type: string; object: Record<string, unknown> }>(
      client,
      'timeline',
      'subscription($c: ID!) { timeline(conversation: $c) { type object } }',
      { c: thread.id },
    );
    await joined(2);
    const { body } = await visitor.graphql('mutation { webchatTyping(typing: true) }');
    expect(body.data.webchatTyping).toBe(true);
    await timeline.until((items) => items.some(({ type }) => type === 'typing'));
    expect(timeline.items.at(-1)?.object).toMatchObject({ typing: true, contact: thread.contact.id });
  });

  it('sends files within the limits of the channel', async () => {
    const visitor = await newVisitor();
    const file = new File(
      ['%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'],
      'plan.pdf',
      {
        type: 'application/pdf',
      },
    );
    const kept = await visitor.upload(file);
    expect(kept.status).toBe(201);
    const message = await visitor.send('', randomUUID(), kept.body.data.url);
    expect(message).toMatchObject({ text: null, media: { kind: 'document', filename: 'plan.pdf' } });
    const shown = (await api.get(`/messages/${message.id}`)).body.data;
    expect(shown).toMatchObject({
      type: 'media',
      media: { mime_type: 'application/pdf' },
      direction: 'inbound',
    });
    expect((await fetch(message.media!.url)).status).toBe(200);
    const script = await visitor.upload(new File(['<script>1</script>'], 'x.html', { type: 'text/html' }));
    expect(script).toMatchObject({ status: 422, body: { error: { param: 'file' } } });
    const small = await addWebchat(server(), company.id, { max_file_bytes: 10 }, 'Small files');
    const other = await newVisitor({}, small);
    expect((await other.upload(file)).status).toBe(413);
    const none = await addWebchat(server(), company.id, { files: false }, 'No files');
    expect((await (await newVisitor({}, none)).upload(file)).status).toBe(422);
    const foreign = await visitor
      .send('x', randomUUID(), 'https://elsewhere.example/media/abcdefghijklmnopqrstuv/x.png')
      .catch((error: Error) => error.message);
    expect(foreign).toContain('unknown_id');
  });

  it('who is blocked notices nothing and disturbs nobody', async () => {
    const visitor = await newVisitor();
    await visitor.send('to be blocked');
    const thread = await threadOf('to be blocked');
    await api.post(`/conversations/${thread.id}/read`);
    await api.patch(`/contacts/${thread.contact.id}`, { blocked: true });
    expect(await visitor.send('still there?')).toMatchObject({ status: 'received' });
    expect((await api.get(`/conversations/${thread.id}`)).body.data.unread_count).toBe(0);
  });
});
