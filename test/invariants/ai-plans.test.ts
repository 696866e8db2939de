import { beforeAll, expect, it } from 'vitest';
import { gatherThread } from '../../server/ai/gather.ts';
import { systemContext } from '../../server/platform/system-context.ts';
import { connect } from '../support/connect.ts';
import { planOf, recordQueries, type Statement } from '../support/queries.ts';
import { insertConversations, insertMessages } from '../support/rows.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
let statements: Statement[];

beforeAll(async () => {
  const { app } = server();
  const company = await server().company();
  const api = await company.client();
  await api.post('/quick-replies', { shortcut: 'care', text: 'Our plates go in the dishwasher.' });
  const tag = (await api.post('/tags', { name: 'Care' })).body.data.id;
  await insertConversations(app, company.id, 5_000, (n) => ({ tag_ids: n % 50 === 0 ? [tag] : [] }));
  const database = await connect(server().databaseUrl);
  for (let n = 1; n <= 12; n++) {
    await database.query(
      `INSERT INTO messages (company_id, id, conversation_id, contact_id, channel_id, direction, type, text, status,
         author_type, at)
       SELECT company_id, left(id, 19) || $2::text || lpad((row_number() OVER ())::text, 5, '0'), id, contact_id,
         channel_id, CASE WHEN $3 THEN 'inbound' ELSE 'outbound' END, 'text',
         'are the plates number ' || md5(id || $2) || ' safe for the dishwasher', CASE WHEN $3 THEN 'received' ELSE 'read' END,
         CASE WHEN $3 THEN 'contact' ELSE 'agent' END, last_message_at - (20 - $4::int) * interval '1 s'
       FROM conversations WHERE company_id = $1`,
      [company.id, String(n).padStart(2, '0'), n % 2 === 1, n],
    );
  }
  await database.query('VACUUM ANALYZE');
  await database.end();
  const [id] = await insertConversations(app, company.id, 1);
  await insertMessages(app, company.id, id!, [{ text: 'Can the plates go in the dishwasher?' }]);
  const ctx = await systemContext(app, company.id);
  statements = await recordQueries(app, async () => {
    const view = await gatherThread(ctx, id!);
    expect(view.earlierAnswers.length).toBeGreaterThan(0);
    expect(view.tags.length).toBe(1);
  });
}, 300_000);

it('a thread is gathered in two statements, none of which reads a whole table', async () => {
  expect(statements).toHaveLength(2);
  for (const statement of statements) {
    for (const node of await planOf(server().app, statement))
      expect(`${node['Node Type']} ${node['Relation Name'] ?? ''}`).not.toMatch(
        /^Seq Scan (messages|conversations|contacts)/,
      );
  }
});

it('similar questions are found by the index of words, also inside the function', async () => {
  const database = await connect(server().databaseUrl);
  await database.query('BEGIN');
  for (const { text, values } of statements) await database.query(text, values);
  const scans = async (relation: string) => {
    const sql = 'SELECT pg_stat_get_xact_numscans($1::regclass)::int AS n';
    return (await database.query<{ n: number }>(sql, [relation])).rows[0]?.n;
  };
  expect(await scans('messages')).toBe(0);
  expect(await scans('messages_words_idx')).toBeGreaterThan(0);
  await database.end();
});
