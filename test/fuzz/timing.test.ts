import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../server/platform/ids.ts';
import { reached } from '../support/reached.ts';
import { Client } from '../support/client.ts';
import { type TestCompany, useServer } from '../support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

/** Milliseconds that each of two calls takes in the middle, measured in turn. */
async function medians(calls: number, ...rivals: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const taken: number[][] = rivals.map(() => []);
  for (let n = 0; n < calls; n++) {
    for (const [index, call] of rivals.entries()) {
      const began = performance.now();
      await call();
      taken[index]?.push(performance.now() - began);
    }
  }
  return taken.map((all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0);
}

/** How much the second differs from the first, as a share of it. */
function difference(id: string, what: string, [first = 0, second = 0]: number[]): number {
  const share = Math.abs(second - first) / first;
  const times = `${first.toFixed(3)} and ${second.toFixed(3)} ms in the middle`;
  reached(id, `${what}: ${times}, ${(share * 100).toFixed(1)} % apart`);
  process.stdout.write(
    `  ${what}: ${first.toFixed(3)} and ${second.toFixed(3)} ms, ${(share * 100).toFixed(1)} %\n`,
  );
  return share;
}

// Times are figures of a quiet machine: only `npm run fuzz` asks for them.
describe.runIf(process.env['FUZZ_CALLS'] !== undefined)('the time of an answer tells nothing', () => {
  it('of a foreign id beside an unknown one [T2]', async () => {
    const other = await (await server().company()).client();
    const foreign = (await other.post('/contacts', { name: 'foreign' })).body.data.id;
    const ask = (id: () => string) => async () =>
      expect((await api.get(`/contacts/${id()}`)).status).toBe(404);
    const measured = await medians(
      2_000,
      ask(() => foreign),
      ask(newId),
    );
    expect(difference('T2', 'foreign and unknown', measured)).toBeLessThan(0.1);
  });

  it('of an unknown key beside a wrong secret [K2]', async () => {
    const [id] = (await company.key()).key.split('|');
    const secret = 'a'.repeat(43);
    const ask = (key: () => string) => async () =>
      expect((await new Client(server().url, key()).get('/me')).status).toBe(401);
    const measured = await medians(
      10_000,
      ask(() => `svc_live_${newId()}|${secret}`),
      ask(() => `${id}|${secret}`),
    );
    expect(difference('K2', 'unknown and wrong', measured)).toBeLessThan(0.05);
  });
});
