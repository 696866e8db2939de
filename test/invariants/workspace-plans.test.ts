import { beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../support/connect.ts';
import { ownerPage, type Page } from '../support/page.ts';
import { planOf, recordQueries } from '../support/queries.ts';
import { insertConversations } from '../support/rows.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
let page: Page;

/** Two years of a company: 20,000 conversations, each with a question, an answer and a closing. */
beforeAll(async () => {
  const company = await server().company();
  page = await ownerPage(server().url, company);
  const start = Date.UTC(2025, 0, 1);
  for (let batch = 0; batch < 4; batch++) {
    await insertConversations(server().app, company.id, 5_000, (n) => {
      const at = new Date(start + (batch * 5_000 + n) * 3_000_000);
      return {
        last_message_at: at,
        last_inbound_at: at,
        status: n % 3 === 0 ? 'open' : 'closed',
        assignee_id: n % 4 === 0 ? company.owner.id : null,
        archived: n % 50 === 0,
        muted: n % 100 === 0,
        rating: n % 40 === 0 ? 5 : null,
      };
    });
  }
  const database = await connect(server().databaseUrl);
  const run = (text: string) => database.query(text, [company.id]);
  await run(`UPDATE conversations SET first_response_at = created_at + interval '5 min',
    rated_at = CASE WHEN rating IS NOT NULL THEN created_at END WHERE company_id = $1`);
  for (const [digit, direction, author, after] of [
    ['1', 'inbound', 'contact', '0 s'],
    ['2', 'outbound', 'agent', '5 min'],
  ]) {
    await run(`INSERT INTO messages (company_id, id, conversation_id, contact_id, channel_id, direction, type, text,
        status, author_type, author_email, at)
      SELECT company_id, '${digit}' || right(id, 25), id, contact_id, channel_id, '${direction}', 'text', 'x',
        '${direction === 'inbound' ? 'received' : 'read'}', '${author}', '${company.owner.email}',
        created_at + interval '${after}'
      FROM conversations WHERE company_id = $1`);
  }
  await run(`INSERT INTO timeline_events (company_id, id, conversation_id, type, author_type, author_email, at)
    SELECT company_id, id, id, 'conversation.closed', 'agent', '${company.owner.email}', created_at + interval '1 h'
    FROM conversations WHERE company_id = $1 AND status = 'closed'`);
  await run(`INSERT INTO conversation_followers (company_id, conversation_id, user_id, created_at)
    SELECT company_id, id, '${company.owner.id}', now() FROM conversations WHERE company_id = $1 AND muted`);
  await run(`INSERT INTO notifications (company_id, id, user_id, kind, conversation_id, created_at, read_at)
    SELECT company_id, id, '${company.owner.id}', 'reply', id, created_at,
      CASE WHEN muted THEN NULL ELSE now() END FROM conversations WHERE company_id = $1`);
  await database.query(
    `INSERT INTO audit_logs (company_id, id, sequence, actor_type, action, target_type, target_id, at)
     SELECT company_id, id, row_number() OVER (), 'agent', 'conversations.close', 'conversation', id, created_at
     FROM conversations WHERE company_id = $1`,
    [company.id],
  );
  await run(`INSERT INTO campaigns (company_id, id, name, channel_id, created_at, updated_at)
    SELECT company_id, id, 'Spring', id, now(), now() FROM channels WHERE company_id = $1 LIMIT 1`);
  await run(`INSERT INTO orders (company_id, id, number, contact_id, campaign_id, currency, subtotal, total, placed_at,
      created_at)
    SELECT company_id, id, row_number() OVER (ORDER BY id), contact_id,
      CASE WHEN archived THEN (SELECT id FROM campaigns WHERE company_id = $1) END, 'EUR', 100, 100, created_at,
      created_at
    FROM conversations WHERE company_id = $1`);
  await database.query('VACUUM ANALYZE');
  await database.end();
}, 300_000);

const large = /^Seq Scan on (conversations|messages|timeline_events|notifications|orders|audit_logs)/;

async function expectIndexed(name: string, input: object, statements?: number): Promise<void> {
  const recorded = await recordQueries(server().app, async () => {
    expect((await page.query(name, input)).status).toBe(200);
  });
  const own = recorded.filter(({ text }) => !/FROM "?sessions|api_keys/.test(text));
  if (statements !== undefined) expect(own.map(({ text }) => text)).toHaveLength(statements);
  for (const statement of own) {
    for (const node of await planOf(server().app, statement))
      expect(`${node['Node Type']} on ${node['Relation Name'] ?? ''}`).not.toMatch(large);
  }
}

const week = { from: '2025-06-02', to: '2025-06-08' };

describe('an index serves', () => {
  it('the counts of all views, in one statement', () => expectIndexed('views.counts', {}, 1));

  it.each(['mine', 'unassigned', 'open', 'mentions', 'followed', 'muted', 'archived', 'closed'])(
    'the view %s',
    (view) => expectIndexed('views.conversations', { view }),
  );

  it.each([{}, { unread: true }])('notifications %j', (input) => expectIndexed('notifications.list', input));

  it.each(['volume', 'firstResponse', 'resolution', 'csat', 'byAgent', 'byTag', 'campaignRevenue'])(
    'the report %s of a week',
    (name) => expectIndexed(`reports.${name}`, week),
  );

  it.each(['opened', 'sent', 'closed', 'first_response', 'resolution', 'rating'])(
    'the conversations behind %s',
    (metric) => expectIndexed('reports.conversations', { metric, ...week }),
  );

  it('drafts', () => expectIndexed('drafts.list', {}));
});
