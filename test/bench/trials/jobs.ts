import { inHouse } from '../house.ts';
import type { Trial } from '../trial.ts';

/** Jobs that do nothing: what the queue itself can do. */
export const jobs: Trial = {
  name: 'jobs',
  async run(place) {
    const count = place.small ? 100 : 20_000;
    const batch = 1_000;
    return inHouse({ databaseUrl: place.url, dataDir: place.folder }, async (app) => {
      const data = Array.from({ length: Math.min(batch, count) }, () => ({ companyId: place.company }));
      for (let made = 0; made < count; made += data.length)
        await app.jobs.enqueueAll('automation.assign', data);
      const all = Promise.withResolvers<void>();
      let done = 0;
      const started = performance.now();
      const work = async () => {
        if (++done === count) all.resolve();
      };
      await app.jobs.work('automation.assign', work, { concurrency: 20 });
      await all.promise;
      const seconds = (performance.now() - started) / 1_000;
      return [{ name: 'jobs that do nothing', value: count / seconds, unit: '/s' }];
    });
  },
};
