import type { ClientBase } from 'pg';
import type { Agent, TagRef } from '../sandbox/thread.ts';
import type { SeedPlan, SeedStage } from './plan.ts';

const seedTags = [
  { name: 'Order', color: '#2563EB' },
  { name: 'Complaint', color: '#DC2626' },
  { name: 'Question', color: '#0891B2' },
  { name: 'Wholesale', color: '#7C3AED' },
  { name: 'Follow up', color: '#D97706' },
];

/** Reads agents and channel of the company; adds a simulator channel and the seed's tags where they are missing. */
export async function openSeedStage(client: ClientBase, plan: SeedPlan): Promise<SeedStage> {
  const { companyId } = plan.options;
  const company = await client.query<{ currency: string }>('SELECT currency FROM companies WHERE id = $1', [
    companyId,
  ]);
  const currency = company.rows[0]?.currency;
  if (currency === undefined) throw new Error(`There is no company ${companyId}.`);
  return {
    currency,
    agents: await readAgents(client, companyId),
    channel: await ensureChannel(client, plan),
    tags: await ensureTags(client, plan),
  };
}

async function readAgents(client: ClientBase, companyId: string): Promise<Agent[]> {
  const { rows } = await client.query<Agent>(
    `SELECT 'agent' AS type, id, display_name AS name, email FROM users
     WHERE company_id = $1 AND deactivated_at IS NULL ORDER BY created_at, id LIMIT 20`,
    [companyId],
  );
  if (rows.length === 0) throw new Error('The company has no agent.');
  return rows;
}

async function ensureChannel(client: ClientBase, plan: SeedPlan): Promise<{ id: string; kind: string }> {
  const { companyId } = plan.options;
  const existing = await client.query<{ id: string; kind: string }>(
    `SELECT id, kind FROM channels WHERE company_id = $1 AND kind = 'simulator'
     ORDER BY is_default DESC, created_at, id LIMIT 1`,
    [companyId],
  );
  if (existing.rows[0]) return existing.rows[0];
  const id = plan.ids.id('channel', 0, plan.contactCreatedAt(0));
  await client.query(
    `INSERT INTO channels (company_id, id, kind, name, is_default)
     SELECT $1, $2, 'simulator', 'Simulator', NOT EXISTS (SELECT FROM channels WHERE company_id = $1 AND is_default)`,
    [companyId, id],
  );
  return { id, kind: 'simulator' };
}

async function ensureTags(client: ClientBase, plan: SeedPlan): Promise<TagRef[]> {
  const { companyId } = plan.options;
  for (const [place, { name, color }] of seedTags.entries()) {
    await client.query(
      'INSERT INTO tags (company_id, id, name, color) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
      [companyId, plan.ids.id('tag', place, plan.contactCreatedAt(0)), name, color],
    );
  }
  const { rows } = await client.query<TagRef>(
    'SELECT id, name, color FROM tags WHERE company_id = $1 AND lower(name) = ANY($2) ORDER BY name_sort',
    [companyId, seedTags.map(({ name }) => name.toLowerCase())],
  );
  return rows;
}
