import { expect, it } from 'vitest';
import { freeHour } from './support/bookings.ts';
import { scaled } from './support/scale.ts';
import { useServer } from './support/server.ts';
import { tally } from './support/shop.ts';

const server = useServer();

it('of 200 bookings of one agent at once, round after round, one is made and the others are 409 [O1]', async () => {
  const api = await (await server().company()).client();
  for (let round = 0; round < scaled(2, 50); round++) {
    const times = freeHour();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        // Each overlaps with each, and no two are the same.
        api.post('/bookings', {
          title: `race ${n}`,
          status: n % 2 === 0 ? 'pending' : 'confirmed',
          starts_at: times.starts_at,
          ends_at: new Date(Date.parse(times.ends_at) - n * 1_000).toISOString(),
        }),
      ),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 1, 409: 199 });
  }
});
