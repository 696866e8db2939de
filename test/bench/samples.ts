import pg from 'pg';
import type { Dataset } from './dataset.ts';

/** What the requests of a run ask for. Chosen by a hash of the id: spread over the data, and the same every time. */
export interface Samples {
  company: string;
  contacts: string[];
  conversations: string[];
  /** Those into which may be written. */
  writable: string[];
  /** Threads with more than a page, and a moment in the middle of each. */
  deep: { id: string; before: string }[];
  agents: string[];
  tags: string[];
  /** Products that are in stock. */
  orderable: string[];
}

export async function readSamples({ url, company }: Dataset & { url: string }): Promise<Samples> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const texts = async (sql: string) => {
    const { rows } = await client.query<{ text: string }>(sql, [company]);
    return rows.map(({ text }) => text);
  };
  try {
    const { rows: deep } = await client.query<{ id: string; at: Date }>(
      `SELECT chosen.id, entry.at FROM (
         SELECT id FROM conversations WHERE company_id = $1 ORDER BY md5(id) LIMIT 1000) chosen
       CROSS JOIN LATERAL (SELECT at FROM messages WHERE company_id = $1 AND conversation_id = chosen.id
         ORDER BY at DESC OFFSET 20 LIMIT 1) entry`,
      [company],
    );
    return {
      company,
      contacts: await texts(
        'SELECT id AS text FROM contacts WHERE company_id = $1 ORDER BY md5(id) LIMIT 2000',
      ),
      conversations: await texts(
        'SELECT id AS text FROM conversations WHERE company_id = $1 ORDER BY md5(id) LIMIT 2000',
      ),
      writable: await texts(
        `SELECT c.id AS text FROM conversations c JOIN contacts p ON p.company_id = c.company_id AND p.id = c.contact_id
         WHERE c.company_id = $1 AND NOT p.blocked ORDER BY md5(c.id) LIMIT 5000`,
      ),
      deep: deep.map(({ id, at }) => ({ id, before: at.toISOString() })),
      agents: await texts('SELECT email AS text FROM users WHERE company_id = $1 ORDER BY email'),
      orderable: await texts(
        `SELECT id AS text FROM products WHERE company_id = $1 AND status = 'active' AND stock IS NOT NULL
         ORDER BY md5(id) LIMIT 100`,
      ),
      tags: await texts('SELECT id AS text FROM tags WHERE company_id = $1 ORDER BY name_sort'),
    };
  } finally {
    await client.end();
  }
}
