import pg from 'pg';
import { expect, it } from 'vitest';
import { Announcer } from '../server/platform/announcer.ts';
import { eventsChannel } from '../server/platform/events.ts';
import { useServer } from './support/server.ts';

const server = useServer();

/** What every process hears. */
async function listen(...channels: string[]) {
  const client = new pg.Client({ connectionString: server().databaseUrl });
  const heard: string[] = [];
  client.on('notification', ({ payload = '' }) => void heard.push(payload));
  await client.connect();
  for (const channel of channels) await client.query(`LISTEN ${channel}`);
  return { heard, end: () => client.end() };
}

const notice = (text: string) => ({ channel: 'noticed', text });

it('tells in order and each once, and what is left when it stops', async () => {
  const announcer = new Announcer(server().databaseUrl, server().app.log);
  const { heard, end } = await listen('noticed');
  announcer.tell([notice('a'), notice('b')]);
  announcer.tell([notice('a'), notice('c')]);
  await announcer.stop();
  await expect.poll(() => heard).toEqual(['a', 'b', 'c']);
  await end();
});

it('tells what it could not tell when its connection was lost', async () => {
  const { pool, log } = server().app;
  const announcer = new Announcer(server().databaseUrl, log);
  const { heard, end } = await listen('noticed');
  for (let round = 0; round < 5; round++) {
    await pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parlour-announce'",
    );
    announcer.tell([notice(`${round}`)]);
    await expect.poll(() => heard.at(-1)).toBe(`${round}`);
  }
  expect(heard).toEqual(['0', '1', '2', '3', '4']);
  await announcer.stop();
  await end();
});

it('tells of what is committed, and of nothing that is not', async () => {
  const company = await server().company();
  const live = await company.client();
  const test = await company.client({ mode: 'test' });
  const { heard, end } = await listen(eventsChannel);
  expect((await test.post('/contacts', { name: 'Nobody' })).status).toBe(201);
  expect((await live.post('/contacts', { name: 'Nobody', phone: 'none' })).status).toBe(422);
  expect((await live.post('/contacts', { name: 'Somebody', phone: '+351912345678' })).status).toBe(201);
  await expect.poll(() => heard).toContain(company.id);
  expect(heard).toEqual([company.id]);
  await end();
});
