import { expect, it } from 'vitest';
import type { StatusReport } from '../server/channels/adapter.ts';
import { applyStatus } from '../server/messages/status.ts';
import { inTenant } from '../server/platform/tenancy.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { inUnitOfWork } from '../server/platform/unit-of-work.ts';
import { insertConversations, insertMessages } from './support/rows.ts';
import { useServer } from './support/server.ts';

const server = useServer();
const states: StatusReport['status'][] = ['sent', 'delivered', 'read'];

function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first) =>
    ordersOf(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}

it('whatever the order in which a provider reports, a message ends as read, and never goes back [M5]', async () => {
  const company = await server().company();
  const api = await company.client();
  const ctx = await systemContext(server().app, company.id);
  const [conversation = ''] = await insertConversations(server().app, company.id, 1);
  const ends = new Set<string>();
  const all = ordersOf(states);
  expect(all).toHaveLength(6);
  for (const order of all) {
    const [id = ''] = await insertMessages(server().app, company.id, conversation, [
      { direction: 'outbound', text: order.join() },
    ]);
    const { rows } = await server().app.pool.query<{ channel_id: string }>(
      "UPDATE messages SET status = 'queued' WHERE id = $1 RETURNING channel_id",
      [id],
    );
    let highest = -1;
    for (const status of [...order, ...order]) {
      const report = { providerId: id, reference: id, status, at: new Date(), failure: null };
      await inTenant(company.id, () =>
        inUnitOfWork(ctx, (work) => applyStatus(work, { id: rows[0]!.channel_id }, report)),
      );
      const reached = states.indexOf((await api.get(`/messages/${id}`)).body.data.status);
      expect(reached, order.join()).toBeGreaterThanOrEqual(highest);
      highest = reached;
    }
    const { data } = (await api.get(`/messages/${id}`)).body;
    ends.add([data.status, ...Object.keys(data).filter((name) => name.endsWith('_at') && data[name])].join());
  }
  expect(ends.size).toBe(1);
  expect([...ends][0]).toMatch(/^read,/);
});
