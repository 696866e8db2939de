import { expect, it } from 'vitest';
import { examine } from '../server/doctor/examine.ts';
import type { Client } from './support/client.ts';
import { insertConversations } from './support/rows.ts';
import { useServer } from './support/server.ts';

const server = useServer();

const totalOf = async (api: Client) => (await api.get('/conversations?limit=1')).body.meta.total_unread;

async function unreadIn(companyId: string): Promise<number> {
  const { rows } = await server().app.pool.query<{ unread: number }>(
    'SELECT count(*)::int AS unread FROM conversations WHERE company_id = $1 AND unread_count > 0',
    [companyId],
  );
  return rows[0]!.unread;
}

it('is the number of unread conversations, whoever changes them at once', async () => {
  const company = await server().company();
  const api = await company.client();
  const ids = await insertConversations(server().app, company.id, 40, (i) => ({ unread_count: i % 2 }));
  expect(await totalOf(api)).toBe(20);
  const keys = await Promise.all(Array.from({ length: 8 }, () => company.client()));
  await Promise.all(
    keys.map(async (key, writer) => {
      for (let round = 0; round < 8; round++) {
        const conversation_ids = ids.filter((_id, i) => (i + writer + round) % 3 !== 0);
        const action = (writer + round) % 2 === 0 ? 'read' : 'unread';
        const answer = await key.post('/conversations/bulk', { conversation_ids, action });
        expect(answer.status).toBe(200);
      }
    }),
  );
  expect(await totalOf(api)).toBe(await unreadIn(company.id));
  await api.post('/conversations/bulk', { conversation_ids: ids, action: 'unread' });
  expect(await totalOf(api)).toBe(40);
  for (const id of ids.slice(0, 3)) await api.post(`/conversations/${id}/read`);
  expect(await totalOf(api)).toBe(37);
  expect((await examine(server().databaseUrl, () => {})).filter(({ count }) => count > 0)).toEqual([]);
});

it('is not changed by what is rolled back', async () => {
  const company = await server().company();
  const api = await company.client();
  await insertConversations(server().app, company.id, 5, () => ({ unread_count: 1 }));
  const connection = await server().app.pool.connect();
  try {
    await connection.query('BEGIN');
    await connection.query('UPDATE conversations SET unread_count = 0 WHERE company_id = $1', [company.id]);
    expect(await totalOf(api)).toBe(5);
    await connection.query('ROLLBACK');
  } finally {
    connection.release();
  }
  expect(await totalOf(api)).toBe(5);
});

it('stays the sum of few rows', async () => {
  const company = await server().company();
  await insertConversations(server().app, company.id, 100);
  for (let round = 0; round < 40; round++)
    await server().app.pool.query('UPDATE conversations SET unread_count = $2 WHERE company_id = $1', [
      company.id,
      round % 2,
    ]);
  const { rows } = await server().app.pool.query<{ changes: number; total: number }>(
    'SELECT count(*)::int AS changes, sum(delta)::int AS total FROM unread_changes WHERE company_id = $1',
    [company.id],
  );
  expect(rows[0]?.total).toBe(100);
  expect(rows[0]?.changes).toBe(1);
});

it('goes down with conversations that are deleted', async () => {
  const company = await server().company();
  await insertConversations(server().app, company.id, 3, () => ({ unread_count: 2 }));
  const { pool } = server().app;
  await pool.query('DELETE FROM conversations WHERE company_id = $1', [company.id]);
  const { rows } = await pool.query(
    'SELECT sum(delta)::int AS total FROM unread_changes WHERE company_id = $1',
    [company.id],
  );
  expect(rows).toEqual([{ total: 0 }]);
});
