import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Page } from '../support/page.ts';
import { useOwnServer } from '../support/own-server.ts';
import { reached } from '../support/reached.ts';
import { scaled } from '../support/scale.ts';
import { tally } from '../support/shop.ts';
import { percentile, timed } from '../support/timing.ts';

const attempts = scaled(200, 1_000);

const own = useOwnServer();

it(`${attempts} sign-ins at once are throttled, and others hardly notice [K11]`, async () => {
  const times = async (until: () => boolean) => {
    const found: number[] = [];
    do {
      found.push((await timed(() => own().api.get('/contacts', { limit: 5 }))).ms);
      await wait(5);
    } while (!until());
    return percentile(found, 0.95);
  };
  let calls = 0;
  await times(() => ++calls >= 50);
  calls = 0;
  const idle = await times(() => ++calls >= 200);
  let done = false;
  calls = 0;
  const busy = times(() => done && ++calls >= 20);
  const answers = await Promise.all(
    Array.from({ length: attempts }, (_, n) =>
      new Page(own().server.url).signIn(`nobody-${n}@example.com`, 'wrong'),
    ),
  );
  done = true;
  const loaded = await busy;
  const statuses = tally(answers.map(({ status }) => status));
  expect(Object.keys(statuses).filter((status) => Number(status) >= 500 || Number(status) < 400)).toEqual([]);
  expect(statuses['429']).toBeGreaterThan(0);
  // Until the last was answered and a little beyond.
  expect(loaded).toBeLessThan(Math.max(2 * idle, 50));
  reached(
    'K11',
    `${attempts} sign-ins: ${statuses['429']} throttled, others ${loaded.toFixed(1)} ms against ${idle.toFixed(1)} ms at the 95th percentile`,
  );
});
