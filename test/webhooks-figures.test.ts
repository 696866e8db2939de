import { beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { type TestCompany, useServer } from './support/server.ts';
import {
  createContacts,
  createEndpoint,
  type Dashboard,
  dashboard,
  loopbackAllowed,
  settled,
} from './support/webhooks.ts';

const server = useServer(loopbackAllowed);
const hour = 3_600_000;
let company: TestCompany;
let receiver: Receiver;
let owner: Dashboard;

beforeEach(async () => {
  company = await server().company();
  receiver = await startReceiver();
  owner = await dashboard(server(), company, 'owner');
  return () => receiver.close();
});

describe('deliveries', () => {
  it('are found by answer, id and part of a type', async () => {
    await createEndpoint(server(), company, { url: receiver.url });
    receiver.answer(500);
    await createContacts(company, 1);
    const [row] = await settled(server(), company);
    const found = async (input: object) => (await owner.deliveries.list(input)).data.map(({ id }) => id);
    const id = row!['id'];
    for (const input of [
      { result: '5xx' },
      { q: id },
      { q: row!['event_id'] },
      { q: 'contact.cre' },
      { from: '2020-01-01', to: '2090-01-01' },
    ])
      expect(await found(input), JSON.stringify(input)).toEqual([id]);
    for (const input of [{ result: '2xx' }, { result: 'none' }, { q: 'order' }, { to: '2020-01-01' }])
      expect(await found(input), JSON.stringify(input)).toEqual([]);
  });

  it('count for the figures of their endpoint', async () => {
    const { id } = await createEndpoint(server(), company, { url: receiver.url });
    const none = { endpoint: id, deliveries: 0, succeeded: 0, p95_ms: null, last_delivery_at: null };
    expect((await owner.webhooks.figures({})).data).toEqual([none]);
    await createContacts(company, 2);
    await settled(server(), company, { count: 2 });
    receiver.answer(500);
    await createContacts(company, 1);
    await settled(server(), company, { count: 3 });
    expect((await owner.webhooks.figures({})).data).toEqual([
      {
        endpoint: id,
        deliveries: 3,
        succeeded: 2,
        p95_ms: expect.any(Number),
        last_delivery_at: expect.any(String),
      },
    ]);
    server().clock.advance(25 * hour);
    expect((await owner.webhooks.figures({})).data).toMatchObject([{ deliveries: 0, p95_ms: null }]);
  });
});
