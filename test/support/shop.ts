import type { Services } from '../../server/platform/services.ts';
import { newId } from '../../server/platform/ids.ts';
import { expect } from 'vitest';
import type { Answer, Client } from './client.ts';

/** An id that no record has. */
export const nobody = '01JQZ7K3M9V5T2XH8C4B6N0DFX';

export async function addContact(api: Client, fields: object = {}): Promise<string> {
  return (await api.post('/contacts', { name: 'Ana Sousa', ...fields })).body.data.id;
}

export async function addProduct(api: Client, fields: object = {}): Promise<string> {
  const { body } = await api.post('/products', { name: 'Mug', price: 1800, ...fields });
  return body.data.id;
}

/** Runs `count` calls with `width` of them in flight. */
export async function flight<T>(count: number, width: number, call: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const n = next++;
      results[n] = await call(n);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
  return results;
}

/** How often each value occurs. */
export function tally(values: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** A conversation with a contact, past the API; optionally with a campaign's message in it. */
export async function insertConversation(
  app: Services,
  companyId: string,
  contactId: string,
  { campaignAt }: { campaignAt?: Date } = {},
): Promise<{ conversation: string; campaign: string | null }> {
  const channel = newId();
  const conversation = newId();
  const campaign = campaignAt ? newId() : null;
  await app.pool.query('INSERT INTO channels (company_id, id, kind, name) VALUES ($1, $2, $3, $4)', [
    companyId,
    channel,
    'simulator',
    `channel ${channel.slice(-8)}`,
  ]);
  await app.pool.query(
    `INSERT INTO conversations (company_id, id, contact_id, channel_id, channel_kind, last_message_at, last_entry_at)
     VALUES ($1, $2, $3, $4, 'simulator', now(), now())`,
    [companyId, conversation, contactId, channel],
  );
  if (campaignAt) {
    await app.pool.query(
      "INSERT INTO campaigns (company_id, id, name, channel_id, status) VALUES ($1, $2, 'Spring', $3, 'completed')",
      [companyId, campaign, channel],
    );
    await app.pool.query(
      `INSERT INTO messages (company_id, id, conversation_id, contact_id, channel_id, direction, type, text, campaign_id,
         author_type, status, at, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, 'outbound', 'text', 'Hello', $6, 'campaign', 'sent', $7, $7, $7)`,
      [companyId, newId(), conversation, contactId, channel, campaign, campaignAt],
    );
  }
  return { conversation, campaign };
}

/** Another agent of a company, past the API. */
export async function addAgent(
  app: Services,
  companyId: string,
  email: string,
): Promise<{ name: string; email: string }> {
  const name = email.split('@')[0] as string;
  await app.pool.query(
    `INSERT INTO users (company_id, id, email, display_name, role_id)
     SELECT $1, $2, $3, $4, id FROM roles WHERE company_id = $1 AND key = 'agent'`,
    [companyId, newId(), email, name],
  );
  return { name, email };
}

/** Bodies of a company's events, in order. */
export async function eventsOf(app: Services, companyId: string, family: string): Promise<EventBody[]> {
  const { rows } = await app.pool.query<{ payload: EventBody }>(
    'SELECT payload FROM events WHERE company_id = $1 AND family = $2 ORDER BY sequence',
    [companyId, family],
  );
  return rows.map(({ payload }) => payload);
}

interface EventBody {
  type: string;
  // eslint-disable-next-line typescript/no-explicit-any -- tests read bodies of many shapes
  data: { object: any; previous?: any };
}

/** Checks that the answer is a 422 about one field. */
export function refused(answer: Answer, param: string, code: string) {
  expect(answer.status, answer.text).toBe(422);
  expect(answer.body.error.details[0]).toMatchObject({ param, code });
}
