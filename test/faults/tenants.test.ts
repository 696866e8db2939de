import { expect, it } from 'vitest';
import type { Answer, Client } from '../support/client.ts';
import { reached } from '../support/reached.ts';
import { scaled } from '../support/scale.ts';
import { useServer } from '../support/server.ts';
import { addContact, flight } from '../support/shop.ts';

const server = useServer({ LOG_LEVEL: 'silent' });
const reads = scaled(2_000, 100_000);
const companies = 20;

it(
  `${reads} reads of ${companies} companies over three transports and one pool show no row of another [T5]`,
  async () => {
    const all = await flight(companies, 4, async () => {
      const { id, client } = await server().company();
      const api = await client();
      const contacts = await flight(5, 5, () => addContact(api, { name: `of ${id}` }));
      return { id, api, contacts };
    });
    const kinds: ((api: Client, contact: string) => Promise<Answer>)[] = [
      (api) => api.get('/contacts'),
      (api, contact) => api.get(`/contacts/${contact}`),
      (api) => api.get('/contacts', { q: 'of' }),
      (api) => api.get('/events'),
      (api) => api.graphql('{ contacts { items { id name } } }'),
      (api, contact) => api.trpc('query', 'contacts.show', { contact }),
    ];
    let foreign = 0;
    let named = 0;
    await flight(reads, 48, async () => {
      const company = all[Math.floor(Math.random() * companies)]!;
      const kind = kinds[Math.floor(Math.random() * kinds.length)]!;
      const answer = await kind(company.api, company.contacts[Math.floor(Math.random() * 5)]!);
      expect(answer.status, answer.text).toBe(200);
      for (const [, owner] of answer.text.matchAll(/"of ([0-9A-Z]{26})"/g)) {
        named++;
        if (owner !== company.id) foreign++;
      }
    });
    expect(named).toBeGreaterThan(reads);
    expect(foreign).toBe(0);
    reached('T5', `${companies} companies, ${reads} reads, ${named} rows, 0 foreign`);
  },
  scaled(300_000, 1_800_000),
);
