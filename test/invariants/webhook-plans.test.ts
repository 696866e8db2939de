import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../server/platform/ids.ts';
import { placeStatement, readStatement } from '../../server/webhooks/dispatcher.ts';
import { dueStatement, endpointsStatement } from '../../server/webhooks/queue.ts';
import { planOf } from '../support/queries.ts';
import { type TestCompany, useServer } from '../support/server.ts';
import { createEndpoint } from '../support/webhooks.ts';

const server = useServer();
const events = 20_000;
let company: TestCompany;
let endpoint: string;

beforeAll(async () => {
  company = await server().company();
  const made = await createEndpoint(server(), company, {
    url: 'https://example.com/',
    events: ['order.paid'],
  });
  endpoint = made.id;
  const { pool } = server().app;
  const ids = JSON.stringify(Array.from({ length: events }, () => newId()));
  await pool.query(
    `INSERT INTO events (company_id, id, sequence, type, family, actor, payload, created_at)
     SELECT $1, id, event_sequence_base() - 4096 * n, 'contact.created', 'contact', '{}', '{}', now()
     FROM json_array_elements_text($2) WITH ORDINALITY AS given (id, n)`,
    [company.id, ids],
  );
  await pool.query(
    `INSERT INTO webhook_deliveries
       (company_id, id, endpoint_id, event_id, event_type, sequence, status, next_attempt_at, completed_at)
     SELECT company_id, id, $2, id, type, sequence,
       CASE WHEN sequence % 100 < 98 THEN 'succeeded' WHEN sequence % 100 = 98 THEN 'pending' ELSE 'retrying' END,
       CASE WHEN sequence % 100 >= 98 THEN now() + interval '1 day' END, now()
     FROM events WHERE company_id = $1`,
    [company.id, endpoint],
  );
});

/** With the tables as they grew, before and after PostgreSQL has looked at them. */
describe.each(['without statistics', 'with statistics'])('%s', (when) => {
  beforeAll(async () => {
    if (when === 'with statistics')
      await server().app.pool.query('ANALYZE events, webhook_deliveries, webhook_endpoints');
  });

  it.each([
    ['where the dispatcher stands', placeStatement, () => []],
    ['what it reads', readStatement, () => [0, 1, 500]],
    ['which endpoints have something due', endpointsStatement, () => [new Date()]],
    ['what one has due', dueStatement, () => [company.id, endpoint, -1, new Date(), 50, [], 2_000_000]],
  ])('%s is read by an index', async (_what, text, values) => {
    const plan = await planOf(server().app, { text, values: values() });
    const scanned = plan
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name']);
    // One row of the log for each of a page of deliveries.
    expect(scanned.filter((table) => table === 'events' || table === 'webhook_deliveries')).toEqual([]);
  });
});
