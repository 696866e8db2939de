import { afterAll, beforeAll, expect, it } from 'vitest';
import { reached } from '../support/reached.ts';
import { Graphql } from './graphql.ts';
import { hunt } from './hunt.ts';
import { type OpenApi, Rest } from './rest.ts';
import { settingsOf, summary } from './settings.ts';
import { Trpc } from './trpc.ts';
import { World } from './world.ts';

const settings = settingsOf(process.env);
let world: World;

beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

it(
  'whatever is sent, the answer is the documented one [F1, T8, K8]',
  async () => {
    const document = (await (await fetch(`${world.url}/api/v1/openapi.json`)).json()) as OpenApi;
    const surfaces = [new Rest(world, document), new Graphql(world), new Trpc(world)];
    const report = await hunt(world, surfaces, settings);
    process.stdout.write(summary(settings, report));
    expect(report.faults).toEqual([]);
  },
  settings.timeout,
);

it('and what was asked stands in no log and no metric, nor a secret in any table [K4, D18, I12, W17]', async () => {
  expect(world.log.length).toBeGreaterThan(settings.calls);
  expect(world.log.filter((line) => world.tells(line).length > 0)).toEqual([]);
  expect(world.tells(await (await fetch(`${world.url}/metrics`)).text())).toEqual([]);
  expect(await world.stored()).toEqual([]);
  reached('K4', `${settings.calls} calls, ${world.log.length} lines of log, metrics and all tables: 0 hits`);
});
