import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { revokeApiKey } from '../server/keys/service.ts';
import { execute } from '../server/platform/operation.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { type TestCompany, startServer, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let key: string;
const open = new Set<WebSocket>();

beforeAll(async () => {
  company = await server().company();
  ({ key } = await company.key());
});

afterEach(() => {
  for (const socket of open) socket.terminate();
  open.clear();
});

interface Message {
  type: string;
  id?: string;
  payload?: unknown;
}

/** A client that speaks the protocol by hand. */
class Socket {
  readonly socket: WebSocket;
  readonly messages: Message[] = [];
  readonly closed: Promise<number>;

  constructor(options: ClientOptions & { path?: string } = {}, url = server().url) {
    this.socket = new WebSocket(
      `${url.replace('http', 'ws')}${options.path ?? '/graphql'}`,
      'graphql-transport-ws',
      options,
    );
    open.add(this.socket);
    this.socket.on('message', (data: Buffer) => this.messages.push(JSON.parse(data.toString())));
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.on('error', () => {});
  }

  async send(message: Message): Promise<void> {
    if (this.socket.readyState === WebSocket.CONNECTING) await once(this.socket, 'open');
    this.socket.send(JSON.stringify(message));
  }

  async until(matches: (message: Message) => boolean): Promise<Message> {
    for (let waited = 0; waited < 5_000; waited += 10) {
      const found = this.messages.find(matches);
      if (found) return found;
      await wait(10);
    }
    throw new Error(`Only these came: ${JSON.stringify(this.messages)}`);
  }

  async init(payload: unknown = { Authorization: `Bearer ${key}` }): Promise<this> {
    await this.send({ type: 'connection_init', payload });
    await this.until(({ type }) => type === 'connection_ack');
    return this;
  }

  async ask(id: string, query: string, variables: Record<string, unknown> = {}) {
    await this.send({ type: 'subscribe', id, payload: { query, variables } });
    const answer = await this.until((message) => message.id === id && message.type !== 'complete');
    return answer as { type: string; payload: never };
  }
}

test('queries and mutations run as over HTTP, through the usual client', async () => {
  const client = createClient({
    url: `${server().url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: `Bearer ${key}` },
  });
  const results: unknown[] = [];
  const mutation = 'mutation { createContact(input: {name: "over a socket"}) { id name } }';
  for await (const result of client.iterate({ query: mutation })) results.push(result);
  expect(results).toEqual([{ data: { createContact: { id: expect.any(String), name: 'over a socket' } } }]);
  const { data } = results[0] as { data: { createContact: { id: string } } };
  const rest = await (await company.client()).get(`/contacts/${data.createContact.id}`);
  expect(rest.body.data.name).toBe('over a socket');
  await client.dispose();
});

describe('who may connect [R1]', () => {
  test('the key comes in any letter case, or with the handshake', async () => {
    await new Socket().init({ authorization: `bearer ${key}` });
    await new Socket().init({ AUTHORIZATION: `Bearer  ${key}` });
    await new Socket({ headers: { Authorization: `Bearer ${key}` } }).init(undefined);
    await new Socket({ origin: 'https://elsewhere.example' }).init();
  });

  test('no key, a wrong one or two of them close with 4401', async () => {
    for (const payload of [
      undefined,
      {},
      { Authorization: 'Bearer svc_live_x|y' },
      { Authorization: 5 },
      { Authorization: `Bearer ${key}`, authorization: `Bearer ${key}` },
    ]) {
      const socket = new Socket();
      await socket.send({ type: 'connection_init', payload });
      expect(await socket.closed).toBe(4401);
    }
  });

  test('an operation before the key closes with 4401, silence with 4408 after 3 seconds', async () => {
    const eager = new Socket();
    await eager.send({ type: 'subscribe', id: '1', payload: { query: '{ me { livemode } }' } });
    expect(await eager.closed).toBe(4401);
    const began = performance.now();
    const silent = new Socket();
    expect(await silent.closed).toBe(4408);
    expect(performance.now() - began).toBeGreaterThan(2_900);
  });

  test("a foreign page can't use what the browser adds: 4403", async () => {
    const headers = { Authorization: `Bearer ${key}` };
    const foreign = new Socket({ headers, origin: 'https://elsewhere.example' });
    await foreign.send({ type: 'connection_init' });
    expect(await foreign.closed).toBe(4403);
    await new Socket({ headers, origin: server().url }).init(undefined);
  });

  test('a key has at most 20 sockets: 4429', async () => {
    const { key: own } = await company.key();
    const authorization = { Authorization: `Bearer ${own}` };
    const sockets = await Promise.all(Array.from({ length: 20 }, () => new Socket().init(authorization)));
    const another = new Socket();
    await another.send({ type: 'connection_init', payload: authorization });
    expect(await another.closed).toBe(4429);
    sockets[0]!.socket.close();
    await sockets[0]!.closed;
    await new Socket().init(authorization);
  });

  test('other paths are 404', async () => {
    const socket = new WebSocket(`${server().url.replace('http', 'ws')}/elsewhere`);
    const [error] = await once(socket, 'error');
    expect(String(error)).toContain('404');
  });
});

describe('losing access [R2, T10]', () => {
  test('revoking the key closes its sockets with 4403 and nothing arrives after', async () => {
    const { id, key: own } = await company.key();
    const socket = await new Socket().init({ Authorization: `Bearer ${own}` });
    const other = await new Socket().init();
    await execute(revokeApiKey, await systemContext(server().app, company.id), { key: id });
    const began = performance.now();
    expect(await socket.closed).toBe(4403);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(other.socket.readyState).toBe(WebSocket.OPEN);
  });

  test('an expired key loses its socket within 5 seconds', async () => {
    const { clock } = server();
    const expires = new Date(clock.now().getTime() + 60_000).toISOString();
    const { key: own } = await company.key({ expires_at: expires });
    const socket = await new Socket().init({ Authorization: `Bearer ${own}` });
    clock.advance(61_000);
    const began = performance.now();
    expect(await socket.closed).toBe(4403);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe('limits', () => {
  test('a message over 64 kB closes with 1009, one that is no message with 4400 [R1]', async () => {
    const large = await new Socket().init();
    await large.send({ type: 'subscribe', id: '1', payload: { query: 'x'.repeat(65_536) } });
    expect(await large.closed).toBe(1009);
    const odd = await new Socket().init();
    odd.socket.send('{"type":"nothing"}');
    expect(await odd.closed).toBe(4400);
  });

  test('documents are refused as over HTTP, and errors look the same', async () => {
    const socket = await new Socket().init();
    const deep = await socket.ask('1', `{ ${'me { '.repeat(9)} livemode ${'}'.repeat(9)} }`);
    expect(deep).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'bad_request' } }] });
    const unknown = await socket.ask('2', '{ contact(contact: "x") { id } }');
    expect(unknown).toMatchObject({
      type: 'next',
      payload: {
        data: { contact: null },
        errors: [{ extensions: { code: 'not_found', request_id: expect.any(String) } }],
      },
    });
    const typed = await socket.ask('3', 'query($id: ID!) { contact(contact: $id) { id } }', { id: {} });
    expect(typed).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'validation_failed', param: 'id' } }],
    });
  });

  test('at most 50 operations at once [R1]', async () => {
    const socket = await new Socket().init();
    const ids = Array.from({ length: 60 }, (_, index) => String(index));
    for (const id of ids)
      await socket.send({ type: 'subscribe', id, payload: { query: '{ contacts { items { id } } }' } });
    await socket.until(({ type }) => type === 'error');
    for (const id of ids) await socket.until((message) => message.id === id && message.type !== 'complete');
    const refused = socket.messages.filter(({ type }) => type === 'error');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThanOrEqual(10);
    expect(refused[0]).toMatchObject({ payload: [{ extensions: { code: 'rate_limited' } }] });
    expect(await socket.ask('again', '{ me { livemode } }')).toMatchObject({ type: 'next' });
  });

  test('a test key rehearses and is told its events', async () => {
    const { key: own } = await company.key({ mode: 'test' });
    const socket = await new Socket().init({ Authorization: `Bearer ${own}` });
    const answer = await socket.ask('1', 'mutation { createContact(input: {name: "not kept"}) { name } }');
    expect(answer).toMatchObject({
      payload: { extensions: { test: { events: [{ type: 'contact.created' }] } } },
    });
    expect(JSON.stringify(await socket.ask('2', '{ contacts { items { name } } }'))).not.toContain(
      'not kept',
    );
  });

  test('a reader that stops reading is let go, others go on [R4]', async () => {
    const http = await company.client();
    for (let count = 0; count < 100; count++) await http.post('/contacts', { name: '🦜'.repeat(191) });
    const slow = await new Socket().init();
    const other = await new Socket().init();
    slow.socket.pause();
    const query = '{ contacts(first: 100) { items { name a: name b: name c: name d: name e: name } } }';
    for (let id = 0; id < 50; id++)
      await slow.send({ type: 'subscribe', id: String(id), payload: { query } });
    expect(await other.ask('1', '{ me { livemode } }')).toMatchObject({ type: 'next' });
    await wait(3_000);
    slow.socket.resume();
    // What was on its way may arrive before the goodbye, or the connection is cut.
    expect([1013, 1006]).toContain(await slow.closed);
    expect(slow.messages.filter(({ type }) => type === 'next').length).toBeLessThan(50);
  });
});

describe('budgets', () => {
  test('each root field counts, over HTTP and sockets alike, and 429 says when to come back', async () => {
    const small = await startServer({ RATE_LIMIT_PER_MINUTE: '12' });
    try {
      const own = await small.company();
      const client = await own.client();
      const five =
        '{ a: me { livemode } b: me { livemode } ...more } fragment more on Query { c: me { livemode } d: me { livemode } e: me { livemode } }';
      expect((await client.graphql(five)).headers.get('x-ratelimit-remaining')).toBe('7');
      const socket = await new Socket({}, small.url).init({ Authorization: `Bearer ${client.key}` });
      expect(await socket.ask('1', five)).toMatchObject({ type: 'next' });
      expect(await socket.ask('2', five)).toMatchObject({
        type: 'error',
        payload: [{ extensions: { code: 'rate_limited', retry_after: expect.any(Number) } }],
      });
      const refused = await client.graphql('{ me { livemode } }');
      expect([refused.status, refused.body.errors[0].extensions.code]).toEqual([429, 'rate_limited']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await small.close();
    }
  });

  test('closing the server says 1001', async () => {
    const small = await startServer();
    const own = await small.company();
    const socket = await new Socket({}, small.url).init({ Authorization: `Bearer ${(await own.key()).key}` });
    const began = performance.now();
    await small.close();
    expect(await socket.closed).toBe(1001);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
