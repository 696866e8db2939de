import { beforeAll, expect, it } from 'vitest';
import type { WebhookCatcher } from '../schema/webhooks.ts';
import { type TestCompany, startServer, useServer } from './support/server.ts';
import { createEndpoint, dashboard, type Dashboard } from './support/webhooks.ts';

const server = useServer({ DEMO: '1', DEMO_TRAFFIC: '0' });
let company: TestCompany;
let owner: Dashboard;

beforeAll(async () => {
  company = await server().company();
  owner = await dashboard(server(), company, 'owner');
});

const catcher = async (): Promise<WebhookCatcher> => (await owner.webhooks.catcher({})).data;
const post = (url: string, body: string) => fetch(url, { method: 'POST', body });

it('catches what an endpoint at its address is sent, and checks the signature', async () => {
  const { url, caught } = await catcher();
  expect(caught).toEqual([]);
  const { id } = await createEndpoint(server(), company, { url: url! });
  await owner.webhooks.sendTest({ endpoint: id });
  await expect.poll(async () => (await catcher()).caught.length).toBe(1);
  const [one] = (await catcher()).caught;
  expect(one).toMatchObject({ verified: true, headers: { 'x-service-event': 'webhook.ping' } });
  expect(JSON.parse(one!.body)).toMatchObject({ type: 'webhook.ping' });
  expect((await post(url!, one!.body)).status).toBe(200);
  expect((await catcher()).caught[0]).toMatchObject({ verified: false, body: one!.body });
});

it('is at one address for each company, and opens nothing else of this machine', async () => {
  const other = await server().company();
  const theirs = (await (await dashboard(server(), other, 'owner')).webhooks.catcher({})).data;
  const { url } = await catcher();
  const wrong = url!.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  expect((await post(wrong, '{}')).status).toBe(404);
  expect(theirs.caught).toEqual([]);
  for (const refused of [theirs.url!, wrong, `${server().url}/api/v1/contacts`, `${url}?x=1`])
    await expect(owner.webhooks.create({ url: refused, events: ['*'] }), refused).rejects.toThrow();
});

it('is not there outside of the demo', async () => {
  const { url } = await catcher();
  const plain = await startServer();
  try {
    const mine = await plain.company();
    const { data } = await (await dashboard(plain, mine, 'owner')).webhooks.catcher({});
    expect(data).toEqual({ url: null, caught: [] });
    expect((await post(`${plain.url}${new URL(url!).pathname}`, '{}')).status).toBe(404);
  } finally {
    await plain.close();
  }
});
