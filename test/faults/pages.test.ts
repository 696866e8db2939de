import { expect, it } from 'vitest';
import { reached } from '../support/reached.ts';
import { insertContacts } from '../support/rows.ts';
import { scaled } from '../support/scale.ts';
import { useServer } from '../support/server.ts';
import { addContact, flight } from '../support/shop.ts';

const server = useServer({ LOG_LEVEL: 'silent' });
const walks = scaled(20, 200);
const steady = 500;

it(
  `${walks} walks over a list while rows come and go meet every row that stays once [P2]`,
  async () => {
    const company = await server().company();
    const api = await company.client();
    // Many share a moment, so that the order among them counts too.
    await insertContacts(server().app, company.id, steady, (n) => ({
      name: `stays ${n}`,
      created_at: new Date(Date.now() - 60_000 + Math.floor(n / 100)),
    }));
    const state = { done: false };
    const passing = Promise.all(
      Array.from({ length: 2 }, async () => {
        const mine: string[] = [];
        while (!state.done) {
          mine.push(await addContact(api, { name: 'passes' }));
          if (mine.length > 20)
            await api.delete(`/contacts/${mine.splice(Math.floor(Math.random() * 20), 1)[0]}`);
        }
      }),
    );
    const walk = async (n: number) => {
      const seen: string[] = [];
      const sort: Record<string, string> = n % 2 === 0 ? { sort: 'name' } : {};
      for (let cursor: string | null = ''; cursor !== null;) {
        const { status, body } = await api.get('/contacts', {
          limit: 7 + (n % 90),
          ...sort,
          ...(cursor ? { cursor } : {}),
        });
        expect(status).toBe(200);
        seen.push(
          ...body.data.map(({ name }: { name: string }) => name).filter((name: string) => name !== 'passes'),
        );
        cursor = body.meta.next_cursor;
      }
      return { seen: seen.length, distinct: new Set(seen).size };
    };
    const found = await flight(walks, 4, walk);
    state.done = true;
    await passing;
    expect(found.filter(({ seen, distinct }) => seen !== steady || distinct !== steady)).toEqual([]);
    reached('P2', `${walks} walks over ${steady} rows that stay: each once`);
  },
  scaled(300_000, 1_200_000),
);
