import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAgent } from '../server/account/agents.ts';
import { removeUnusedMedia } from '../server/media/cleanup.ts';
import { uploadTo } from './support/media.ts';
import { ownerPage, ownerPassword, Page } from './support/page.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
let company: TestCompany;
let owner: Page;
let admin: Page;
let ids: { owner: string; admin: string; agent: string };
let roles: Record<string, string>;

async function signedIn(email: string): Promise<Page> {
  const page = new Page(server().url);
  expect((await page.signIn(email)).status).toBe(200);
  return page;
}

const data = async (answer: Promise<{ body: { result: { data: { data: never } } } }>) =>
  (await answer).body.result.data.data;
const failure = async (
  answer: Promise<{ status: number; body: { error: { data: { error: { param: string } } } } }>,
) => {
  const { status, body } = await answer;
  return [status, body.error.data.error.param];
};

beforeAll(async () => {
  company = await server().company();
  const add = (name: string, role: 'admin' | 'agent') =>
    createAgent(server().app, {
      company: company.id,
      email: `${name}@example.com`,
      name,
      role,
      password: ownerPassword,
    });
  const [first, second] = [await add('adam', 'admin'), await add('agnes', 'agent')];
  ids = { owner: company.owner.id, admin: first.id, agent: second.id };
  owner = await ownerPage(server().url, company);
  admin = await signedIn('adam@example.com');
  const list: { key: string; id: string }[] = await data(owner.query('roles.list'));
  roles = Object.fromEntries(list.map(({ key, id }) => [key, id]));
});

describe('the team', () => {
  it('is listed for everybody who signs in, and for nobody else’s company', async () => {
    const agents: { name: string; is_me: boolean }[] = await data(
      (await signedIn('agnes@example.com')).query('agents.list'),
    );
    expect(agents.map(({ name }) => name).sort()).toContain('adam');
    expect(agents.filter(({ is_me }) => is_me).map(({ name }) => name)).toEqual(['agnes']);
    const other = await server().company();
    const foreign = await ownerPage(server().url, other);
    expect(await data(foreign.query('agents.list'))).toHaveLength(1);
    for (const name of ['agents.update', 'agents.deactivate', 'agents.transferOwnership'])
      expect((await foreign.mutate(name, { agent: ids.agent })).status, name).toBe(404);
  });

  it('is changed by admins, never by agents, and never in test mode', async () => {
    const agent = await signedIn('agnes@example.com');
    for (const name of ['agents.update', 'agents.deactivate', 'roles.create', 'invitations.create'])
      expect((await agent.mutate(name, {})).status, name).toBe(403);
    admin.mode = 'test';
    expect((await admin.mutate('agents.update', { agent: ids.agent, name: 'No' })).status).toBe(403);
    admin.mode = 'live';
    const renamed = await data(admin.mutate('agents.update', { agent: ids.agent, name: 'Agnes Alba' }));
    expect(renamed).toMatchObject({ name: 'Agnes Alba', role: { key: 'agent' } });
  });

  it('keeps its Owner: an admin can’t touch them, and they can’t leave', async () => {
    expect((await admin.mutate('agents.deactivate', { agent: ids.owner })).status).toBe(403);
    expect((await admin.mutate('agents.update', { agent: ids.owner, role: roles['agent'] })).status).toBe(
      403,
    );
    expect((await owner.mutate('agents.deactivate', { agent: ids.owner })).status).toBe(409);
    expect((await owner.mutate('agents.update', { agent: ids.owner, role: roles['agent'] })).status).toBe(
      409,
    );
    expect((await admin.mutate('agents.transferOwnership', { agent: ids.admin })).status).toBe(403);
    expect(await failure(owner.mutate('agents.update', { agent: ids.agent, role: roles['owner'] }))).toEqual([
      422,
      'role',
    ]);
  });

  it('goes on with another Owner once it was handed over', async () => {
    const other = await server().company();
    const { id } = await createAgent(server().app, {
      company: other.id,
      email: 'heir@example.com',
      name: 'Heir',
      role: 'agent',
      password: ownerPassword,
    });
    const first = await ownerPage(server().url, other);
    const heir = await signedIn('heir@example.com');
    expect((await first.mutate('agents.transferOwnership', { agent: id })).status).toBe(200);
    expect((await data(heir.query('account.profile')))['role']).toMatchObject({ key: 'owner' });
    expect((await data(first.query('account.profile')))['role']).toMatchObject({ key: 'admin' });
    expect((await first.query('keys.list')).status).toBe(403);
    expect((await heir.query('keys.list')).status).toBe(200);
  });
});

describe('roles', () => {
  it('give and take at once, also from keys', async () => {
    const agent = await signedIn('agnes@example.com');
    const key = await company.client({
      user: 'agnes@example.com',
      scopes: ['contacts.view', 'inbox.access'],
    });
    const role: { id: string; permissions: string[] } = await data(
      owner.mutate('roles.create', { name: 'Reader', permissions: ['contacts.view'] }),
    );
    await owner.mutate('agents.update', { agent: ids.agent, role: role.id });
    expect((await agent.query('contacts.list')).status).toBe(200);
    expect((await agent.query('conversations.list')).status).toBe(403);
    const keyStatus = async () => [
      (await key.get('/contacts')).status,
      (await key.get('/conversations')).status,
    ];
    await expect.poll(keyStatus, { timeout: 10_000 }).toEqual([200, 403]);
    await owner.mutate('roles.update', { role: role.id, permissions: ['inbox.access'] });
    expect((await agent.query('contacts.list')).status).toBe(403);
    expect((await agent.query('conversations.list')).status).toBe(200);
    await expect.poll(keyStatus, { timeout: 10_000 }).toEqual([403, 200]);
    const { rows } = await server().app.pool.query(
      `SELECT r.permissions FROM users u JOIN roles r ON r.company_id = u.company_id AND r.id = u.role_id WHERE u.mirror_of = $1`,
      [ids.agent],
    );
    expect(rows).toEqual([{ permissions: ['inbox.access'] }]);
    expect((await owner.mutate('roles.delete', { role: role.id })).status).toBe(409);
    await owner.mutate('agents.update', { agent: ids.agent, role: roles['agent'] });
    expect((await owner.mutate('roles.delete', { role: role.id })).status).toBe(200);
  });

  it('can’t be given or widened by who holds less', async () => {
    await owner.mutate('roles.update', {
      role: roles['admin'],
      permissions: ['contacts.view', 'inbox.access'],
    });
    expect(
      await failure(
        admin.mutate('roles.create', { name: 'More', permissions: ['contacts.view', 'tags.manage'] }),
      ),
    ).toEqual([422, 'permissions.1']);
    expect(
      await failure(admin.mutate('roles.update', { role: roles['admin'], permissions: ['tags.manage'] })),
    ).toEqual([422, 'permissions.0']);
    const invite = { email: 'more@example.com', role: roles['agent'] };
    expect(await failure(admin.mutate('invitations.create', invite))).toEqual([422, 'role']);
    expect((await admin.mutate('agents.deactivate', { agent: ids.agent })).status).toBe(403);
    expect((await owner.mutate('roles.update', { role: roles['owner'], permissions: [] })).status).toBe(409);
    expect((await owner.mutate('roles.delete', { role: roles['agent'] })).status).toBe(409);
    expect(await failure(owner.mutate('roles.create', { name: 'OWNER', permissions: [] }))).toEqual([
      422,
      'name',
    ]);
  });
});

it('what one prefers is kept, key by key', async () => {
  const set = (input: object) => data(owner.mutate('account.updateProfile', input));
  await set({ preferences: { theme: 'dark', hold: 5 }, timezone: 'europe/lisbon', locale: 'pt-BR' });
  expect(await set({ preferences: { hold: null, dense: true }, availability: 'away' })).toMatchObject({
    preferences: { theme: 'dark', dense: true },
    timezone: 'Europe/Lisbon',
    locale: 'pt-BR',
    availability: 'away',
  });
  expect(await failure(owner.mutate('account.updateProfile', { timezone: 'Mars/Base' }))).toEqual([
    422,
    'timezone',
  ]);
});

it('one’s picture is an own upload, and is there for colleagues', async () => {
  const api = await company.client();
  const pixel = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#0f766e' } })
    .png()
    .toBuffer();
  const { url } = (await uploadTo(api, pixel, 'me.png', 'image/png')).body.data;
  const set = (media_url: string | null) => owner.mutate('media.setAvatar', { media_url });
  const { avatar_url: avatar }: { avatar_url: string } = await data(set(url));
  expect(url.endsWith(avatar)).toBe(true);
  expect((await fetch(`${server().url}${avatar}`)).status).toBe(200);
  const shown = async () => {
    const team: { is_me: boolean; avatar_url: string | null }[] = await data(owner.query('agents.list'));
    return team.find(({ is_me: mine }) => mine)?.avatar_url;
  };
  expect(await shown()).toBe(avatar);
  expect(await data(owner.query('account.profile'))).toMatchObject({ avatar_url: avatar });
  const text = (await uploadTo(api, 'no picture', 'me.txt', 'text/plain')).body.data.url;
  const foreign = await (await server().company()).client();
  const theirs = (await uploadTo(foreign, pixel, 'me.png', 'image/png')).body.data.url;
  for (const wrong of [text, theirs, 'https://example.com/me.png'])
    expect(await failure(set(wrong))).toEqual([422, 'media_url']);
  expect(await shown()).toBe(avatar);
  const second = (await uploadTo(api, pixel, 'new.png', 'image/png')).body.data.url;
  await data(set(second));
  await removeUnusedMedia(server().app);
  // The first one is shown by nobody any more.
  expect((await fetch(url)).status).toBe(404);
  expect((await fetch(second)).status).toBe(200);
  await api.post('/products', { name: 'Portrait', price: 100, image_url: second });
  await data(set(null));
  expect(await shown()).toBe(null);
  await removeUnusedMedia(server().app);
  expect((await fetch(second)).status).toBe(200);
});
