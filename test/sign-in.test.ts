import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createAgent } from '../server/account/agents.ts';
import { Client } from './support/client.ts';
import { ownerPage, ownerPassword, Page } from './support/page.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer({ SIGN_IN_ATTEMPTS: '100000' });
let company: TestCompany;

beforeAll(async () => {
  company = await server().company();
});

const page = () => new Page(server().url);

describe('signing in', () => {
  it('gives a session that tRPC and GraphQL accept and REST does not', async () => {
    const own = page();
    const answer = await own.signIn(company.owner.email.toUpperCase());
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: { signed_in: true } });
    const profile = await own.query('account.profile');
    expect(profile.body.result.data.data).toMatchObject({
      email: company.owner.email,
      role: { key: 'owner' },
      company: { id: company.id },
      livemode: true,
      session: { idle_seconds: 12 * 3600 },
    });
    const graphql = await own.graphql('{ me { livemode } }');
    expect(graphql.body).toEqual({ data: { me: { livemode: true } } });
    expect((await own.send('GET', '/api/v1/contacts')).status).toBe(401);
  });

  it('keeps the token where no script reads it, and is new each time [K12]', async () => {
    const own = page();
    const first = await own.signIn(company.owner.email);
    const [cookie = ''] = first.headers.getSetCookie();
    expect(cookie).toMatch(
      /^parlour\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(first.text).not.toContain(decodeURIComponent(own.cookie.split('=')[1] ?? '').split('.')[0]);
    const before = own.cookie;
    await own.signIn(company.owner.email);
    expect(own.cookie).not.toBe(before);
  });

  it('does not adopt a token that somebody planted', async () => {
    const victim = page();
    victim.cookies.set('parlour.session_token', encodeURIComponent(`${'a'.repeat(32)}.c2lnbmF0dXJl`));
    expect((await victim.query('account.profile')).status).toBe(401);
    await victim.signIn(company.owner.email);
    expect(victim.cookie).not.toContain('a'.repeat(32));
  });

  it.each([
    ['an unknown e-mail', 'nobody@example.com', ownerPassword],
    ['a wrong password', null, 'wrong horse battery'],
    ['a short password', null, 'x'],
    ['no password', null, ''],
    ['no e-mail', '', ownerPassword],
    ['text that is none', 'a\u0000b@example.com', ownerPassword],
  ])('says the same for %s', async (_name, email, password) => {
    const answer = await page().signIn(email ?? company.owner.email, password);
    expect(answer.headers.getSetCookie()).toEqual([]);
    if (answer.status === 422) return;
    expect(answer.status).toBe(401);
    expect(answer.body.error).toMatchObject({
      code: 'unauthenticated',
      message: 'The e-mail or the password is wrong.',
    });
  });

  it('is over after signing out, also for who kept the cookie [K12]', async () => {
    const own = await ownerPage(server().url, company);
    const thief = page();
    for (const [name, value] of own.cookies) thief.cookies.set(name, value);
    expect((await thief.query('account.profile')).status).toBe(200);
    expect((await own.step('/sign-out')).status).toBe(200);
    expect(own.cookies.size).toBe(0);
    expect((await thief.query('account.profile')).status).toBe(401);
  });

  it('ends after 12 hours without use and after 30 days in all [K12]', async () => {
    const own = await ownerPage(server().url, company);
    const hour = 3_600_000;
    server().clock.advance(11 * hour);
    expect((await own.query('account.profile')).status).toBe(200);
    server().clock.advance(11 * hour);
    expect((await own.query('account.profile')).status).toBe(200);
    server().clock.advance(12 * hour);
    expect((await own.query('account.profile')).status).toBe(401);
    const busy = await ownerPage(server().url, company);
    await server().app.pool.query(`UPDATE sessions SET created_at = now() - interval '30 days'`);
    expect((await busy.query('account.profile')).status).toBe(401);
    server().clock.advance(-34 * hour);
  });

  it('offers none of the routes of the library', async () => {
    for (const path of ['/sign-up/email', '/sign-in/email', '/get-session', '/list-sessions', '/update-user'])
      expect((await page().step(path)).status, path).toBe(404);
    expect((await page().send('GET', '/auth/sign-in')).status).toBe(405);
  });
});

describe('another site [K13]', () => {
  const shapes: [string, Record<string, string>][] = [
    ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a page of a sibling', { 'Sec-Fetch-Site': 'same-site' }],
    ['a link typed or bookmarked', { 'Sec-Fetch-Site': 'none' }],
    ['a browser that names the origin alone', { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' }],
    ['an opaque origin', { 'Sec-Fetch-Site': '', Origin: 'null' }],
    ['a request that names neither', { 'Sec-Fetch-Site': '', Origin: '' }],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['plain text', { 'Content-Type': 'text/plain' }],
    ['a form with files', { 'Content-Type': 'multipart/form-data; boundary=x' }],
  ];

  it.each(shapes)('%s can write nothing with the cookie', async (_name, headers) => {
    const own = await ownerPage(server().url, company);
    const sent = async (path: string, body: unknown) => {
      const given: Record<string, string> = {
        'Sec-Fetch-Site': 'same-origin',
        Origin: server().url,
        'Content-Type': 'application/json',
        Cookie: own.cookie,
        ...headers,
      };
      const response = await fetch(`${server().url}${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')),
      });
      return response.status;
    };
    const count = async () => (await own.query('contacts.list')).body.result.data.data.length;
    const before = await count();
    expect([400, 403]).toContain(await sent('/trpc/contacts.create', { name: 'forged' }));
    expect([400, 403]).toContain(
      await sent('/graphql', { query: 'mutation { createContact(input: {name: "forged"}) { id } }' }),
    );
    expect([400, 403]).toContain(await sent('/auth/sign-out', {}));
    expect([400, 403]).toContain(
      await sent('/auth/sign-in', { email: company.owner.email, password: ownerPassword }),
    );
    expect(await count()).toBe(before);
  });

  it('reads nothing either, and writes nothing by GET', async () => {
    const own = await ownerPage(server().url, company);
    const foreign = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await own.query('contacts.list', {}, foreign)).status).toBe(403);
    expect((await own.query('contacts.create', { name: 'forged' })).status).toBe(405);
  });

  it('opens no WebSocket with the cookie', async () => {
    const own = await ownerPage(server().url, company);
    const url = `${server().url.replace('http', 'ws')}/graphql`;
    const outcome = (headers: Record<string, string>, payload: object = {}) =>
      new Promise<number | string>((resolve) => {
        const socket = new WebSocket(url, 'graphql-transport-ws', {
          headers: { Cookie: own.cookie, ...headers },
        });
        socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload })));
        socket.on('message', (data) => {
          resolve(String(data));
          socket.close();
        });
        socket.on('close', (code) => resolve(code));
      });
    expect(await outcome({ Origin: 'https://evil.example' })).toBe(4403);
    expect(await outcome({})).toBe(4401);
    expect(await outcome({ Origin: server().url })).toContain('connection_ack');
    expect(await outcome({ Origin: server().url }, { 'X-Service-Mode': 'test' })).toContain('connection_ack');
  });
});

describe('a file from a page', () => {
  const send = async (own: Page, headers: Record<string, string>) => {
    const form = new FormData();
    form.append('file', new File(['hello'], 'hello.txt', { type: 'text/plain' }));
    const response = await fetch(`${server().url}/uploads`, {
      method: 'POST',
      body: form,
      headers: { 'Sec-Fetch-Site': 'same-origin', Cookie: own.cookie, ...headers },
    });
    return { status: response.status, body: await response.json() };
  };

  it('is taken with the session, and only from a page of ours', async () => {
    const own = await ownerPage(server().url, company);
    const taken = await send(own, { 'X-Service-Mode': 'live' });
    expect(taken.status).toBe(201);
    expect(taken.body.data).toMatchObject({ kind: 'document', filename: 'hello.txt', size: 5 });
    expect((await send(own, {})).status).toBe(403);
    expect((await send(own, { 'X-Service-Mode': 'live', 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await send(page(), { 'X-Service-Mode': 'live' })).status).toBe(401);
    const rehearsed = await send(own, { 'X-Service-Mode': 'test' });
    expect(rehearsed.body.meta.test.events).toEqual([]);
    const { rows } = await server().app.pool.query(
      'SELECT count(*)::int AS n FROM media WHERE filename = $1',
      ['hello.txt'],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });
});

describe('the switch to test mode', () => {
  it('acts on the sandbox and keeps nothing, with the same code', async () => {
    const own = await ownerPage(server().url, company);
    own.mode = 'test';
    const profile = await own.query('account.profile');
    expect(profile.headers.get('x-service-mode')).toBe('test');
    expect(profile.body.result.data.data).toMatchObject({ livemode: false, company: { id: company.id } });
    const before = (await own.query('contacts.list')).body.result.data.data;
    expect(before).toHaveLength(7);
    const made = await own.mutate('contacts.create', { name: 'rehearsed' });
    expect(made.body.result.data.data.name).toBe('rehearsed');
    expect(made.body.result.data.meta.test.events).toHaveLength(1);
    expect((await own.query('contacts.list')).body.result.data.data).toEqual(before);
    own.mode = 'live';
    expect((await own.query('contacts.list')).body.result.data.data).toEqual([]);
  });
});

describe('who is gone', () => {
  it('has no session, socket or key from the moment of deactivation', async () => {
    const own = await company.client();
    const email = 'leaver@example.com';
    const { id } = await createAgent(server().app, {
      company: company.id,
      email,
      name: 'Leaver',
      password: ownerPassword,
    });
    const leaver = page();
    expect((await leaver.signIn(email)).status).toBe(200);
    const key = await company.client({ user: email, scopes: ['contacts.view'] });
    expect((await key.get('/contacts')).status).toBe(200);
    const url = `${server().url.replace('http', 'ws')}/graphql`;
    const socket = new WebSocket(url, 'graphql-transport-ws', {
      headers: { Cookie: leaver.cookie, Origin: server().url },
    });
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init' })));
    await new Promise((resolve) => socket.once('message', resolve));

    const owner = await ownerPage(server().url, company);
    expect((await owner.mutate('agents.deactivate', { agent: id })).status).toBe(200);
    expect((await leaver.query('account.profile')).status).toBe(401);
    expect((await leaver.signIn(email)).status).toBe(401);
    expect(await closed).toBe(4403);
    await expect.poll(async () => (await key.get('/contacts')).status, { timeout: 10_000 }).toBe(401);
    expect((await own.get('/contacts')).status).toBe(200);

    expect((await owner.mutate('agents.reactivate', { agent: id })).status).toBe(200);
    expect((await leaver.signIn(email)).status).toBe(200);
  });

  it('loses other sessions with the password, and all of them by signing out everywhere', async () => {
    const other = await server().company();
    const [first, second] = [await ownerPage(server().url, other), await ownerPage(server().url, other)];
    const changed = { current_password: ownerPassword, password: 'another horse battery' };
    const wrong = await first.step('/password', { ...changed, current_password: 'wrong horse battery' });
    expect(wrong.body.error).toMatchObject({ code: 'validation_failed', param: 'current_password' });
    const short = await first.step('/password', { ...changed, password: 'short' });
    expect(short.body.error).toMatchObject({ code: 'validation_failed', param: 'password' });
    expect((await first.step('/password', changed)).status).toBe(200);
    expect((await first.query('account.profile')).status).toBe(200);
    expect((await second.query('account.profile')).status).toBe(401);
    expect((await second.signIn(other.owner.email)).status).toBe(401);
    expect((await second.signIn(other.owner.email, changed.password)).status).toBe(200);
    const sessions = (await second.query('account.sessions')).body.result.data.data;
    expect(sessions.map(({ current }: { current: boolean }) => current).sort()).toEqual([false, true]);
    expect(JSON.stringify(sessions)).not.toContain(
      decodeURIComponent(second.cookie.split('=')[1] ?? '').split('.')[0],
    );
    const elsewhere = sessions.find(({ current }: { current: boolean }) => !current).id;
    expect((await second.mutate('account.endSession', { session: elsewhere })).status).toBe(200);
    expect((await first.query('account.profile')).status).toBe(401);
    expect((await second.mutate('account.endSessions')).body.result.data.data).toEqual({ ended: 1 });
    expect((await second.query('account.profile')).status).toBe(401);
  });

  it('can’t be ended by others', async () => {
    const [one, two] = [await server().company(), await server().company()];
    const [own, foreign] = [await ownerPage(server().url, one), await ownerPage(server().url, two)];
    const [{ id }] = (await own.query('account.sessions')).body.result.data.data;
    expect((await foreign.mutate('account.endSession', { session: id })).status).toBe(404);
    expect((await own.query('account.profile')).status).toBe(200);
  });
});

it('a key has neither sessions nor a profile', async () => {
  const client = await company.client();
  for (const name of ['account.profile', 'account.sessions', 'agents.list', 'roles.list'])
    expect((await client.trpc('query', name, {})).status, name).toBe(403);
  expect((await new Client(server().url, null).trpc('query', 'account.profile', {})).status).toBe(401);
});
