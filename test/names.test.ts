import { beforeAll, describe, expect, it } from 'vitest';
import { createAgent } from '../server/account/agents.ts';
import { ownerPage, ownerPassword, type Page } from './support/page.ts';
import { useServer } from './support/server.ts';

const server = useServer();
let owner: Page;

beforeAll(async () => {
  const company = await server().company();
  const agent = { company: company.id, name: 'Agnes', role: 'agent' as const, password: ownerPassword };
  await createAgent(server().app, { ...agent, email: 'agnes.alba@example.com' });
  owner = await ownerPage(server().url, company);
});

/** Signs that stand for others in a pattern of SQL, and are only themselves in an e-mail. */
const strangers = ['agnes_alba@example.com', '_gnes.alba@example.com', '%@example.com', 'agnes%@example.com'];

describe('an e-mail is itself alone, whatever signs are in it', () => {
  it.each(strangers)('%s is invited beside agnes.alba', async (email) => {
    const roles = (await owner.query('roles.list')).body.result.data.data;
    const { id: role } = roles.find(({ key }: { key: string }) => key === 'agent');
    const first = await owner.mutate('invitations.create', { email, role });
    expect(first.status, first.text).toBe(200);
    const known = await owner.mutate('invitations.create', { email: 'AGNES.alba@example.com', role });
    expect(known.status).toBe(422);
    // Each of them revokes the earlier ones of its own address alone.
    const open = (await owner.query('invitations.list')).body.result.data.data;
    expect(open.map((one: { email: string }) => one.email)).toContain(strangers[0]);
  });

  it.each(strangers)('%s gets no key of agnes.alba', async (user) => {
    const wanted = { name: 'Key', mode: 'test', user, scopes: ['contacts.view'] };
    const { body } = await owner.mutate('keys.create', wanted);
    expect(body.error.data.error.details).toMatchObject([{ param: 'user', code: 'unknown_id' }]);
  });
});

it('a role has a name of its own, whatever its case, blanks and accents', async () => {
  const create = async (name: string) =>
    (await owner.mutate('roles.create', { name, permissions: [] })).status;
  expect(await create('Caf\u00e9 Sales')).toBe(200);
  expect(await create('Caf_ Sales')).toBe(200);
  expect(await create('CAFE\u0301 SALES')).toBe(422);
  expect(await create('caf\u00e9 sales ')).toBe(422);
});
