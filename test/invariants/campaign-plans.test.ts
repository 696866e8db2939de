import { beforeAll, describe, expect, it } from 'vitest';
import { dueCampaigns } from '../../server/campaigns/workers.ts';
import { newId } from '../../server/platform/ids.ts';
import type { Client } from '../support/client.ts';
import { connect } from '../support/connect.ts';
import { planOf, recordQueries } from '../support/queries.ts';
import { type TestCompany, useServer } from '../support/server.ts';
import { addSimulator } from '../support/simulator.ts';

const server = useServer();
const many = 30_000;
let company: TestCompany;
let api: Client;
let campaign: string;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  const { id: channel } = await addSimulator(server().app, company.id);
  campaign = newId();
  // Bulk takes longer than a request's query may.
  const client = await connect(server().databaseUrl);
  await client.query(
    `INSERT INTO contacts (company_id, id, name, phone, phone_key)
     SELECT $1, '01JQZ7K3M9V5TC' || lpad(n::text, 12, '0'), 'Person ' || n, '+3519' || 10000000 + n, '+3519' || 10000000 + n
     FROM generate_series(1, $2::int) n`,
    [company.id, many],
  );
  await client.query(
    `INSERT INTO campaigns (company_id, id, name, channel_id, status, total, pending, skipped, sent, created_at)
     SELECT $1, CASE WHEN n = 1 THEN $2 ELSE '01JQZ7K3M9V5TK' || lpad(n::text, 12, '0') END, 'Nr ' || n, $3,
       CASE WHEN n % 10 = 0 THEN 'cancelled' ELSE 'completed' END, 0, 0, 0, 0,
       timestamptz '2026-01-01' + n * interval '1 minute'
     FROM generate_series(1, $4::int) n`,
    [company.id, campaign, channel, many],
  );
  await client.query(
    `INSERT INTO campaign_recipients (company_id, campaign_id, contact_id, position, address, status, skip_reason)
     SELECT $1, $2, id, n, phone, CASE WHEN n % 100 = 0 THEN 'skipped' WHEN n % 50 = 0 THEN 'failed' ELSE 'read' END,
       CASE WHEN n % 1000 = 0 THEN 'duplicate' WHEN n % 100 = 0 THEN 'blocked' END
     FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM contacts WHERE company_id = $1) AS numbered`,
    [company.id, campaign],
  );
  await client.query('VACUUM ANALYZE contacts, campaigns, campaign_recipients');
  await client.end();
}, 300_000);

async function expectIndexed(ask: () => Promise<unknown>): Promise<void> {
  const statements = await recordQueries(server().app, ask);
  expect(statements.length).toBeGreaterThan(0);
  for (const statement of statements) {
    for (const node of await planOf(server().app, statement)) {
      const name = `${node['Node Type']} ${node['Relation Name'] ?? ''}`;
      expect(name).not.toMatch(/^Seq Scan (contacts|campaigns|campaign_recipients)/);
      // A page may be sorted, a table not. Incrementally it reads no further than the page: positions are unique.
      if (node['Node Type'] === 'Sort') expect(node['Plan Rows']).toBeLessThanOrEqual(101);
    }
  }
}

describe('campaigns are served by an index, without a scan or a sort of a large table', () => {
  it.each([{}, { status: 'completed' }, { status: 'cancelled' }, { status: 'sending' }] as Record<
    string,
    string
  >[])('the list, %j', (query) =>
    expectIndexed(async () => {
      const { body } = await api.get('/campaigns', query);
      const cursor: string | null = body.meta.next_cursor;
      if (cursor !== null) await api.get('/campaigns', { ...query, cursor });
    }),
  );

  it.each(['', ', status: read', ', status: failed', ', status: pending', ', skipReason: duplicate'])(
    'the recipients%s',
    (filter) =>
      expectIndexed(async () => {
        const page = async (after: string) =>
          (
            await api.graphql(
              `{ campaignRecipients(campaign: "${campaign}"${filter}${after}) { items { name } nextCursor } }`,
            )
          ).body.data.campaignRecipients;
        const { nextCursor } = await page('');
        if (nextCursor !== null) await page(`, after: "${nextCursor}"`);
      }),
  );

  it('what the workers look for ten times a second', () => expectIndexed(() => dueCampaigns(server().app)));
});
