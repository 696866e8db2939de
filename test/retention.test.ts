import { expect, it } from 'vitest';
import { examine } from '../server/doctor/examine.ts';
import { removeUnusedMedia } from '../server/media/cleanup.ts';
import { acrossTenants } from '../server/platform/tenancy.ts';
import { applyRetention } from '../server/privacy/retain.ts';
import { keyed } from './support/client.ts';
import { uploadTo } from './support/media.ts';
import { insertConversations, insertMessages } from './support/rows.ts';
import { useServer } from './support/server.ts';
import { addSimulator } from './support/simulator.ts';
import { dashboard } from './support/webhooks.ts';

const server = useServer();
const day = 24 * 60 * 60 * 1000;
const ago = (days: number) => new Date(Date.now() - days * day);

/** A company with a thread that has an old file, an old message, one that is held and a new one. */
async function scene() {
  const company = await server().company();
  const api = await company.client();
  await addSimulator(server().app, company.id);
  const { body } = await uploadTo(api, 'an old file', 'old.txt', 'text/plain');
  const [thread = ''] = await insertConversations(server().app, company.id, 1);
  await server().app.pool.query('DELETE FROM messages WHERE company_id = $1', [company.id]);
  const ids = await insertMessages(server().app, company.id, thread, [
    { text: null, media_id: body.data.id, at: ago(40) },
    { text: 'an old message', at: ago(31) },
    {
      text: 'held for long',
      at: ago(30.5),
      direction: 'outbound',
      status: 'held',
      held_origin: 'request',
      held_until: new Date(Date.now() + day),
    },
    { text: 'a new message', at: ago(29) },
  ]);
  await server().app.pool.query('UPDATE media SET expires_at = NULL WHERE id = $1', [body.data.id]);
  const old = ago(31);
  await server().app.pool.query(
    `INSERT INTO request_logs (company_id, id, created_at, method, path, status, duration_ms, livemode)
     SELECT $1, $2, $3, 'GET', '/old', 200, 1, true`,
    [company.id, ids[0], old],
  );
  await server().app.pool.query(
    'UPDATE events SET created_at = $2 WHERE company_id = $1 AND sequence < (SELECT max(sequence) FROM events)',
    [company.id, old],
  );
  return { company, api, thread, ids, file: body.data.url as string };
}

const textsOf = async (companyId: string) =>
  (
    await server().app.pool.query<{ text: string | null; media: string | null }>(
      'SELECT text, media_id AS media FROM messages WHERE company_id = $1 ORDER BY at, id',
      [companyId],
    )
  ).rows.map(({ text, media }) => media ?? text);

it('a company keeps everything unless it says otherwise, and only an admin says so', async () => {
  const { company, api } = await scene();
  const before = await textsOf(company.id);
  expect(await applyRetention(server().app)).toBe(0);
  expect(await textsOf(company.id)).toEqual(before);
  const admin = await dashboard(server(), company, 'admin');
  expect((await admin.company.show({})).data.retention_days).toBeNull();
  const agent = await dashboard(server(), company, 'agent');
  await expect(agent.company.update({ retention_days: 30 })).rejects.toThrow();
  for (const days of [0, 3651, 1.5])
    await expect(admin.company.update({ retention_days: days })).rejects.toThrow();
  expect((await admin.company.update({ retention_days: 30 })).data.retention_days).toBe(30);
  const { data } = await admin.audit.list({});
  expect(JSON.stringify(data)).toContain('retention_days');
  expect((await api.get('/contacts')).status).toBe(200);
});

it('after its days what was written, files, events and requests go; what is younger, held or counted stays', async () => {
  const { app } = server();
  const { company, api, thread, file } = await scene();
  const other = await scene();
  const otherTexts = await textsOf(other.company.id);
  const healthy = (await examine(server().databaseUrl)).filter(({ name }) => name.startsWith('conversation'));
  const admin = await dashboard(server(), company, 'admin');
  await admin.company.update({ retention_days: 30 });
  const created = await api.post('/contacts', { name: 'Stays' }, keyed());
  expect(created.status).toBe(201);
  expect(await applyRetention(app)).toBeGreaterThanOrEqual(2);
  expect(await textsOf(company.id)).toEqual(['[Erased]', '[Erased]', 'held for long', 'a new message']);
  expect(await textsOf(other.company.id)).toEqual(otherTexts);
  const count = async (table: string, id: string) =>
    Number(
      (
        await app.pool.query<{ n: string }>(
          `SELECT count(*) AS n FROM ${table} WHERE company_id = $1 AND created_at < $2`,
          [id, ago(30)],
        )
      ).rows[0]?.n,
    );
  for (const table of ['events', 'request_logs']) expect(await count(table, company.id)).toBe(0);
  expect(await count('request_logs', other.company.id)).toBe(1);
  expect((await fetch(file)).status).toBe(404);
  await acrossTenants(() => removeUnusedMedia(app));
  expect((await app.pool.query('SELECT FROM media WHERE company_id = $1', [company.id])).rows).toEqual([]);
  expect((await fetch(other.file)).status).toBe(200);
  const shown = await api.get(`/conversations/${thread}/timeline`);
  expect(shown.status).toBe(200);
  expect(JSON.stringify(shown.body)).not.toContain('an old message');
  expect(await applyRetention(app)).toBe(0);
  expect((await examine(server().databaseUrl)).filter(({ name }) => name.startsWith('conversation'))).toEqual(
    healthy,
  );
});
