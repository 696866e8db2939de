import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeBackup } from '../server/backup/write.ts';
import { restoreBackup } from '../server/backup/restore.ts';
import { examine } from '../server/doctor/examine.ts';
import { runProgram } from '../server/cli/program.ts';
import { eraseDeleted } from '../server/privacy/work.ts';
import { keyed } from './support/client.ts';
import { connect } from './support/connect.ts';
import { uploadTo } from './support/media.ts';
import { ownerPage, type Page } from './support/page.ts';
import { createTestDatabase } from './support/postgres.ts';
import { testSecret, useServer } from './support/server.ts';
import { deliver, settled } from './support/simulator.ts';
import { type ThreadScene, threadScene } from './support/thread.ts';

const server = useServer();
let scene: ThreadScene;
let owner: Page;
/** Who is erased, and who stays. */
let gone: string;
let stays: string;

/** Each place of a person has a mark of its own. */
const mark = (place: string) => `qz${place}zq`;
const places =
  'name inbound outbound note draft booking attendee order street tag file ' +
  'extra template rating ops suggestion comment history attribute reference';
const phone = '+351912345678';
const stayingPhone = '+351912345000';

it('a person leaves a mark in every place', async () => {
  scene = await threadScene(server(), { from: phone, name: mark('name'), first: mark('inbound') });
  owner = await ownerPage(server().url, scene.company);
  const { api, id, path: thread } = scene;
  gone = (await api.get('/contacts')).body.data[0].id;
  stays = (await api.post('/contacts', { name: 'Stays', phone: stayingPhone })).body.data.id;
  await deliver(server().app, scene.company.id, scene.channel, { from: stayingPhone, text: 'I stay.' });
  await owner.mutate('webhooks.create', { url: 'https://127.0.0.1:8443/hook', events: ['*'] });
  await api.patch(`/contacts/${gone}`, { email: `${mark('mail')}@example.com`, country: 'PT' }, keyed());
  const file = await uploadTo(api, mark('file'), `${mark('file')}.txt`, 'text/plain');
  const sent = await api.post('/messages', { conversation: id, text: mark('outbound') }, keyed());
  expect(sent.status).toBe(201);
  expect((await api.post('/messages', { conversation: id, media_url: file.body.data.url })).status).toBe(201);
  await owner.mutate('conversations.addNote', { conversation: id, body: mark('note') });
  await owner.mutate('drafts.save', { conversation: id, mode: 'reply', text: mark('draft'), version: 0 });
  const product = (await api.post('/products', { name: 'Cup', price: 100, stock: 5, status: 'active' })).body
    .data.id;
  const order = await api.post('/orders', {
    contact: gone,
    items: [{ product, quantity: 1 }],
    notes: mark('order'),
  });
  expect(order.status).toBe(201);
  await settled(server().app, scene.company.id);
  expect((await api.get(`${thread}/timeline`)).status).toBe(200);
  // What only providers and engines write, straight into its rows.
  const { pool } = server().app;
  const write = (sql: string, ...values: unknown[]) => pool.query(sql, [scene.company.id, ...values]);
  const day = new Date().toISOString();
  await write(
    `UPDATE messages SET extra = $2, client_ref = $3 WHERE company_id = $1 AND conversation_id = $4 AND text = $5`,
    { subject: mark('extra') },
    mark('reference'),
    id,
    mark('inbound'),
  );
  await write(
    `UPDATE messages SET template = $2 WHERE company_id = $1 AND conversation_id = $3 AND direction = 'outbound'`,
    { variables: [mark('template')] },
    id,
  );
  await write(
    `UPDATE conversations SET rating = 5, rated_at = now(), rating_comment = $2 WHERE id = $3 AND company_id = $1`,
    mark('rating'),
    id,
  );
  await write(
    `UPDATE contacts SET attributes = $2 WHERE company_id = $1 AND id = $3`,
    { a: mark('attribute') },
    gone,
  );
  await write(
    `INSERT INTO ai_insights (company_id, conversation_id, ops) VALUES ($1, $2, $3)
     ON CONFLICT (company_id, conversation_id) DO UPDATE SET ops = excluded.ops`,
    id,
    JSON.stringify([{ text: mark('ops'), at: day }]),
  );
  await write(
    `INSERT INTO ai_suggestions (company_id, id, conversation_id, kind, text, status, status_at)
     VALUES ($1, '01M8H8W81T786Q5C19VR900MXA', $2, 'tip', $3, 'DISMISSED', now())`,
    id,
    mark('suggestion'),
  );
  await write(
    `INSERT INTO timeline_events (company_id, id, conversation_id, type, author_type, author_name, data, at)
     VALUES ($1, '01M8H8W81T786Q5C19VR900MXB', $2, 'conversation.rated', 'contact', $3, $4, now() - interval '1 day')`,
    id,
    mark('name'),
    { rating: 5, comment: mark('comment') },
  );
  await write(
    `UPDATE orders SET shipping_address = $2 WHERE company_id = $1 AND contact_id = $3`,
    { street: mark('street') },
    gone,
  );
  await write(`UPDATE order_status_changes SET note = $2 WHERE company_id = $1`, mark('history'));
  await write(
    `INSERT INTO bookings (company_id, id, title, starts_at, ends_at, timezone, agent_id, contact_id, attendee)
     VALUES ($1, '01M8H8W81T786Q5C19VR900MXC', $2, now() + interval '1 day', now() + interval '25 hours', 'UTC', $3, $4, $5)`,
    mark('booking'),
    scene.company.owner.id,
    gone,
    { name: mark('attendee') },
  );
  await write(
    `INSERT INTO contact_tag_changes (company_id, id, contact_id, tag_id, tag_name, action, at)
     VALUES ($1, '01M8H8W81T786Q5C19VR900MXD', $2, '01M8H8W81T786Q5C19VR900MXE', $3, 'add', now())`,
    gone,
    mark('tag'),
  );
}, 120_000);

/** Every row of every table of the database, the queue's too, with bytes as text. */
async function dump(databaseUrl: string): Promise<string> {
  const client = await connect(databaseUrl);
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace::regnamespace::text IN ('public', 'jobs')`,
  );
  await client.query(`SET bytea_output = 'escape'`);
  const all: string[] = [];
  for (const { name } of rows) {
    const { rows: lines } = await client.query<{ line: string }>(`SELECT t::text AS line FROM ${name} t`);
    all.push(...lines.map(({ line }) => `${name}: ${line}`));
  }
  await client.end();
  return all.join('\n');
}

async function files(folder: string): Promise<string> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const texts = found
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('cluster'))
    .map((entry) => readFile(path.join(entry.parentPath, entry.name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
}

const marks = [...places.split(' ').map(mark), mark('mail'), phone.slice(1)];
/** Which marks are there, and where. */
const hits = (text: string) =>
  marks.flatMap((one) =>
    text
      .split('\n')
      .filter((line) => line.includes(one))
      .map((line) => line.slice(0, 200)),
  );
const folder = () => server().app.config.dataDir;

describe('what is kept about a person', () => {
  it('is exported whole, and nothing of anybody else [D17]', async () => {
    const answer = await owner.query('privacy.export', { contact: gone });
    expect(answer.status).toBe(200);
    const text = JSON.stringify(answer.body.result.data.data);
    expect(marks.filter((one) => !text.includes(one))).toEqual([]);
    expect(text).not.toContain('I stay.');
    expect(text).not.toContain(stayingPhone);
    expect(text).not.toContain('storage_key');
  });

  it('is for admins in the dashboard alone', async () => {
    expect((await scene.api.trpc('query', 'privacy.export', { contact: gone })).status).toBe(403);
    const unknown = '01JQZ7K3M9V5T2XH8C4B6N0DFG';
    expect((await owner.query('privacy.export', { contact: unknown })).status).toBe(404);
    const stranger = await ownerPage(server().url, await server().company());
    expect((await stranger.query('privacy.export', { contact: gone })).status).toBe(404);
    expect((await stranger.mutate('privacy.erase', { contact: gone })).status).toBe(404);
  });
});

describe('a person who is erased', () => {
  it('is in no table, job or file any more, while others are; a restored backup lets them go again [D16]', async () => {
    const { app, databaseUrl } = server();
    expect(hits((await dump(databaseUrl)) + (await files(folder()))).length).toBeGreaterThan(marks.length);
    const saved = mkdtempSync(path.join(tmpdir(), 'parlour-erased-'));
    const file = path.join(saved, 'before.gz');
    const backup = { databaseUrl, storage: app.storage, secretMark: 'x', file, now: new Date() };
    await writeBackup(backup);

    expect((await owner.mutate('privacy.erase', { contact: gone })).body.result.data).toEqual({
      data: { id: gone, deleted: true },
    });
    const done = 'SELECT FROM contacts WHERE id = $1 AND anonymised_at IS NOT NULL';
    await expect.poll(async () => (await app.pool.query(done, [gone])).rowCount).toBe(1);
    await expect.poll(async () => hits(await files(path.join(folder(), 'media')))).toEqual([]);
    await expect.poll(async () => hits(await dump(databaseUrl))).toEqual([]);
    expect((await scene.api.get(`/contacts/${gone}`)).status).toBe(404);
    const { data } = (await scene.api.get(`/messages`, { limit: 100 })).body;
    const texts = data.map(({ text }: { text: string }) => text);
    expect(texts).toContain('I stay.');
    expect(texts).toContain('[Erased]');
    expect((await scene.api.get(`/contacts/${stays}`)).body.data.phone).toBe(stayingPhone);
    expect((await scene.api.get('/orders')).body.data).toMatchObject([
      { contact: { name: 'Deleted contact' } },
    ]);
    expect((await scene.api.get('/conversations')).status).toBe(200);
    expect((await scene.api.get(`${scene.path}/timeline`)).status).toBe(200);
    expect((await scene.api.get('/bookings')).status).toBe(200);
    expect((await scene.api.get('/events')).status).toBe(200);
    expect((await examine(databaseUrl)).filter(({ count }) => count > 0)).toEqual([]);
    expect((await owner.query('privacy.export', { contact: gone })).status).toBe(404);

    const other = await createTestDatabase({ migrated: false });
    await restoreBackup({ ...backup, databaseUrl: other.url, log: app.log });
    expect(hits(await dump(other.url))).toEqual([]);
    expect(hits(await files(path.join(folder(), 'media')))).toEqual([]);
    await other.drop();
    rmSync(saved, { recursive: true });
  }, 120_000);

  it('was deleted 30 days ago, unless somebody asked for it at once', async () => {
    const { app, clock } = server();
    const { id } = (await scene.api.post('/contacts', { name: 'Later' })).body.data;
    await scene.api.delete(`/contacts/${id}`);
    const name = async () =>
      (await app.pool.query<{ name: string }>('SELECT name FROM contacts WHERE id = $1', [id])).rows[0]?.name;
    clock.advance(29.9 * 86_400_000);
    await eraseDeleted(app);
    expect(await name()).toBe('Later');
    clock.advance(0.2 * 86_400_000);
    await eraseDeleted(app);
    expect(await name()).toBeNull();
  });
});

describe('the command line', () => {
  it('exports a contact as JSON and erases one', async () => {
    const { app, databaseUrl } = server();
    const { id } = (await scene.api.post('/contacts', { name: 'Commanded' })).body.data;
    const run = async (...args: string[]) => {
      const given = {
        DATABASE_URL: databaseUrl,
        DATA_DIR: folder(),
        SECRET: testSecret,
        LOG_LEVEL: 'silent',
      };
      const before = { ...process.env };
      Object.assign(process.env, given);
      let printed = '';
      try {
        const code = await runProgram(['--json', ...args], (text) => (printed += text));
        return { code, body: JSON.parse(printed) };
      } finally {
        for (const name of Object.keys(given)) delete process.env[name];
        Object.assign(process.env, before);
      }
    };
    const company = ['--company', scene.company.id];
    const exported = await run('export', 'contact', id, ...company);
    expect(exported).toMatchObject({ code: 0, body: { contact: [{ id, name: 'Commanded' }], messages: [] } });
    expect(await run('erase', 'contact', id, ...company)).toEqual({ code: 0, body: { id, deleted: true } });
    const done = 'SELECT FROM contacts WHERE id = $1 AND anonymised_at IS NOT NULL';
    await expect.poll(async () => (await app.pool.query(done, [id])).rowCount).toBe(1);
    expect((await run('erase', 'contact', id, ...company)).code).toBe(1);
  });
});
