import type pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { connect } from './support/connect.ts';
import { createTestDatabase } from './support/postgres.ts';
import { COMPANY, id } from './support/valid-rows.ts';

describe('event sequence', () => {
  let url: string;
  let drop: () => Promise<void>;
  const open: pg.Client[] = [];
  async function session(): Promise<pg.Client> {
    const client = await connect(url);
    open.push(client);
    return client;
  }
  const value = async (client: pg.Client, sql: string): Promise<bigint> =>
    BigInt((await client.query<{ value: string }>(`select (${sql})::text as value`)).rows[0]?.value ?? '-1');
  const EVENT = `insert into events (company_id, id, sequence, type, family, actor, payload, created_at)
     values ('${COMPANY}', $1, event_sequence(0), 'order.paid', 'order', '{}', '{}', now())`;

  beforeEach(async () => {
    const database = await createTestDatabase();
    url = database.url;
    drop = database.drop;
    return async () => {
      await Promise.all(open.splice(0).map((client) => client.end()));
      await drop();
    };
  });

  test('rises, has room for 4096 events, and stays exact in a JSON number', async () => {
    const client = await session();
    await client.query('begin');
    const first = await value(client, 'event_sequence(0)');
    expect(await value(client, 'event_sequence(4095)')).toBe(first + 4095n);
    await expect(client.query('select event_sequence(4096)')).rejects.toThrow(/4096/);
    await client.query('rollback');
    expect(await value(client, 'event_sequence(0)')).toBeGreaterThan(first + 4095n);
    expect(first).toBeLessThan(BigInt(Number.MAX_SAFE_INTEGER));
  });

  test('the horizon waits for the oldest writer, so a late commit is never skipped', async () => {
    const [early, late, reader] = [await session(), await session(), await session()];
    const read = async (): Promise<number | null> =>
      (await reader.query('select from events where sequence < event_horizon()')).rowCount;
    await early.query('begin');
    await early.query(EVENT, [id(1)]);
    await late.query(EVENT, [id(2)]);
    expect(await read()).toBe(0);
    await early.query('commit');
    // Writers of other databases of the cluster hold the horizon back as well.
    await expect.poll(read, { timeout: 10_000 }).toBe(2);
  });

  test('the horizon is of the snapshot of the query that asks: what it does not see lies above', async () => {
    const [reader, writer] = [await session(), await session()];
    await reader.query('begin');
    const asking = reader.query<{ horizon: string }>(
      'select (select count(*) from events) as seen, pg_sleep(0.5)::text, event_horizon()::text as horizon',
    );
    await new Promise((resolve) => setTimeout(resolve, 150));
    await writer.query(EVENT, [id(1)]);
    const { horizon = '0' } = (await asking).rows[0] ?? {};
    const sequence = await value(writer, 'select max(sequence) from events');
    expect(BigInt(horizon)).toBeLessThanOrEqual(sequence);
    await reader.query('rollback');
  });

  test('locking the record first puts its events in the order of its changes', async () => {
    const [holder, waiter, between] = [await session(), await session(), await session()];
    await holder.query("insert into companies (id, name) values ($1, 'Acme')", [COMPANY]);
    const LOCK = 'select from companies for no key update';
    await holder.query('begin');
    await holder.query(LOCK);
    await waiter.query('begin');
    const waiting = waiter.query(LOCK);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const passed = await value(between, 'event_sequence(0)');
    await holder.query('commit');
    await waiting;
    expect(await value(waiter, 'event_sequence(0)')).toBeGreaterThan(passed);
    await waiter.query('commit');
  });

  test('after a restore into a younger cluster the offset is raised, once', async () => {
    const client = await session();
    expect((await client.query('select repair_event_epoch() as done')).rows).toEqual([{ done: false }]);
    await client.query(EVENT, [id(1)]);
    expect((await client.query('select repair_event_epoch() as done')).rows).toEqual([{ done: false }]);
    // As if written by a cluster that had counted a million transactions further.
    await client.query('update events set sequence = sequence + (1000000::bigint << 12)');
    const restored = await value(client, 'select max(sequence) from events');
    expect(await value(client, 'event_sequence(0)')).toBeLessThan(restored);
    expect((await client.query('select repair_event_epoch() as done')).rows).toEqual([{ done: true }]);
    expect(await value(client, 'event_sequence(0)')).toBeGreaterThan(restored);
    expect(await value(client, 'event_horizon()')).toBeGreaterThan(restored);
    expect((await client.query('select repair_event_epoch() as done')).rows).toEqual([{ done: false }]);
  });
});
