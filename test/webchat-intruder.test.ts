import { createHmac, randomUUID } from 'node:crypto';
import type { GraphQLObjectType } from 'graphql';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../server/graphql-schema.ts';
import { updateChannel } from '../server/channels/service.ts';
import type { Context } from '../server/platform/context.ts';
import { execute } from '../server/platform/operation.ts';
import { newId } from '../server/platform/ids.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { visitorSchema } from '../server/webchat/graphql-visitors.ts';
import { authenticateVisitor } from '../server/webchat/visitors.ts';
import { showSession } from '../server/webchat/session.ts';
import { showWebchatSettings } from '../server/webchat/service.ts';
import { Client } from './support/client.ts';
import { callRest, procedures, restProcedures } from './support/procedures.ts';
import { settled } from './support/settled.ts';
import { Subscribed } from './support/subscribe.ts';
import { startServer, type TestCompany, useServer } from './support/server.ts';
import { addWebchat, type Change, changeFields, page, Visitor } from './support/webchat.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let channel: string;
let visitor: Visitor;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  channel = await addWebchat(server(), company.id);
  visitor = await newVisitor();
  await visitor.send('I am nobody');
});

beforeEach(() => settled(server().app));

async function newVisitor(body: Record<string, unknown> = {}, on = channel): Promise<Visitor> {
  const made = new Visitor(server().url, on);
  expect((await made.start(body)).status).toBe(201);
  return made;
}

async function visitorContext(): Promise<Context> {
  const { app } = server();
  const principal = await authenticateVisitor(app, channel, [`Bearer ${visitor.token}`]);
  if (!principal) throw new Error('The visitor is not known.');
  return app.context(principal, newId());
}

const fieldsOf = (type: GraphQLObjectType | null | undefined) => Object.keys(type?.getFields() ?? {}).sort();

describe("a visitor's token", () => {
  it('opens no procedure over REST or tRPC', async () => {
    const intruder = new Client(server().url, visitor.token);
    for (const facts of restProcedures)
      expect((await callRest(intruder, facts)).status, `REST ${facts.name}`).toBe(401);
    for (const { name, operation } of procedures)
      expect((await intruder.trpc(operation.kind, name, {})).status, `tRPC ${name}`).toBe(401);
  });

  it("opens nothing of the company's GraphQL, over HTTP or WebSocket", async () => {
    const intruder = new Client(server().url, visitor.token);
    expect((await intruder.graphql('{ __typename }')).status).toBe(401);
    const socket = visitor.socket('/graphql');
    const query = 'subscription { events { type } }';
    const refused = new Subscribed(socket, 'events', query);
    await expect.poll(() => refused.ended).toMatchObject({ code: 4401 });
    await socket.dispose();
  });

  it('finds at its own door these fields and no other', async () => {
    expect(fieldsOf(visitorSchema.getQueryType())).toEqual(['webchatSession']);
    expect(fieldsOf(visitorSchema.getMutationType())).toEqual([
      'webchatDelivered',
      'webchatRead',
      'webchatSend',
      'webchatTyping',
    ]);
    expect(fieldsOf(visitorSchema.getSubscriptionType())).toEqual(['webchat']);
    const roots = [
      ['query', graphqlSchema.getQueryType()],
      ['mutation', graphqlSchema.getMutationType()],
      ['subscription', graphqlSchema.getSubscriptionType()],
    ] as const;
    const { prepare } = (await import('../server/http/graphql-engine.ts')).createEngine(visitorSchema);
    const ctx = await visitorContext();
    for (const [kind, type] of roots)
      for (const name of fieldsOf(type))
        expect(prepare(ctx, { query: `${kind} { ${name} }` }), name).toMatchObject([
          { extensions: { code: 'bad_request' } },
        ]);
    const answer = await visitor.graphql('{ contacts { items { id } } }');
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: 'bad_request' } }] },
    });
    expect(answer.body.data).toBeUndefined();
  });

  it('is refused by every operation, should it ever reach one; and nobody else acts as a visitor', async () => {
    const ctx = await visitorContext();
    for (const { name, operation } of procedures)
      await expect(execute(operation as never, ctx, {}), name).rejects.toMatchObject({ code: 'forbidden' });
    const system = await systemContext(server().app, company.id);
    await expect(execute(showSession, system, {})).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('joins no Pusher channel', async () => {
    const intruder = new Client(server().url, visitor.token);
    const answer = await intruder.post('/broadcasting/auth', {
      socket_id: '1.2',
      channel_name: `private-company.${company.id}`,
    });
    expect(answer.status).toBe(401);
  });

  it('is one only as it was signed, for its channel and its time', async () => {
    const own = { ...visitor };
    const ask = async (token: string, on = channel) => {
      const asking = new Visitor(server().url, on);
      asking.token = token;
      return (await asking.graphql('{ webchatSession { unread } }')).status;
    };
    expect(await ask(own.token)).toBe(200);
    const [head = '', mac = ''] = own.token.split('.');
    const claims = JSON.parse(Buffer.from(head.slice(5), 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, v: 'someone-else' })).toString('base64url');
    const company2 = await server().company();
    const foreign = await addWebchat(server(), company2.id);
    for (const token of [
      `wcv1_${forged}.${mac}`,
      `${head}.${mac.slice(0, -2)}AA`,
      head,
      '',
      'nonsense',
      `${own.token}x`,
      String(api.key),
    ])
      expect(await ask(token), token.slice(0, 12)).toBe(401);
    expect(await ask(own.token, foreign)).toBe(401);
    expect(await ask(own.token, newId())).toBe(404);
  });

  it("reaches nobody else's thread", async () => {
    const other = await newVisitor();
    const theirs = await other.send('a secret of mine');
    const thread = (await api.get('/conversations', { q: 'a secret of mine' })).body.data[0];
    const socket = visitor.socket();
    const query = `subscription { webchat { ${changeFields} } }`;
    const told = new Subscribed<Change>(socket, 'webchat', query);
    await expect.poll(() => server().app.feed.size).toBe(1);
    const reply = (await api.post('/messages', { conversation: thread.id, text: 'Noted.' })).body.data;
    await expect.poll(async () => (await other.session()).messages.length).toBe(2);
    for (const id of [theirs.id, reply.id, newId()])
      for (const field of ['webchatRead', 'webchatDelivered']) {
        const { body } = await visitor.graphql(`mutation { ${field}(message: "${id}") }`);
        expect(body.errors[0].extensions.code).toBe('not_found');
      }
    expect((await visitor.session(`(before: "${theirs.id}")`)).messages).toEqual([]);
    expect((await api.get(`/messages/${reply.id}`)).body.data.status).toBe('sent');
    await visitor.send('marker');
    await told.until((items) => items.some(({ message }) => message?.text === 'marker'));
    expect(told.items.every(({ message }) => message?.text === 'marker')).toBe(true);
    await socket.dispose();
  });

  it('shows nothing that has not left the house', async () => {
    const own = await newVisitor();
    await own.send('what do you hide?');
    const thread = (await api.get('/conversations', { q: 'what do you hide?' })).body.data[0];
    await api.post(`/conversations/${thread.id}/notes`, { body: 'a private note' });
    await api.post('/messages', { conversation: thread.id, text: 'held back', hold_seconds: 300 });
    expect((await own.session()).messages.map(({ text }) => text)).toEqual(['what do you hide?']);
    expect(JSON.stringify(await own.session())).not.toMatch(/private note|held back/);
  });
});

describe('who a visitor claims to be', () => {
  const claim = { name: 'Eva', email: 'eva@example.com' };
  const contactOf = async (text: string) => {
    const [thread] = (await api.get('/conversations', { q: text })).body.data;
    return (await api.get(`/contacts/${thread.contact.id}`)).body.data;
  };

  async function vouched(user: { id: string; email?: string; name?: string }) {
    const ctx = await systemContext(server().app, company.id);
    const { identity_secret: secret } = await execute(showWebchatSettings, ctx, { channel });
    const hash = createHmac('sha256', secret)
      .update(`${user.id}\n${user.email ?? ''}`)
      .digest('hex');
    return { user: { ...user, hash } };
  }

  it("opens nothing of whoever has the address: the page's server must vouch for it", async () => {
    const known = (await api.post('/contacts', claim)).body.data;
    const impostor = await newVisitor(claim);
    await impostor.send('let me in');
    expect(await contactOf('let me in')).toMatchObject({ name: 'Eva', email: null });
    const eva = await newVisitor(await vouched({ id: '42', ...claim }));
    await eva.send('it is really me');
    expect((await contactOf('it is really me')).id).toBe(known.id);
    const phone = await newVisitor(await vouched({ id: '42', ...claim }));
    expect((await phone.session()).messages.map(({ text }) => text)).toEqual(['it is really me']);
    const late = await newVisitor(claim);
    await late.send('me too');
    expect((await contactOf('me too')).id).not.toBe(known.id);
    expect((await late.session()).messages).toHaveLength(1);
  });

  it('gets nobody into a thread that a stranger has opened under the address before', async () => {
    const early = await newVisitor({ email: 'zoe@example.com' });
    await early.send('waiting for zoe');
    const zoe = await newVisitor(await vouched({ id: '77', email: 'zoe@example.com' }));
    await zoe.send('zoe herself');
    expect((await early.session()).messages.map(({ text }) => text)).toEqual(['waiting for zoe']);
    expect((await zoe.session()).messages.map(({ text }) => text)).toEqual(['zoe herself']);
  });

  it('is refused with a signature that is wrong, or of a secret that was replaced', async () => {
    const right = await vouched({ id: '1', email: 'a@example.com' });
    const tries = [
      { user: { ...right.user, id: '2' } },
      { user: { ...right.user, email: 'b@example.com' } },
      { user: { ...right.user, hash: '0'.repeat(64) } },
    ];
    for (const body of tries) expect((await new Visitor(server().url, channel).start(body)).status).toBe(403);
    const status = async () => (await new Visitor(server().url, channel).start(right)).status;
    expect(await status()).toBe(201);
    const ctx = await systemContext(server().app, company.id);
    const config = { allowed_origins: [page], identity_version: 2 };
    await execute(updateChannel, ctx, { channel, config });
    await expect.poll(status, { timeout: 15_000 }).toBe(403);
  });
});

it('sessions are counted by address', async () => {
  const small = await startServer({ RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '3', RATE_LIMIT_PER_MINUTE: '5' });
  try {
    const own = await small.company();
    const on = await addWebchat(small, own.id);
    const first = new Visitor(small.url, on);
    expect((await first.start()).status).toBe(201);
    for (let count = 0; count < 2; count++) await new Visitor(small.url, on).start();
    const refused = await new Visitor(small.url, on).start();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const sent = await Promise.all(
      Array.from({ length: 8 }, () =>
        first.send('x', randomUUID()).then(
          () => 'kept',
          () => 'refused',
        ),
      ),
    );
    expect(sent.filter((outcome) => outcome === 'kept')).toHaveLength(5);
  } finally {
    await small.close();
  }
});

it('a session ends when it is not renewed', async () => {
  server().clock.advance(31 * 86_400_000);
  expect((await visitor.graphql('{ webchatSession { unread } }')).status).toBe(401);
  const before = visitor.token;
  await visitor.start({ token: before });
  expect((await visitor.session()).messages).toEqual([]);
});
