import { createCompany } from '../../../server/account/companies.ts';
import { migrate } from '../../../server/platform/migrate.ts';
import { seedCompany } from '../../../server/seed/seed.ts';
import { inHouse } from '../house.ts';
import type { Trial } from '../trial.ts';

const counts = { contacts: 5_000, conversations: 10_000, messages: 500_000, products: 100, orders: 500 };
const few = { contacts: 50, conversations: 20, messages: 1_000, products: 10, orders: 5 };

/** `parlour seed` into an empty database. */
export const seed: Trial = {
  name: 'seed',
  async run(place) {
    const databaseUrl = await place.empty();
    await migrate({ databaseUrl });
    const { company } = await inHouse({ databaseUrl, dataDir: place.folder }, (app) =>
      createCompany(app, {
        name: 'Seeded',
        ownerEmail: 'owner@seeded.example',
        ownerPassword: 'correct horse battery',
      }),
    );
    const started = performance.now();
    const made = await seedCompany(databaseUrl, {
      companyId: company,
      seed: 'benchmark',
      ...(place.small ? few : counts),
    });
    const seconds = (performance.now() - started) / 1_000;
    return [
      {
        name: 'seed, messages',
        value: made.messages / seconds,
        unit: '/s',
        goal: { least: 50_000 },
        how: `${made.messages.toLocaleString('en')} messages with their contacts, conversations and indexes`,
      },
    ];
  },
};
