import pg from 'pg';
import { createAgent } from '../../server/account/agents.ts';
import { createCompany } from '../../server/account/companies.ts';
import { migrate } from '../../server/platform/migrate.ts';
import type { SeedOptions } from '../../server/seed/plan.ts';
import { seedCompany } from '../../server/seed/seed.ts';
import { createKeys, inHouse } from './house.ts';

type Size = Pick<SeedOptions, 'contacts' | 'conversations' | 'messages' | 'products' | 'orders'>;

/** How many records the measured company has; `small` is for the test of the benchmark itself. */
export const sizes = {
  full: { contacts: 100_000, conversations: 20_000, messages: 1_000_000, products: 1_000, orders: 20_000 },
  /* For `--scale`: one list at three sizes; five messages a conversation are what takes minutes to make. */
  '20k': { contacts: 100_000, conversations: 20_000, messages: 100_000, products: 1_000, orders: 20_000 },
  '200k': { contacts: 100_000, conversations: 200_000, messages: 1_000_000, products: 1_000, orders: 20_000 },
  '1m': { contacts: 100_000, conversations: 1_000_000, messages: 5_000_000, products: 1_000, orders: 20_000 },
  small: { contacts: 300, conversations: 80, messages: 4_000, products: 20, orders: 30 },
} as const satisfies Record<string, Size>;
export type SizeName = keyof typeof sizes;

/** The measured company, and a key that may do everything in it. */
export interface Dataset {
  company: string;
  /** The user that the key acts as. */
  user: string;
  key: string;
}

const agents = ['Iria Campos', 'Tomé Vidal', 'Abril Rocha', 'Nilo Prates'];

/**
 * Migrates an empty database and fills it with one company, the same one every time but for the ids of its agents.
 * @param dataDir folder for what the services keep beside the database
 */
export async function fillDataset(databaseUrl: string, dataDir: string, size: SizeName): Promise<Dataset> {
  await migrate({ databaseUrl });
  const dataset = await openCompany(databaseUrl, dataDir);
  await seedCompany(databaseUrl, { companyId: dataset.company, seed: 'benchmark', ...sizes[size] });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await tagContacts(client, dataset.company);
    // Also sets the visibility map, without which index-only reads are none.
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
  return dataset;
}

function openCompany(databaseUrl: string, dataDir: string): Promise<Dataset> {
  return inHouse({ databaseUrl, dataDir }, async (app) => {
    const { company, owner } = await createCompany(app, {
      id: '01JBENCH000000000000000000',
      name: 'Measured',
      ownerEmail: 'owner@measured.example',
      ownerPassword: 'correct horse battery',
    });
    for (const name of agents) {
      const email = `${name.split(' ')[0]?.toLowerCase() ?? ''}@measured.example`;
      await createAgent(app, { company, name, email });
    }
    const [key = ''] = await createKeys(app, company, 1);
    return { company, user: owner, key };
  });
}

/** Every third contact has a tag, with the line of its history. */
async function tagContacts(client: pg.Client, company: string): Promise<void> {
  await client.query(
    `WITH numbered AS (
       SELECT id, created_at, row_number() OVER (ORDER BY id) AS place FROM contacts WHERE company_id = $1
     ), chosen AS (
       SELECT numbered.id AS contact_id, tag.id AS tag_id, tag.name, numbered.created_at AS at
       FROM numbered JOIN (
         SELECT id, name, row_number() OVER (ORDER BY name_sort, id) AS place, count(*) OVER () AS total
         FROM tags WHERE company_id = $1
       ) tag ON tag.place = 1 + numbered.place / 3 % tag.total
       WHERE numbered.place % 3 = 0
     ), attached AS (
       INSERT INTO contact_tags (company_id, contact_id, tag_id, attached_at)
       SELECT $1, contact_id, tag_id, at FROM chosen
     )
     INSERT INTO contact_tag_changes (company_id, id, contact_id, tag_id, tag_name, action, at)
     SELECT $1, contact_id, contact_id, tag_id, name, 'add', at FROM chosen`,
    [company],
  );
}
