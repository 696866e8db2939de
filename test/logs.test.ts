import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createLog } from '../server/platform/log.ts';
import { useServer } from './support/server.ts';

const lines: string[] = [];
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(chunk.toString());
    done();
  },
});
const server = useServer({}, createLog('debug', sink));

it('the log has ids and no person, text or secret [D18]', async () => {
  const company = await server().company();
  const api = await company.client();
  const canary = { name: 'Canary Person', phone: '+351912345999', email: 'canary@example.com' };
  const { id } = (await api.post('/contacts', canary)).body.data;
  await api.get('/contacts', { q: 'Canary Person' });
  await api.get(`/contacts/${id}`);
  await api.post('/contacts', { ...canary, email: 'canary-nonsense' });
  await api.graphql('mutation { createContact(input: { name: "Canary Person" }) { name } }');
  await api.graphql('{ contacts(q: "Canary Person") { items { name } } }');
  await api.trpc('query', 'contacts.list', { q: 'Canary Person' });
  await expect.poll(() => lines.length).toBeGreaterThanOrEqual(7);
  const log = lines.join('');
  expect(log).not.toMatch(/canary/i);
  expect(log).not.toContain('912345999');
  expect(log).not.toContain(String(api.key).split('|')[1]);
  const first = JSON.parse(lines.find((line) => line.includes('contacts.create')) ?? '{}') as Record<
    string,
    unknown
  >;
  expect(first).toMatchObject({
    method: 'POST',
    route: 'contacts.create',
    status: 201,
    company_id: company.id,
  });
  expect(first['request_id']).toMatch(/^[0-9A-Z]{26}$/);
});
