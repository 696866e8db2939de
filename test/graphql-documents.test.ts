import { beforeAll, describe, expect, it } from 'vitest';
import { inboxSubscription } from '../web-client/src/realtime/inbox-item.ts';
import { Client } from './support/client.ts';
import { ownerPage, Page } from './support/page.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { socketClient, Subscribed } from './support/subscribe.ts';

const server = useServer();
let company: TestCompany;
let owner: Page;

beforeAll(async () => {
  company = await server().company();
  owner = await ownerPage(server().url, company);
});

/** No event has it: a stream that starts there says so at once. */
const nowhere = '0'.repeat(26);
const own = '{ me { livemode } }';
const foreign = [own, '{ __schema { types { name } } }', '{ contcts { items { id } } }', '{{{'];

const codeOf = (body: { errors?: { extensions: { code: string } }[] }) => body.errors?.[0]?.extensions.code;

/** The first thing that comes over a socket of the page. */
async function overSocket(query: string, key: string | null = null): Promise<unknown> {
  const headers = { Cookie: owner.cookie, Origin: server().url };
  const { client } = socketClient(server().url, key, key === null ? headers : {});
  const answer = await client
    .iterate({ query, variables: { after: nowhere } })
    .next()
    .then(
      ({ value }) => value,
      (errors: unknown) => ({ errors }),
    );
  await client.dispose();
  return answer;
}

describe('a session runs the documents of the dashboard alone [G4]', () => {
  it('over HTTP', async () => {
    for (const query of foreign) {
      const { body, text } = await owner.send('POST', '/graphql', { query });
      expect([codeOf(body), body.data]).toEqual(['forbidden', undefined]);
      expect(text).not.toMatch(/__schema|Syntax|Did you mean|livemode/);
    }
    const shipped = await owner.send(
      'POST',
      '/graphql',
      { query: inboxSubscription, variables: { after: nowhere } },
      { Accept: 'application/json' },
    );
    // That it is a stream is said of one that may run.
    expect(codeOf(shipped.body)).toBe('not_acceptable');
  });

  it('over WebSocket', async () => {
    for (const query of foreign)
      expect(await overSocket(query)).toMatchObject({ errors: [{ extensions: { code: 'forbidden' } }] });
    expect(await overSocket(inboxSubscription)).toMatchObject({ data: { inbox: { resync: true } } });
  });

  it('and a changed document is another', async () => {
    expect(await overSocket(`${inboxSubscription} `)).toMatchObject({
      errors: [{ extensions: { code: 'forbidden' } }],
    });
  });
});

describe('arbitrary documents need a key [G4]', () => {
  it('an API key runs them over HTTP and WebSocket', async () => {
    const { key } = await company.key();
    expect((await new Client(server().url, key).graphql(own)).body.data).toEqual({ me: { livemode: true } });
    expect(await overSocket(own, key)).toEqual({ data: { me: { livemode: true } } });
  });

  it('and so does that of a session, which the explorer asks for', async () => {
    expect((await owner.graphql(own)).body.data).toEqual({ me: { livemode: true } });
    expect((await owner.graphql('{ __schema { queryType { name } } }')).body.errors).toBeUndefined();
    expect(await overSocket(own, await owner.graphqlKey())).toEqual({ data: { me: { livemode: true } } });
    // It acts as who is signed in.
    expect((await owner.graphql('{ auditLog(first: 1) { hasMore } }')).body.errors).toBeUndefined();
  });

  it('in the mode that it was asked for in', async () => {
    const page = await ownerPage(server().url, company);
    page.mode = 'test';
    const key = await page.graphqlKey();
    const ask = (given: string) => new Client(server().url, given).graphql(own);
    expect((await ask(key)).body.data).toEqual({ me: { livemode: false } });
    const [half, seal = ''] = key.split('|');
    for (const bad of [
      key.replace('ses_test', 'ses_live'),
      `${half}|${'0'.repeat(64)}`,
      `${half}|${seal.slice(1)}`,
      key.replace('ses', 'svc'),
      seal,
    ])
      expect((await ask(bad)).status).toBe(401);
  });

  it('it opens nothing else, and ends with the session', async () => {
    const page = await ownerPage(server().url, company);
    const key = await page.graphqlKey();
    const client = new Client(server().url, key);
    expect((await client.get('/contacts')).status).toBe(401);
    expect((await client.trpc('query', 'contacts.list', {})).status).toBe(401);
    const { client: socket } = socketClient(server().url, key);
    const live = new Subscribed(socket, 'personal', 'subscription { personal { type } }');
    await expect.poll(() => server().app.feed.size).toBeGreaterThan(0);
    await page.step('/sign-out');
    expect((await client.graphql(own)).status).toBe(401);
    await expect.poll(() => live.ended ?? live.errors).toBeDefined();
    await socket.dispose();
  });

  it('nobody else gets one', async () => {
    expect((await new Page(server().url).step('/graphql-key')).status).toBe(401);
    expect((await owner.step('/graphql-key', {}, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  });
});
